import type { ReactNode } from "react";
import classes from "./EmptyState.module.css";

interface Props {
  /** What is missing: «Вы пока не ведёте курсы». */
  title: string;
  /** What to do about it. */
  children?: ReactNode;
  /** The button for it. */
  action?: ReactNode;
  /** An icon from ui/icons. */
  icon?: ReactNode;
  /** The heading level, for regions without a heading of their own. */
  heading?: "h1" | "h2" | "h3" | "p";
}

/** Replaces an empty list. */
export function EmptyState({ title, children, action, icon, heading: Heading = "p" }: Props) {
  return (
    <div className={classes.empty}>
      {icon && <div className={classes.icon}>{icon}</div>}
      <Heading className={classes.title}>{title}</Heading>
      {children && <div className={classes.text}>{children}</div>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
