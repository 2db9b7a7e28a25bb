import type { ComponentProps } from "react";
import classes from "./IconButton.module.css";

interface Props extends ComponentProps<"button"> {
  /** The accessible name; the icon has none. */
  "aria-label": string;
}

/** A button that shows only an icon. A class of the caller wins over the style of the button. */
export function IconButton({ className, ...button }: Props) {
  return (
    <button
      type="button"
      className={className ? `${classes.button} ${className}` : classes.button}
      {...button}
    />
  );
}
