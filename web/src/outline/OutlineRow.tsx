import { memo } from "react";
import type { OutlineActions } from "./actions";
import { ItemRow } from "./ItemRow";
import { AddRow, DraftRow, SavingRow } from "./NewItemRows";
import type { Row } from "./rows";

export interface RowProps<R extends Row> {
  row: R;
  /** The one row that Tab reaches. */
  active: boolean;
  selected: boolean;
  /** Whether any row is selected. */
  selecting: boolean;
  /** Whether its title is being edited. */
  editing: boolean;
  refusal: string | null;
  editable: boolean;
  /** The same object for the life of the outline. */
  actions: OutlineActions;
}

/** A row of the outline: an item, a new item, or buttons that add items. */
export const OutlineRow = memo(
  function OutlineRow({ row, ...rest }: RowProps<Row>) {
    switch (row.kind) {
      case "add":
        return <AddRow row={row} {...rest} />;
      case "saving":
        return <SavingRow row={row} />;
      case "draft":
        return <DraftRow row={row} {...rest} />;
      default:
        return <ItemRow row={row} {...rest} />;
    }
  },
  // Row objects are new after each change of the tree; their fields mostly stay the same.
  (before, after) =>
    sameRow(before.row, after.row) &&
    before.active === after.active &&
    before.selected === after.selected &&
    before.selecting === after.selecting &&
    before.editing === after.editing &&
    before.refusal === after.refusal &&
    before.editable === after.editable &&
    before.actions === after.actions,
);

function sameRow(one: Row, other: Row): boolean {
  const keys = Object.keys(one) as (keyof Row)[];
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
