import type { ReactNode } from "react";
import classes from "./Tabs.module.css";

/** The tabs of a screen: links with their own addresses. The current one has `aria-current`. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
