import type { ReactNode } from "react";
import classes from "./Screen.module.css";

interface Props {
  title: string;
  /** The path to the screen, above its title. */
  trail?: ReactNode;
  /** The purpose of the screen in one or two lines. */
  lead?: string;
  /** Actions beside the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** The frame of a screen with lists or settings: its only `h1`, and the content below. */
export function Screen({ title, trail, lead, action, children }: Props) {
  return (
    <div className={classes.screen}>
      <title>{`${title} — Kurso`}</title>
      <header className={classes.header}>
        <div className={classes.words}>
          {trail}
          <h1 className={classes.title}>{title}</h1>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  );
}
