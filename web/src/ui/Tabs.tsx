import type { ReactNode } from "react";
import classes from "./Tabs.module.css";

/** The parts of a screen, each a link with an address of its own; the link of the one shown has `aria-current`. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
