import { useMutation } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { toastFailure } from "../ui/toasts";
import { AuthField } from "./AuthField";
import { FormOutcome } from "./FormOutcome";
import classes from "./forms.module.css";
import { keepFocus } from "./keepFocus";
import { RequestPasswordRecoveryDocument } from "./Recovery.generated";
import { problems, resolver } from "./rules";
import { Submit } from "./Submit";

/** The screen at /recover-password. Its message is the same whether or not the account exists, so that it reveals no accounts. */
export function RecoverForm() {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [ask] = useMutation(RequestPasswordRecoveryDocument);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { email: "" },
    mode: "onTouched",
    criteriaMode: "all",
    resolver: resolver(["email"], problems),
  });
  const submit = handleSubmit(async ({ email }) => {
    try {
      await ask({ variables: { input: { email: email.trim() } } });
      setSentTo(email.trim());
    } catch (error) {
      toastFailure(error);
    }
  });
  if (sentTo !== null) {
    return (
      <FormOutcome
        title={t("recovery.recover.sent")}
        actions={
          <>
            <ButtonLink to="/login" size="md">
              {t("recovery.recover.back")}
            </ButtonLink>
            <Button size="md" variant="default" onClick={() => setSentTo(null)}>
              {t("recovery.recover.another")}
            </Button>
          </>
        }
      >
        <p className={classes.text} role="status">
          {t("recovery.recover.sentText", { email: sentTo })}
        </p>
        <p className={classes.quiet}>{t("recovery.recover.notThere")}</p>
      </FormOutcome>
    );
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <title>{`${t("recovery.recover.title")} — Kurso`}</title>
      <h1 className={classes.title}>{t("recovery.recover.title")}</h1>
      <p className={classes.lead}>{t("recovery.recover.lead")}</p>
      <AuthField
        field="email"
        type="email"
        autoComplete="username"
        registered={register("email")}
        error={formState.errors.email}
      />
      <Submit busy={formState.isSubmitting}>{t("recovery.recover.submit")}</Submit>
      <Link to="/login" className={classes.other} onMouseDown={keepFocus}>
        {t("recovery.recover.toLogin")}
      </Link>
    </form>
  );
}
