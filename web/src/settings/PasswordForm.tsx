import { useApolloClient, useMutation } from "@apollo/client/react";
import { ApiError } from "../api/apiError";
import { AuthField } from "../auth/AuthField";
import { keepFocus } from "../auth/keepFocus";
import { problems, resolver } from "../auth/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { toastSuccess } from "../ui/toasts";
import { ChangePasswordDocument, SessionsDocument } from "./Settings.generated";
import classes from "./Settings.module.css";

const FIELDS = ["currentPassword", "newPassword", "confirmPassword"] as const;
const EMPTY = { currentPassword: "", newPassword: "", confirmPassword: "" };

/** The form that changes the password, given the current one. The change ends all other sessions. */
export function PasswordForm() {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [change] = useMutation(ChangePasswordDocument);
  const form = useGuardedForm({
    name: "password",
    mode: "onTouched",
    secrets: FIELDS,
    defaultValues: EMPTY,
    criteriaMode: "all",
    resolver: resolver(FIELDS, problems),
    save: ({ currentPassword, newPassword }) =>
      change({ variables: { input: { currentPassword, newPassword } } }),
    onRefused: (error) => {
      const { status, fields } = ApiError.from(error);
      // An error without a field means the current password, because the new one has passed the client's rules.
      if (status === 422 && fields.size === 0) {
        form.setError("currentPassword", { type: "passwordWrong", types: { passwordWrong: true } });
      }
    },
    isOnce: true,
    onSaved: async () => {
      form.reset(EMPTY);
      toastSuccess(t("settings.password.saved"));
      await client.refetchQueries({ include: [SessionsDocument] });
    },
  });
  // These rules compare two fields, so a change of either one validates again.
  const alsoJudge = (fields: readonly (typeof FIELDS)[number][]) => () => {
    for (const field of fields) if (form.getFieldState(field).isTouched) void form.trigger(field);
  };
  const onBlur = {
    currentPassword: alsoJudge(["newPassword"]),
    newPassword: alsoJudge(["confirmPassword"]),
    confirmPassword: undefined,
  };
  return (
    <Section title={t("settings.password.heading")} text={t("settings.password.text")}>
      <form className={classes.passwords} {...form.props}>
        {FIELDS.map((field) => (
          <AuthField
            key={field}
            field={field}
            type="password"
            size="sm"
            autoComplete={field === "currentPassword" ? "current-password" : "new-password"}
            registered={form.register(field, onBlur[field] && { onBlur: onBlur[field] })}
            error={form.formState.errors[field]}
          />
        ))}
        <Button type="submit" className={classes.start} onMouseDown={keepFocus} loading={form.isBusy}>
          {t("settings.password.submit")}
        </Button>
      </form>
    </Section>
  );
}
