import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { Screen } from "../ui/Screen";
import classes from "./AccountNeeded.module.css";

/** Stands for a screen that takes an account. The notice above it leads to one. */
export function AccountNeeded() {
  const { t } = useTranslation();
  return (
    <Screen title={t("join.guest.needed.title")} lead={t("join.guest.needed.text")}>
      <ButtonLink to="/" variant="default" className={classes.back}>
        {t("errors.backHome")}
      </ButtonLink>
    </Screen>
  );
}
