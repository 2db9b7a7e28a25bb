import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { SomethingWentWrong } from "./SomethingWentWrong";
import { recoverScreen } from "./screenLoading";

/** What a route shows when it, or the loading of its screen, fails. */
export function RouteError({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  useEffect(() => {
    void recoverScreen(error);
  }, [error]);
  return (
    <>
      <title>{`${t("errors.somethingWentWrong")} — Kurso`}</title>
      <SomethingWentWrong error={error} reset={() => void router.invalidate()} />
    </>
  );
}
