import type { ButtonHTMLAttributes, Ref } from "react";
import classes from "./DragHandle.module.css";
import { IconGrip } from "./icons";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What it moves: «Переместить урок «Переменные»». */
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** What a thing is dragged by. A button, so that the keyboard reaches it; takes the props of the drag library. */
export function DragHandle({ label, className = "", ...rest }: Props) {
  return (
    <button type="button" {...rest} aria-label={label} className={`${classes.handle} ${className}`}>
      <IconGrip size={18} />
    </button>
  );
}
