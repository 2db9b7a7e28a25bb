import { useMutation } from "@apollo/client/react";
import { nameProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import type { MeQuery } from "../shell/Me.generated";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import { UpdateMeDocument } from "./Settings.generated";
import classes from "./Settings.module.css";

/** The form for the user's full name. */
export function ProfileForm({ me }: { me: MeQuery["me"] }) {
  const { t } = useTranslation();
  const [update] = useMutation(UpdateMeDocument);
  const form = useGuardedForm({
    name: "profile",
    mode: "onTouched",
    values: { fullName: me.fullName ?? "" },
    save: ({ fullName }) => update({ variables: { input: { fullName: fullName.trim() || null } } }),
    refusalAt: "fullName",
    onSaved: () => toastSuccess(t("settings.profile.saved")),
  });
  return (
    <Section title={t("settings.profile.heading")} text={t("settings.profile.text")}>
      <form className={classes.form} {...form.props}>
        <TextField
          label={t("settings.profile.fullName")}
          description={t("settings.profile.hint")}
          autoComplete="name"
          {...form.field("fullName", nameProblem)}
        />
        <Button type="submit" className={classes.start} loading={form.isBusy} disabled={!form.isDirty}>
          {t("settings.save")}
        </Button>
      </form>
    </Section>
  );
}
