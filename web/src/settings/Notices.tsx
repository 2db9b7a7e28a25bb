import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { Section } from "../ui/Section";
import classes from "./Settings.module.css";

/** The link to the notice settings, which are a separate screen. */
export function Notices() {
  const { t } = useTranslation();
  return (
    <Section title={t("shell.notices")} text={t("settings.notices.text")}>
      <ButtonLink to="/settings/notices" variant="default" className={classes.start}>
        {t("settings.notices.open")}
      </ButtonLink>
    </Section>
  );
}
