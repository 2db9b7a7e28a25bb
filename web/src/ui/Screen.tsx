import type { ReactNode } from "react";
import classes from "./Screen.module.css";

interface Props {
  title: string;
  /** What the screen is for, in a line or two. */
  lead?: string;
  /** Stands beside the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A screen of lists or settings: its one heading and, below it, the rest. */
export function Screen({ title, lead, action, children }: Props) {
  return (
    <div className={classes.screen}>
      <title>{`${title} — Kurso`}</title>
      <header className={classes.header}>
        <div className={classes.words}>
          <h1 className={classes.title}>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}
