import { useMutation } from "@apollo/client/react";
import { Button } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { addWords } from "../i18n";
import { recovery } from "../i18n/ru/recovery";
import { ButtonLink } from "../ui/links";
import { toastFailure } from "../ui/toasts";
import { AuthField } from "./AuthField";
import classes from "./forms.module.css";
import { keepFocus } from "./keepFocus";
import { RequestPasswordRecoveryDocument } from "./Recovery.generated";
import { problems, resolver } from "./rules";
import { Said } from "./Said";
import { Submit } from "./Submit";

addWords({ recovery });

/** The screen of /recover-password. What it says is the same whether there is such an account or not. */
export function RecoverForm() {
  const { t } = useTranslation();
  const { code } = useSearch({ from: "/_public" });
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [ask] = useMutation(RequestPasswordRecoveryDocument);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { email: "" },
    mode: "onBlur",
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
      <Said
        title={t("recovery.recover.sent")}
        actions={
          <>
            <ButtonLink to="/login" search={{ code }} size="md">
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
      </Said>
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
      <Link to="/login" search={{ code }} className={classes.other} onMouseDown={keepFocus}>
        {t("recovery.recover.toLogin")}
      </Link>
    </form>
  );
}
