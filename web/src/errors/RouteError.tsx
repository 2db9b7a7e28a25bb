import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./errors.module.css";
import { LoadFailure } from "./LoadFailure";
import { SomethingWentWrong } from "./SomethingWentWrong";
import { isScreenLoadError, recoverScreen, reloadPage } from "./screenLoading";

/** The error component of routes: shown when a route or the loading of its code fails. */
export function RouteError({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const notLoaded = isScreenLoadError(error);
  useEffect(() => {
    if (notLoaded) return recoverScreen();
  }, [notLoaded]);
  const retry = () => void (notLoaded ? reloadPage() : router.invalidate());
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
