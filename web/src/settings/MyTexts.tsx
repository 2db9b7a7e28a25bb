import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { saveFile } from "../ui/saveFile";
import { toastFailure } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { readMyTexts } from "./readMyTexts";
import classes from "./Settings.module.css";

/** The section that saves what the user has written as a file. */
export function MyTexts() {
  const { t } = useTranslation();
  const client = useApolloClient();
  const isOnline = useOnline();
  const [isSaving, setSaving] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      const texts = await readMyTexts(client);
      setEmpty(texts.length === 0);
      if (texts.length > 0)
        saveFile("kurso-texts.json", "application/json", `${JSON.stringify(texts, null, 2)}\n`);
    } catch (error) {
      toastFailure(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Section title={t("settings.texts.heading")} text={t("settings.texts.text")}>
      <Button
        variant="default"
        className={classes.start}
        loading={isSaving}
        disabled={!isOnline}
        onClick={() => void save()}
      >
        {t("settings.texts.save")}
      </Button>
      {(isEmpty || !isOnline) && (
        <p className={classes.dim} role="status">
          {t(isOnline ? "settings.texts.empty" : "settings.texts.offline")}
        </p>
      )}
    </Section>
  );
}
