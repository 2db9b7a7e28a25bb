import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "../api/apiError";
import { problems } from "../auth/rules";
import { useTranslation } from "../i18n/useTranslation";
import type { MeQuery } from "../shell/Me.generated";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { TextField } from "../ui/TextField";
import { failureText, toastFailure } from "../ui/toasts";
import { UpdateMeDocument } from "./Settings.generated";
import classes from "./Settings.module.css";

/** The form for the sign-in email. The server mails the old address a link that undoes the change. */
export function EmailForm({ me }: { me: MeQuery["me"] }) {
  const { t } = useTranslation();
  const [old, setOld] = useState<string | null>(null);
  const [update] = useMutation(UpdateMeDocument);
  const { register, handleSubmit, formState, setError } = useForm({
    values: { email: me.email },
    resetOptions: { keepDirtyValues: true },
    mode: "onTouched",
  });
  const submit = handleSubmit(async ({ email }) => {
    try {
      await update({ variables: { input: { email: email.trim() } } });
      setOld(me.email);
    } catch (error) {
      toastFailure(error);
      const { status, fields } = ApiError.from(error);
      // 409: another account has this email.
      const message = fields.get("email") ?? (status === 409 ? failureText(error) : undefined);
      if (message) setError("email", { message });
    }
  });
  return (
    <Section title={t("settings.email.heading")} text={t("settings.email.text")}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextField
          type="email"
          label={t("auth.fields.email")}
          error={formState.errors.email?.message}
          aria-required
          autoComplete="email"
          {...register("email", {
            validate: (email) => {
              const [found] = problems("email", { email });
              return found === undefined || t(`auth.errors.${found}`);
            },
          })}
        />
        <Button
          type="submit"
          className={classes.start}
          loading={formState.isSubmitting}
          disabled={!formState.isDirty}
        >
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
