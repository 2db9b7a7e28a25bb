import { type ComponentProps, useId } from "react";
import classes from "./Checkbox.module.css";

interface Props extends Omit<ComponentProps<"input">, "type"> {
  label: string;
  hint?: string | undefined;
}

/** A labelled checkbox; accepts the attributes of `<input>`. The hint describes it and is not part of its name. */
export function Checkbox({ label, hint, ...input }: Props) {
  const hintId = useId();
  return (
    <label className={classes.label}>
      <input {...input} type="checkbox" aria-label={label} aria-describedby={hint && hintId} />
      <span>
        {label}
        {hint && (
          <span className={classes.hint} id={hintId}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
