import { type InputHTMLAttributes, type Ref, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Field, type FieldProps } from "./Field";
import classes from "./Field.module.css";
import { IconEyeOff } from "./IconEyeOff";
import { IconEye } from "./icons";
import { splitFieldProps } from "./TextField";

interface Props extends FieldProps, Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps | "type"> {
  ref?: Ref<HTMLInputElement>;
}

/** A password input with a button that shows the typed text. */
export function PasswordField(props: Props) {
  const { t } = useTranslation();
  const [field, attributes] = splitFieldProps(props);
  const [shown, setShown] = useState(false);
  const toggle = (
    <button
      type="button"
      className={classes.toggle}
      aria-label={t("auth.showPassword")}
      aria-pressed={shown}
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => setShown(!shown)}
    >
      {shown ? <IconEyeOff size={20} /> : <IconEye size={20} />}
    </button>
  );
  return (
    <Field {...field} end={toggle}>
      {(given) => <input {...attributes} {...given} type={shown ? "text" : "password"} />}
    </Field>
  );
}
