import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from "react";
import classes from "./Button.module.css";

interface Appearance {
  /** `filled` for the main action of a region, `default` for other actions, `subtle` for minor ones. */
  variant?: "filled" | "default" | "subtle" | undefined;
  /** `md` for a single button and for the public forms, `compact` inside a line of text. */
  size?: "sm" | "md" | "compact" | undefined;
  fullWidth?: boolean | undefined;
  /** An icon before the label. */
  icon?: ReactNode;
}

interface ButtonProps extends Appearance, ButtonHTMLAttributes<HTMLButtonElement> {
  /** Disables the button and covers the label with a spinner. */
  loading?: boolean | undefined;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant,
  size,
  fullWidth,
  icon,
  loading = false,
  disabled = false,
  type = "button",
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      {...appearance({ variant, size, fullWidth }, className)}
      type={type}
      disabled={disabled || loading}
      data-loading={loading || undefined}
    >
      {loading && <span className={classes.spinner} aria-hidden="true" />}
      <Label icon={icon}>{children}</Label>
    </button>
  );
}

interface LinkProps extends Appearance, AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>;
}

/** A router link with the look of a button. */
export const ButtonLink = createLink(
  ({ variant, size, fullWidth, icon, className, children, ...rest }: LinkProps) => (
    <a {...rest} {...appearance({ variant, size, fullWidth }, className)}>
      <Label icon={icon}>{children}</Label>
    </a>
  ),
);

function appearance({ variant = "filled", size = "sm", fullWidth }: Appearance, className = "") {
  return {
    className: `${classes.button} ${className}`.trim(),
    "data-variant": variant,
    "data-size": size,
    "data-full-width": fullWidth || undefined,
  };
}

function Label({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className={classes.inside}>
      {icon && <span className={classes.icon}>{icon}</span>}
      <span className={classes.label}>{children}</span>
    </span>
  );
}
