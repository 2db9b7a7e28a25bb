import { useMutation } from "@apollo/client/react";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { type UseFormRegisterReturn, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import { Dialog } from "../ui/Dialog";
import { failureText, toastFailure, toastSuccess } from "../ui/toasts";
import { type AdminUser_UserFragment, CreateUserDocument, UpdateUserDocument } from "./Admin.generated";
import classes from "./Admin.module.css";
import { type UserForm, userResolver } from "./userRules";

interface Props {
  /** Left out: a new account. */
  user: AdminUser_UserFragment | undefined;
  /** One's own account: nobody takes the ground from under their own feet. */
  self: boolean;
  onClose: () => void;
  /** There is a new one. */
  onMade: () => void;
}

/** Makes an account or changes one. */
export function UserDialog({ user, self, onClose, onMade }: Props) {
  const { t } = useTranslation();
  const formId = useId();
  const [create] = useMutation(CreateUserDocument);
  const [update] = useMutation(UpdateUserDocument);
  const { register, handleSubmit, formState, setError } = useForm<UserForm>({
    defaultValues: {
      email: user?.email ?? "",
      fullName: user?.fullName ?? "",
      newPassword: "",
      confirmPassword: "",
      isActive: user?.isActive ?? true,
      isSuperuser: user?.isSuperuser ?? false,
    },
    mode: "onBlur",
    resolver: userResolver(user === undefined, (problem) =>
      problem === "nameTooLong" ? t("settings.profile.tooLong") : t(`auth.errors.${problem}`),
    ),
  });
  const submit = handleSubmit(async (form) => {
    const shared = {
      email: form.email.trim(),
      fullName: form.fullName.trim() || null,
      // What is disabled is not among the values.
      ...(!self && { isActive: form.isActive, isSuperuser: form.isSuperuser }),
    };
    const { newPassword: password } = form;
    try {
      if (user) {
        const input = { userId: user.id, ...shared, ...(password && { password }) };
        await update({ variables: { input } });
      } else {
        await create({ variables: { input: { ...shared, password } } });
      }
      toastSuccess(t(user ? "admin.users.saved" : "admin.users.created", { email: shared.email }));
      if (!user) onMade();
      onClose();
    } catch (error) {
      toastFailure(error);
      const { status, fields } = ApiError.from(error);
      for (const [field, message] of fields) {
        if (field === "email" || field === "fullName") setError(field, { message });
        if (field === "password") setError("newPassword", { message });
      }
      // The address is taken: a conflict, or for a new account a refusal that names no field.
      if (status === 409 || (status === 422 && fields.size === 0))
        setError("email", { message: failureText(error) });
    }
  });
  const { errors } = formState;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(user ? "admin.users.editTitle" : "admin.users.createTitle")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId} loading={formState.isSubmitting}>
            {t(user ? "settings.save" : "admin.users.create")}
          </Button>
        </>
      }
    >
      <form id={formId} className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          type="email"
          label={t("auth.fields.email")}
          error={errors.email?.message}
          aria-required
          autoComplete="off"
          data-autofocus
          {...register("email")}
        />
        <TextInput
          label={t("settings.profile.fullName")}
          error={errors.fullName?.message}
          autoComplete="off"
          {...register("fullName")}
        />
        <PasswordInput
          label={t(user ? "auth.fields.newPassword" : "auth.fields.password")}
          description={t(user ? "admin.users.keepPassword" : "admin.users.firstPassword")}
          error={errors.newPassword?.message}
          aria-required={user === undefined}
          aria-invalid={errors.newPassword !== undefined}
          autoComplete="new-password"
          visibilityToggleFocusable
          visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
          {...register("newPassword")}
        />
        <PasswordInput
          label={t("auth.fields.confirmPassword")}
          error={errors.confirmPassword?.message}
          aria-required={user === undefined}
          aria-invalid={errors.confirmPassword !== undefined}
          autoComplete="new-password"
          visibilityToggleFocusable
          visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
          {...register("confirmPassword")}
        />
        <Check registered={register("isSuperuser", { disabled: self })} label={t("admin.users.superuser")}>
          {t(self ? "admin.users.ownRights" : "admin.users.superuserHint")}
        </Check>
        <Check registered={register("isActive", { disabled: self })} label={t("admin.users.active")}>
          {t("admin.users.activeHint")}
        </Check>
      </form>
    </Dialog>
  );
}

function Check({
  registered,
  label,
  children,
}: {
  registered: UseFormRegisterReturn;
  label: string;
  children: ReactNode;
}) {
  const hintId = useId();
  return (
    <label className={classes.check}>
      <input type="checkbox" aria-label={label} aria-describedby={hintId} {...registered} />
      <span>
        {label}
        <span className={classes.checkHint} id={hintId}>
          {children}
        </span>
      </span>
    </label>
  );
}
