import { useMutation } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { useTranslation } from "../i18n/useTranslation";
import { failureText, toastFailure, toastSuccess } from "../ui/toasts";
import { AuthField } from "./AuthField";
import classes from "./forms.module.css";
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
  const { register, handleSubmit, formState, setError, getFieldState, trigger } = useForm({
    defaultValues: {
      surname: "",
      firstName: "",
      patronymic: "",
      email: "",
      password: "",
      confirmPassword: "",
    },
    mode: "onTouched",
    criteriaMode: "all",
    resolver: resolver(FIELDS, problems),
  });
  const submit = handleSubmit(async ({ surname, firstName, patronymic, email, password }) => {
    try {
      const name = fullName(surname, firstName, patronymic);
      await signup({ variables: { input: { email: email.trim(), password, fullName: name } } });
      toastSuccess(t("auth.signup.done"));
      await navigate({ to: "/login", state: { email: email.trim() } });
    } catch (error) {
      toastFailure(error);
      setError("root", { message: failureText(error) });
    }
  });
  // A change of either field changes whether the two match.
  const onPasswordBlur = () => {
    if (getFieldState("confirmPassword").isTouched) void trigger("confirmPassword");
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
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
            registered={register(field, field === "password" ? { onBlur: onPasswordBlur } : undefined)}
            error={formState.errors[field]}
          />
        ))}
      </div>
      <Refusal error={formState.errors.root} />
      <Submit busy={formState.isSubmitting}>{t("auth.signup.submit")}</Submit>
      <Link to="/login" className={classes.other} onMouseDown={keepFocus}>
        {t("auth.signup.toLogin")}
      </Link>
    </form>
  );
}
