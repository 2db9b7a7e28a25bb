import { isItem, type Row } from "./rows";
import type { Kind } from "./tree";

/** What is chosen: of one kind at a time, for only then do they have one place to go to. */
export interface Selection {
  kind: Kind;
  ids: ReadonlySet<string>;
  /** Where a range begins. */
  anchor: string;
}

export function toggled(selection: Selection | null, kind: Kind, id: string): Selection | null {
  if (selection?.kind !== kind) return { kind, ids: new Set([id]), anchor: id };
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return ids.size === 0 ? null : { kind, ids, anchor: id };
}

/** From the anchor to a row, with everything of the same kind between them. */
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

/** Without what is no longer there; the same object when all of it is. */
export function stillThere(selection: Selection | null, has: (id: string) => boolean): Selection | null {
  if (!selection || [...selection.ids].every(has)) return selection;
  const ids = new Set([...selection.ids].filter(has));
  return ids.size === 0 ? null : { ...selection, ids };
}
