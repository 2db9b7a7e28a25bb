import type { ReactNode } from "react";
import classes from "./VisuallyHidden.module.css";

/** A text only for screen readers. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={classes.hidden}>{children}</span>;
}
