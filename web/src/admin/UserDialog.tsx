import { useMutation } from "@apollo/client/react";
import { useId } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { Dialog } from "../ui/Dialog";
import { PasswordField } from "../ui/PasswordField";
import { TextField } from "../ui/TextField";
import { failureText, toastFailure, toastSuccess } from "../ui/toasts";
import { type AdminUser_UserFragment, CreateUserDocument, UpdateUserDocument } from "./Admin.generated";
import classes from "./Admin.module.css";
import { type UserForm, userResolver } from "./userRules";

interface Props {
  /** The account to edit; without it the dialog creates one. */
  user: AdminUser_UserFragment | undefined;
  /** The superuser's own account, whose rights and access they cannot change. */
  self: boolean;
  onClose: () => void;
  /** Called after an account is created. */
  onMade: () => void;
}

/** The dialog that creates or edits an account. */
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
    mode: "onTouched",
    resolver: userResolver(user === undefined, (problem) =>
      problem === "nameTooLong" ? t("settings.profile.tooLong") : t(`auth.errors.${problem}`),
    ),
  });
  const submit = handleSubmit(async (form) => {
    const shared = {
      email: form.email.trim(),
      fullName: form.fullName.trim() || null,
      // Disabled fields are missing from the values.
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
      // The email is taken: the server returns a conflict or, for a new account, an error without a field.
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
        <TextField
          type="email"
          label={t("auth.fields.email")}
          error={errors.email?.message}
          aria-required
          autoComplete="off"
          data-autofocus
          {...register("email")}
        />
        <TextField
          label={t("settings.profile.fullName")}
          error={errors.fullName?.message}
          autoComplete="off"
          {...register("fullName")}
        />
        <PasswordField
          label={t(user ? "auth.fields.newPassword" : "auth.fields.password")}
          description={t(user ? "admin.users.keepPassword" : "admin.users.firstPassword")}
          error={errors.newPassword?.message}
          aria-required={user === undefined}
          autoComplete="new-password"
          {...register("newPassword")}
        />
        <PasswordField
          label={t("auth.fields.confirmPassword")}
          error={errors.confirmPassword?.message}
          aria-required={user === undefined}
          autoComplete="new-password"
          {...register("confirmPassword")}
        />
        <Checkbox
          label={t("admin.users.superuser")}
          hint={t(self ? "admin.users.ownRights" : "admin.users.superuserHint")}
          {...register("isSuperuser", { disabled: self })}
        />
        <Checkbox
          label={t("admin.users.active")}
          hint={t("admin.users.activeHint")}
          {...register("isActive", { disabled: self })}
        />
      </form>
    </Dialog>
  );
}
