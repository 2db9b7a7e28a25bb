import { useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { AuthField } from "./AuthField";
import { FormOutcome } from "./FormOutcome";
import classes from "./forms.module.css";
import { ResetPasswordDocument } from "./Recovery.generated";
import { problems, resolver } from "./rules";
import { Submit } from "./Submit";

const FIELDS = ["newPassword", "confirmPassword"] as const;

/** The screen at /reset-password, opened by the link in a mail. */
export function ResetForm({ token }: { token: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [dead, setDead] = useState(false);
  const [reset] = useMutation(ResetPasswordDocument);
  const { register, handleSubmit, formState, getFieldState, trigger } = useForm({
    defaultValues: { newPassword: "", confirmPassword: "" },
    mode: "onTouched",
    criteriaMode: "all",
    resolver: resolver(FIELDS, problems),
  });
  const submit = handleSubmit(async ({ newPassword }) => {
    try {
      await reset({ variables: { input: { token, newPassword } } });
      toastSuccess(t("recovery.reset.done"));
      await navigate({ to: "/login" });
    } catch (error) {
      toastFailure(error);
      const { status, fields } = ApiError.from(error);
      setDead(status === 422 && fields.size === 0);
    }
  });
  const onPasswordBlur = () => {
    if (getFieldState("confirmPassword").isTouched) void trigger("confirmPassword");
  };
  if (dead || !token) {
    return (
      <FormOutcome
        title={t("recovery.reset.dead")}
        actions={
          <ButtonLink to="/recover-password" size="md">
            {t("recovery.reset.again")}
          </ButtonLink>
        }
      >
        <p className={classes.text}>{t(dead ? "recovery.reset.deadText" : "recovery.reset.partial")}</p>
      </FormOutcome>
    );
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <title>{`${t("recovery.reset.title")} — Kurso`}</title>
      <h1 className={classes.title}>{t("recovery.reset.title")}</h1>
      <p className={classes.lead}>{t("recovery.reset.lead")}</p>
      {FIELDS.map((field) => (
        <AuthField
          key={field}
          field={field}
          type="password"
          autoComplete="new-password"
          registered={register(field, field === "newPassword" ? { onBlur: onPasswordBlur } : undefined)}
          error={formState.errors[field]}
        />
      ))}
      <Submit busy={formState.isSubmitting}>{t("recovery.reset.submit")}</Submit>
    </form>
  );
}
