import { type ReactNode, useEffect, useRef } from "react";
import classes from "./forms.module.css";

/** In place of a form that is done or cannot be: what became of it and the way on. Takes the focus, which its form has lost. */
export function Said({
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
