import { PasswordInput, TextInput } from "@mantine/core";
import type { FieldError, UseFormRegisterReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import classes from "./AuthField.module.css";
import type { Field, Problem } from "./rules";

interface Props {
  field: Field;
  registered: UseFormRegisterReturn;
  error: FieldError | undefined;
  autoComplete: string;
  type?: "text" | "email" | "password";
  /** Shares its row with another one where there is room. */
  half?: boolean;
  /** As the fields beside it in the settings; `md` where it stands alone. */
  size?: "sm" | "md";
}

/** A labelled field with everything that is wrong with it below. */
export function AuthField({
  field,
  registered,
  error,
  autoComplete,
  type = "text",
  half = false,
  size = "md",
}: Props) {
  const { t } = useTranslation();
  const found = Object.keys(error?.types ?? {}) as Problem[];
  const shared = {
    className: [classes.field, !half && classes.whole, size === "sm" && classes.small]
      .filter(Boolean)
      .join(" "),
    size,
    label: t(`auth.fields.${field}`),
    error:
      found.length > 0 &&
      found.map((problem) => (
        <span key={problem} className={classes.problem}>
          {t(`auth.errors.${problem}`)}
        </span>
      )),
    autoComplete,
    "aria-required": true,
    // Mantine says so for text fields only; a password is no less wrong.
    "aria-invalid": found.length > 0,
    ...registered,
  } as const;
  if (type === "password") {
    return (
      <PasswordInput
        {...shared}
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
      />
    );
  }
  return <TextInput {...shared} type={type} inputMode={type === "email" ? "email" : undefined} />;
}
