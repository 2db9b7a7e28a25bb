import { useMutation } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { failureText, toastSuccess } from "../ui/toasts";
import { AuthField } from "./AuthField";
import classes from "./forms.module.css";
import { GuestPart } from "./GuestPart";
import { keepFocus } from "./keepFocus";
import { Refusal } from "./Refusal";
import { fullName, problems, resolver } from "./rules";
import { SignupDocument } from "./Signup.generated";
import { Submit } from "./Submit";
import { useLead } from "./useLead";

const FIELDS = ["surname", "firstName", "patronymic", "email", "password", "confirmPassword"] as const;
type SignupField = (typeof FIELDS)[number];
const AUTOCOMPLETE: Record<SignupField, string> = {
  surname: "family-name",
  firstName: "given-name",
  patronymic: "additional-name",
  email: "username",
  password: "new-password",
  confirmPassword: "new-password",
};
const TYPES: Partial<Record<SignupField, "email" | "password">> = {
  email: "email",
  password: "password",
  confirmPassword: "password",
};

/** The sign-up screen at /signup. */
export function SignupForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [signup] = useMutation(SignupDocument);
  const form = useGuardedForm({
    name: "sign-up",
    secrets: ["password", "confirmPassword"],
    mode: "onTouched",
    defaultValues: {
      surname: "",
      firstName: "",
      patronymic: "",
      email: "",
      password: "",
      confirmPassword: "",
    },
    criteriaMode: "all",
    resolver: resolver(FIELDS, problems),
    save: ({ surname, firstName, patronymic, email, password }) => {
      const name = fullName(surname, firstName, patronymic);
      return signup({ variables: { input: { email: email.trim(), password, fullName: name } } });
    },
    onRefused: (error) => {
      form.setError("root", { message: failureText(error) });
    },
    isOnce: true,
    onSaved: (_, { email }) => {
      toastSuccess(t("auth.signup.done"));
      return navigate({ to: "/login", state: { email: email.trim() } });
    },
  });
  // A change of either field changes whether the two match.
  const onPasswordBlur = () => {
    if (form.getFieldState("confirmPassword").isTouched) void form.trigger("confirmPassword");
  };
  return (
    <form className={classes.form} {...form.props}>
      <title>{`${t("auth.signup.title")} — Kurso`}</title>
      <h1 className={classes.title}>{t("auth.signup.title")}</h1>
      <p className={classes.lead}>{useLead("signup")}</p>
      <div className={classes.fields}>
        {FIELDS.map((field) => (
          <AuthField
            key={field}
            field={field}
            type={TYPES[field]}
            autoComplete={AUTOCOMPLETE[field]}
            half={field === "firstName" || field === "patronymic"}
            registered={form.register(field, field === "password" ? { onBlur: onPasswordBlur } : undefined)}
            error={form.formState.errors[field]}
          />
        ))}
      </div>
      <Refusal error={form.formState.errors.root} />
      <Submit busy={form.isBusy}>{t("auth.signup.submit")}</Submit>
      <Link to="/login" className={classes.other} onMouseDown={keepFocus}>
        {t("auth.signup.toLogin")}
      </Link>
      <GuestPart />
    </form>
  );
}
