import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import type { MeQuery } from "../shell/Me.generated";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { DeleteAccountDialog } from "./DeleteAccountDialog";
import classes from "./Settings.module.css";

/** The section that deletes the account. Superusers cannot delete theirs, because courses pass to a superuser. */
export function DeleteAccount({ me }: { me: MeQuery["me"] }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <Section title={t("settings.delete.heading")} text={t("settings.delete.text")}>
      {me.isSuperuser ? (
        <p className={classes.note}>{t("settings.delete.superuser")}</p>
      ) : (
        <Button variant="default" className={classes.danger} onClick={() => setAsking(true)}>
          {t("settings.delete.ask")}
        </Button>
      )}
      {asking && <DeleteAccountDialog email={me.email} onClose={() => setAsking(false)} />}
    </Section>
  );
}
