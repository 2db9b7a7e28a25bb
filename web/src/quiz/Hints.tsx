import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Document } from "../content/Document";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import classes from "./Hints.module.css";
import { hintName } from "./hintName";

/** The hints of a question. Each press of the button opens one more, which takes the focus, so that screen readers say it. */
export function Hints({ hints }: { hints: readonly unknown[] }) {
  const { t } = useTranslation();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(0);
  if (hints.length === 0) return null;
  const nameOf = (index: number) => hintName(t, index, hints.length);
  const open = () => {
    flushSync(() => setShown(shown + 1));
    root.current?.querySelectorAll<HTMLElement>("[role=note]")[shown]?.focus();
  };
  return (
    <div ref={root} className={classes.hints}>
      {hints.slice(0, shown).map((hint, index) => {
        const at = `${id}-${index}`;
        return (
          <div
            key={at}
            role="note"
            tabIndex={-1}
            className={classes.hint}
            aria-labelledby={`${at}-name`}
            aria-describedby={`${at}-text`}
          >
            <p id={`${at}-name`} className={classes.name}>
              {nameOf(index)}
            </p>
            <div id={`${at}-text`}>
              <Document content={hint} />
            </div>
          </div>
        );
      })}
      {shown < hints.length && (
        <Button variant="subtle" size="compact" className={classes.open} onClick={open}>
          {nameOf(shown)}
        </Button>
      )}
    </div>
  );
}
