import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import classes from "./errors.module.css";

/** The screen for unknown paths. */
export function NotFoundScreen() {
  const { t } = useTranslation();
  return (
    <div className={classes.screen}>
      <title>{`${t("errors.oops")} — Kurso`}</title>
      <p className={classes.code} aria-hidden="true">
        404
      </p>
      <h1 className={classes.title}>{t("errors.oops")}</h1>
      <p className={classes.text}>{t("errors.pageNotFound")}</p>
      <ButtonLink to="/" size="md">
        {t("errors.backHome")}
      </ButtonLink>
    </div>
  );
}

/** The generic text for routes without a not-found component of their own. */
export function NotFoundText() {
  const { t } = useTranslation();
  return <p className={classes.text}>{t("errors.notFound")}</p>;
}
