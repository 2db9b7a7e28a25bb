import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import classes from "./errors.module.css";
import { LoadFailure } from "./LoadFailure";
import { SomethingWentWrong } from "./SomethingWentWrong";
import { isScreenLoadError, recoverScreen } from "./screenLoading";

/** What a route shows when it, or the loading of its screen, fails. */
export function RouteError({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const notLoaded = isScreenLoadError(error);
  useEffect(() => {
    if (notLoaded) void recoverScreen();
  }, [notLoaded]);
  const retry = () => void router.invalidate();
  if (notLoaded && !navigator.onLine) {
    return (
      <div className={classes.page}>
        <LoadFailure error={ApiError.unreachable(window.location.href, error)} retry={retry} />
      </div>
    );
  }
  return (
    <>
      <title>{`${t("errors.somethingWentWrong")} — Kurso`}</title>
      <SomethingWentWrong error={error} reset={retry} />
    </>
  );
}
