import type { Ref, TextareaHTMLAttributes } from "react";
import { Field, type FieldProps } from "./Field";
import { splitFieldProps } from "./TextField";

interface Props extends FieldProps, Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof FieldProps> {
  ref?: Ref<HTMLTextAreaElement>;
}

/** A labelled multi-line text input; accepts the attributes of `<textarea>`. */
export function TextArea(props: Props) {
  const [field, attributes] = splitFieldProps(props);
  return <Field {...field}>{(given) => <textarea {...attributes} {...given} />}</Field>;
}
