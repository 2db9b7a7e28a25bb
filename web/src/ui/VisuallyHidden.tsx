import type { ReactNode } from "react";
import classes from "./VisuallyHidden.module.css";

interface Props {
  as?: "span" | "h1" | "h2" | "p" | "div";
  children: ReactNode;
}

/** A text only for screen readers. */
export function VisuallyHidden({ as: Element = "span", children }: Props) {
  return <Element className={classes.hidden}>{children}</Element>;
}
