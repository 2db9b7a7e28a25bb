import { isItem, type Row } from "./rows";
import type { Kind } from "./tree";

/** The selected items. They are of one kind, so that they can move together. */
export interface Selection {
  kind: Kind;
  ids: ReadonlySet<string>;
  /** Id of the item where a range starts. */
  anchor: string;
}

export function toggled(selection: Selection | null, kind: Kind, id: string): Selection | null {
  if (selection?.kind !== kind) return { kind, ids: new Set([id]), anchor: id };
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return ids.size === 0 ? null : { kind, ids, anchor: id };
}

/** Selects the items of one kind from the anchor to a row. */
export function ranged(
  selection: Selection | null,
  rows: readonly Row[],
  from: string,
  to: string,
): Selection | null {
  const anchor = selection?.anchor ?? from;
  const ends = [anchor, to].map((id) => rows.findIndex((row) => row.key === id));
  const start = rows[ends[0] ?? -1];
  const [first = 0, last = 0] = ends.toSorted((a, b) => a - b);
  if (!isItem(start) || first < 0) return selection;
  const { kind } = start;
  const ids = rows
    .slice(first, last + 1)
    .flatMap((row) => (isItem(row) && row.kind === kind ? [row.id] : []));
  return { kind, ids: new Set(ids), anchor };
}

export function allOf(rows: readonly Row[], kind: Kind, anchor: string): Selection {
  const ids = rows.flatMap((row) => (isItem(row) && row.kind === kind ? [row.id] : []));
  return { kind, ids: new Set(ids), anchor };
}

/** The selection without items that no longer exist; the same object when all exist. */
export function existing(selection: Selection | null, has: (id: string) => boolean): Selection | null {
  if (!selection || [...selection.ids].every(has)) return selection;
  const ids = new Set([...selection.ids].filter(has));
  return ids.size === 0 ? null : { ...selection, ids };
}
