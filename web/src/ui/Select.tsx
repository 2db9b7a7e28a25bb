import type { Ref, SelectHTMLAttributes } from "react";
import { Field, type FieldProps } from "./Field";
import classes from "./Field.module.css";
import { IconUpDown } from "./icons";
import { splitFieldProps } from "./TextField";

interface Props
  extends FieldProps,
    Omit<SelectHTMLAttributes<HTMLSelectElement>, keyof FieldProps | "children"> {
  options: readonly { value: string; label: string }[];
  ref?: Ref<HTMLSelectElement>;
}

/** A labelled native select; accepts the attributes of `<select>`. */
export function Select(props: Props) {
  const [field, { options, ...attributes }] = splitFieldProps(props);
  const arrow = (
    <span className={classes.arrow}>
      <IconUpDown size={16} />
    </span>
  );
  return (
    <Field {...field} end={arrow}>
      {(given) => (
        <select {...attributes} {...given}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
