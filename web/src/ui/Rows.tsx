import type { ReactNode } from "react";
import classes from "./Rows.module.css";

/** A list of rows. */
export function Rows({ label, busy, children }: { label?: string; busy?: boolean; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label} aria-busy={busy || undefined}>
      {children}
    </ul>
  );
}

interface RowProps {
  name: ReactNode;
  /** Tags beside the name. */
  tags?: ReactNode;
  /** Details below the name, one element each. */
  facts?: ReactNode;
  /** Actions at the end of the row. */
  tools?: ReactNode;
}

export function Row({ name, tags, facts, tools }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>
          {name}
          {tags}
        </p>
        {facts && <p className={classes.dim}>{facts}</p>}
      </div>
      {tools && <div className={classes.tools}>{tools}</div>}
    </li>
  );
}

/** `warn` for tags that need attention, `quiet` for additional information. */
export function Tag({ warn, quiet, children }: { warn?: boolean; quiet?: boolean; children: ReactNode }) {
  return (
    <span className={classes.tag} data-kind={warn ? "warn" : quiet ? "quiet" : undefined}>
      {children}
    </span>
  );
}
