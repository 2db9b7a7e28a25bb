import type { ButtonHTMLAttributes, Ref } from "react";
import classes from "./DragHandle.module.css";
import { IconGrip } from "./laterIcons";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name: «Переместить урок «Переменные»». */
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** The handle for dragging an item. A button, so that the keyboard can reach it; accepts the props of the drag library. */
export function DragHandle({ label, className = "", ...rest }: Props) {
  return (
    <button type="button" {...rest} aria-label={label} className={`${classes.handle} ${className}`}>
      <IconGrip size={18} />
    </button>
  );
}
