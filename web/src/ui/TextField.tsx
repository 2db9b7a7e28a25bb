import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { Field, type FieldProps } from "./Field";

interface Props extends FieldProps, Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldProps> {
  startIcon?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled one-line text input; accepts the attributes of `<input>`. */
export function TextField(props: Props) {
  const [field, input] = splitFieldProps(props);
  const { startIcon, ...attributes } = input;
  return (
    <Field {...field} startIcon={startIcon}>
      {(given) => <input {...attributes} {...given} />}
    </Field>
  );
}

/** Separates the props of `Field` from the attributes of the control. */
export function splitFieldProps<T extends FieldProps>({
  label,
  description,
  descriptionBelow,
  error,
  size,
  className,
  inputClassName,
  id,
  "aria-describedby": describedBy,
  ...rest
}: T): [FieldProps, Omit<T, keyof FieldProps>] {
  const field = { label, description, descriptionBelow, error, size, className, inputClassName, id };
  return [{ ...field, "aria-describedby": describedBy }, rest];
}
