import { useApolloClient, useMutation } from "@apollo/client/react";
import { Button } from "@mantine/core";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import { AuthField } from "../auth/AuthField";
import { keepFocus } from "../auth/keepFocus";
import { problems, resolver } from "../auth/rules";
import { Section } from "../ui/Section";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { ChangePasswordDocument, SessionsDocument } from "./Settings.generated";
import classes from "./Settings.module.css";

const FIELDS = ["currentPassword", "newPassword", "confirmPassword"] as const;

/** A new password, by the old one. All other sessions end with it. */
export function PasswordForm() {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [change] = useMutation(ChangePasswordDocument);
  const { register, handleSubmit, formState, getFieldState, trigger, reset, setError } = useForm({
    defaultValues: { currentPassword: "", newPassword: "", confirmPassword: "" },
    mode: "onBlur",
    criteriaMode: "all",
    resolver: resolver(FIELDS, problems),
  });
  const submit = handleSubmit(async ({ currentPassword, newPassword }) => {
    try {
      await change({ variables: { input: { currentPassword, newPassword } } });
      reset();
      toastSuccess(t("settings.password.saved"));
      await client.refetchQueries({ include: [SessionsDocument] });
    } catch (error) {
      toastFailure(error);
      const { status, fields } = ApiError.from(error);
      // Refused without naming a field: our own rules have let the new one pass, so it is the old one.
      if (status === 422 && fields.size === 0) {
        setError("currentPassword", { type: "passwordWrong", types: { passwordWrong: true } });
      }
    }
  });
  // Whether the new one is another, and the confirmation the same, changes with the other fields.
  const alsoJudge = (fields: readonly (typeof FIELDS)[number][]) => () => {
    for (const field of fields) if (getFieldState(field).isTouched) void trigger(field);
  };
  const onBlur = {
    currentPassword: alsoJudge(["newPassword"]),
    newPassword: alsoJudge(["confirmPassword"]),
    confirmPassword: undefined,
  };
  return (
    <Section title={t("settings.password.heading")} text={t("settings.password.text")}>
      <form className={classes.passwords} onSubmit={submit} noValidate>
        {FIELDS.map((field) => (
          <AuthField
            key={field}
            field={field}
            type="password"
            autoComplete={field === "currentPassword" ? "current-password" : "new-password"}
            registered={register(field, onBlur[field] && { onBlur: onBlur[field] })}
            error={formState.errors[field]}
          />
        ))}
        <Button
          type="submit"
          className={classes.start}
          onMouseDown={keepFocus}
          loading={formState.isSubmitting}
        >
          {t("settings.password.submit")}
        </Button>
      </form>
    </Section>
  );
}
