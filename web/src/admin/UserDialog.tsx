import { useMutation } from "@apollo/client/react";
import { FormDialog } from "../forms/FormDialog";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { PasswordField } from "../ui/PasswordField";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
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
  const [create] = useMutation(CreateUserDocument);
  const [update] = useMutation(UpdateUserDocument);
  const form = useGuardedForm({
    name: "user",
    mode: "onTouched",
    subject: user?.id,
    secrets: ["newPassword", "confirmPassword"],
    defaultValues: {
      email: user?.email ?? "",
      fullName: user?.fullName ?? "",
      newPassword: "",
      confirmPassword: "",
      isActive: user?.isActive ?? true,
      isSuperuser: user?.isSuperuser ?? false,
    },
    resolver: userResolver(user === undefined, (problem) =>
      t(problem === "nameTooLong" ? "forms.nameTooLong" : `auth.errors.${problem}`),
    ),
    save: async ({ email, fullName, newPassword: password, isActive, isSuperuser }: UserForm) => {
      const shared = {
        email: email.trim(),
        fullName: fullName.trim() || null,
        // Disabled fields are missing from the values.
        ...(!self && { isActive, isSuperuser }),
      };
      if (user) {
        const input = { userId: user.id, ...shared, ...(password && { password }) };
        await update({ variables: { input } });
      } else {
        await create({ variables: { input: { ...shared, password } } });
      }
    },
    serverFields: { password: "newPassword" },
    // The email is taken: the server returns a conflict or, for a new account, an error without a field.
    refusalAt: "email",
    onSaved: (_, { email }) => {
      toastSuccess(t(user ? "admin.users.saved" : "admin.users.created", { email: email.trim() }));
      if (!user) onMade();
    },
    close: onClose,
    isOnce: user === undefined,
  });
  return (
    <FormDialog
      title={t(user ? "admin.users.editTitle" : "admin.users.createTitle")}
      form={form}
      submit={t(user ? "settings.save" : "admin.users.create")}
      className={classes.form}
      onClose={onClose}
    >
      <TextField
        type="email"
        label={t("auth.fields.email")}
        aria-required
        autoComplete="off"
        data-autofocus
        {...form.field("email")}
      />
      <TextField label={t("settings.profile.fullName")} autoComplete="off" {...form.field("fullName")} />
      <PasswordField
        label={t(user ? "auth.fields.newPassword" : "auth.fields.password")}
        description={t(user ? "admin.users.keepPassword" : "admin.users.firstPassword")}
        aria-required={user === undefined}
        autoComplete="new-password"
        {...form.field("newPassword")}
      />
      <PasswordField
        label={t("auth.fields.confirmPassword")}
        aria-required={user === undefined}
        autoComplete="new-password"
        {...form.field("confirmPassword")}
      />
      <Checkbox
        label={t("admin.users.superuser")}
        hint={t(self ? "admin.users.ownRights" : "admin.users.superuserHint")}
        {...form.register("isSuperuser", { disabled: self })}
      />
      <Checkbox
        label={t("admin.users.active")}
        hint={t("admin.users.activeHint")}
        {...form.register("isActive", { disabled: self })}
      />
    </FormDialog>
  );
}
