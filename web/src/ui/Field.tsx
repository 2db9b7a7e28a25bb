import { type ReactNode, useId } from "react";
import classes from "./Field.module.css";

/** The props of every labelled control besides its element's attributes. */
export interface FieldProps {
  /** The visible label; without one the control needs `aria-label`. */
  label?: ReactNode;
  /** A hint between the label and the control. */
  description?: ReactNode;
  descriptionBelow?: boolean;
  /** The error message; marks the control as invalid. */
  error?: ReactNode;
  /** `md` on the public screens, `sm` everywhere else. */
  size?: "sm" | "md";
  /** The class of the whole field, not of its control. */
  className?: string | undefined;
  /** The id of the control. */
  inputClassName?: string | undefined;
  id?: string | undefined;
  "aria-describedby"?: string | undefined;
}

/** The attributes that connect a control to its label, description and error. */
interface ControlAttributes {
  id: string;
  className: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface Props extends FieldProps {
  /** Content before the text, inside the border. */
  startIcon?: ReactNode;
  /** Content after the text, inside the border. */
  end?: ReactNode;
  children: (attributes: ControlAttributes) => ReactNode;
}

/** The label, description, control and error of a form field: the base of TextField, TextArea, Select and PasswordField. */
export function Field({
  label,
  description,
  descriptionBelow = false,
  error,
  size = "sm",
  className = "",
  inputClassName = "",
  id: givenId,
  "aria-describedby": describedBy,
  startIcon,
  end,
  children,
}: Props) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const hasError = Boolean(error);
  const explanation = description && (
    <p id={`${id}-description`} className={classes.description} data-below={descriptionBelow || undefined}>
      {description}
    </p>
  );
  const described = [describedBy, hasError && `${id}-error`, description && `${id}-description`];
  return (
    <div className={`${classes.field} ${className}`.trim()} data-size={size}>
      {label && (
        <label className={classes.label} htmlFor={id}>
          {label}
        </label>
      )}
      {!descriptionBelow && explanation}
      <div
        className={classes.box}
        data-start={startIcon ? true : undefined}
        data-end={end ? true : undefined}
      >
        {startIcon && <span className={classes.start}>{startIcon}</span>}
        {children({
          id,
          className: `${classes.input} ${inputClassName}`.trim(),
          "aria-describedby": described.filter(Boolean).join(" ") || undefined,
          "aria-invalid": hasError || undefined,
        })}
        {end && <span className={classes.end}>{end}</span>}
      </div>
      {hasError && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
      {descriptionBelow && explanation}
    </div>
  );
}
