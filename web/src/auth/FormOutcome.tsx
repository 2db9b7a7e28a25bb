import { type ReactNode, useEffect, useRef } from "react";
import classes from "./forms.module.css";

/** Replaces a finished or unusable form with its outcome and the next actions. Its heading takes the focus that the removed form had. */
export function FormOutcome({
  title,
  children,
  actions,
}: {
  title: string;
  children: ReactNode;
  actions: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={classes.form}>
      <title>{`${title} — Kurso`}</title>
      <h1 className={classes.title} ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
      <div className={classes.buttons}>{actions}</div>
    </div>
  );
}
