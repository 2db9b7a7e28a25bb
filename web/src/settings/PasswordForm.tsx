import { useApolloClient, useMutation } from "@apollo/client/react";
import { useForm } from "react-hook-form";
import { ApiError } from "../api/apiError";
import { AuthField } from "../auth/AuthField";
import { keepFocus } from "../auth/keepFocus";
import { problems, resolver } from "../auth/rules";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { ChangePasswordDocument, SessionsDocument } from "./Settings.generated";
import classes from "./Settings.module.css";

const FIELDS = ["currentPassword", "newPassword", "confirmPassword"] as const;

/** The form that changes the password, given the current one. The change ends all other sessions. */
export function PasswordForm() {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [change] = useMutation(ChangePasswordDocument);
  const { register, handleSubmit, formState, getFieldState, trigger, reset, setError } = useForm({
    defaultValues: { currentPassword: "", newPassword: "", confirmPassword: "" },
    mode: "onTouched",
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
      // An error without a field means the current password, because the new one has passed the client's rules.
      if (status === 422 && fields.size === 0) {
        setError("currentPassword", { type: "passwordWrong", types: { passwordWrong: true } });
      }
    }
  });
  // These rules compare two fields, so a change of either one validates again.
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
            size="sm"
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
