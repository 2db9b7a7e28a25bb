import { useMutation } from "@apollo/client/react";
import { useForm } from "react-hook-form";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { NAME_MAX } from "../limits.generated";
import type { MeQuery } from "../shell/Me.generated";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { TextField } from "../ui/TextField";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { UpdateMeDocument } from "./Settings.generated";
import classes from "./Settings.module.css";

/** The form for the user's full name. */
export function ProfileForm({ me }: { me: MeQuery["me"] }) {
  const { t } = useTranslation();
  const [update] = useMutation(UpdateMeDocument);
  const { register, handleSubmit, formState, setError } = useForm({
    values: { fullName: me.fullName ?? "" },
    resetOptions: { keepDirtyValues: true },
    mode: "onTouched",
  });
  const submit = handleSubmit(async ({ fullName }) => {
    try {
      await update({ variables: { input: { fullName: fullName.trim() || null } } });
      toastSuccess(t("settings.profile.saved"));
    } catch (error) {
      toastFailure(error);
      const message = ApiError.from(error).fields.get("fullName");
      if (message) setError("fullName", { message });
    }
  });
  return (
    <Section title={t("settings.profile.heading")} text={t("settings.profile.text")}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextField
          label={t("settings.profile.fullName")}
          description={t("settings.profile.hint")}
          error={formState.errors.fullName?.message}
          autoComplete="name"
          {...register("fullName", {
            validate: (name) => [...name.trim()].length <= NAME_MAX || t("settings.profile.tooLong"),
          })}
        />
        <Button
          type="submit"
          className={classes.start}
          loading={formState.isSubmitting}
          disabled={!formState.isDirty}
        >
          {t("settings.save")}
        </Button>
      </form>
    </Section>
  );
}
