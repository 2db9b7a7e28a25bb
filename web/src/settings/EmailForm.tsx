import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { emailProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import type { MeQuery } from "../shell/Me.generated";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { TextField } from "../ui/TextField";
import { UpdateMeDocument } from "./Settings.generated";
import classes from "./Settings.module.css";

/** The form for the sign-in email. The server mails the old address a link that undoes the change. */
export function EmailForm({ me }: { me: MeQuery["me"] }) {
  const { t } = useTranslation();
  const [old, setOld] = useState<string | null>(null);
  const [update] = useMutation(UpdateMeDocument);
  const form = useGuardedForm({
    name: "email",
    mode: "onTouched",
    values: { email: me.email },
    save: ({ email }) => update({ variables: { input: { email: email.trim() } } }),
    refusalAt: "email",
    onSaved: () => setOld(me.email),
  });
  return (
    <Section title={t("settings.email.heading")} text={t("settings.email.text")}>
      <form className={classes.form} {...form.props}>
        <TextField
          type="email"
          label={t("auth.fields.email")}
          aria-required
          autoComplete="email"
          {...form.field("email", emailProblem)}
        />
        <Button type="submit" className={classes.start} loading={form.isBusy} disabled={!form.isDirty}>
          {t("settings.email.submit")}
        </Button>
        <div role="status">
          {old !== null && (
            <p className={classes.note}>{t("settings.email.saved", { old, email: me.email })}</p>
          )}
        </div>
      </form>
    </Section>
  );
}
