import type { FieldError, UseFormRegisterReturn } from "react-hook-form";
import { useTranslation } from "../i18n/useTranslation";
import { PasswordField } from "../ui/PasswordField";
import { TextField } from "../ui/TextField";
import classes from "./AuthField.module.css";
import type { Field, Problem } from "./rules";

interface Props {
  field: Field;
  registered: UseFormRegisterReturn;
  error: FieldError | undefined;
  autoComplete: string;
  type?: "text" | "email" | "password";
  /** Shares its row with another field on wide screens. */
  half?: boolean;
  /** `sm` in the settings, to match the fields beside it; `md` on the public screens. */
  size?: "sm" | "md";
}

/** A labelled form field that lists all its errors below the control. */
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
    ...registered,
  } as const;
  if (type === "password") {
    return <PasswordField {...shared} />;
  }
  return <TextField {...shared} type={type} inputMode={type === "email" ? "email" : undefined} />;
}
