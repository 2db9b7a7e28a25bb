import { type ComponentProps, useId } from "react";
import classes from "./Checkbox.module.css";

interface Props extends Omit<ComponentProps<"input">, "type"> {
  label: string;
  hint?: string | undefined;
  /** Why the choice was refused. */
  error?: string | undefined;
}

/** A labelled checkbox; accepts the attributes of `<input>`. The hint describes it and is not part of its name. */
export function Checkbox({ label, hint, error, ...input }: Props) {
  const hintId = useId();
  const errorId = useId();
  return (
    <label className={classes.label}>
      <input
        {...input}
        type="checkbox"
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={[hint && hintId, error && errorId].filter(Boolean).join(" ") || undefined}
      />
      <span>
        {label}
        {hint && (
          <span className={classes.hint} id={hintId}>
            {hint}
          </span>
        )}
        {error && (
          <span className={classes.error} id={errorId} role="alert">
            {error}
          </span>
        )}
      </span>
    </label>
  );
}
