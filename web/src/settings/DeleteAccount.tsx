import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MeQuery } from "../shell/Me.generated";
import { Section } from "../ui/Section";
import { DeleteAccountDialog } from "./DeleteAccountDialog";
import classes from "./Settings.module.css";

/** The end of the account. Superusers cannot: there would be nobody to pass the courses to. */
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
