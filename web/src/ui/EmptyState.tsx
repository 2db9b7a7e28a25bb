import type { ReactNode } from "react";
import classes from "./EmptyState.module.css";

interface Props {
  /** What is not here yet: «Вы пока не ведёте курсы». */
  title: string;
  /** What to do about it. */
  children?: ReactNode;
  /** The button that does it. */
  action?: ReactNode;
  /** A line icon of ui/icons. */
  icon?: ReactNode;
  /** A heading where the place has none of its own. */
  heading?: "h2" | "h3" | "p";
}

/** Stands where a list would be. */
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
