import type { ComponentProps, ReactNode } from "react";
import classes from "./OutlineRow.module.css";
import { isPageKind, type NewKind } from "./rows";

interface Props extends Omit<ComponentProps<"div">, "children"> {
  kind: NewKind | "add";
  "data-key": string;
  children: ReactNode;
}

/** A row of the tree grid with its one cell. A `tr` cannot be used: only visible rows are rendered, outside of the normal flow. */
export function RowFrame({ kind, children, ...rest }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: all rows but those with a text field have a tabIndex.
    <div role="row" className={classes.row} data-kind={isPageKind(kind) ? "page" : kind} {...rest}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row has the focus, not its one cell. */}
      <div role="gridcell" className={classes.cell}>
        {children}
      </div>
    </div>
  );
}
