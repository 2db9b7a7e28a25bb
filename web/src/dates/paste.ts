import { type Changes, COLUMNS, type Column, dateOf, fieldOf, type Part } from "./parts";
import type { Edit } from "./setDates";
import { isShownAs, parseTyped, sentOf } from "./typed";

/** A text for a cell. */
export interface Filled {
  part: Part;
  column: Column;
  text: string;
}

export interface Pasted {
  /** The readable dates. */
  filled: Filled[];
  /** Texts that are no dates. */
  unreadable: Filled[];
  /** Texts without a cell: below the last row, beyond the last column, or for a date that the part does not have. */
  left: number;
}

/**
 * Spreads a pasted text over the rows as spreadsheets do: a line per row, a tab per column, beginning with the column `from`.
 * Empty texts leave their cells alone.
 */
export function spread(text: string, rows: readonly Part[], from: Column, now: Date): Pasted {
  const pasted: Pasted = { filled: [], unreadable: [], left: 0 };
  const lines = text.split(/\r\n|\r|\n/);
  for (const [row, line] of lines.entries()) {
    for (const [at, cell] of line.split("\t").entries()) {
      const typed = cell.trim();
      if (typed === "") continue;
      const part = rows[row];
      const column = COLUMNS[COLUMNS.indexOf(from) + at];
      if (!part || !column || fieldOf(part, column) === null) pasted.left += 1;
      else if (parseTyped(typed, now) === null) pasted.unreadable.push({ part, column, text: typed });
      else pasted.filled.push({ part, column, text: typed });
    }
  }
  return pasted;
}

/** Returns one edit per part with all its pasted dates that are not there already. */
export function changesOf(filled: readonly Filled[], now: Date, zone: string): Edit[] {
  const changes = new Map<Part, Changes>();
  for (const { part, column, text } of filled) {
    const field = fieldOf(part, column);
    const local = parseTyped(text, now);
    if (field === null || !local || isShownAs(local, dateOf(part, column), zone)) continue;
    changes.set(part, { ...changes.get(part), [field]: sentOf(local, zone) });
  }
  return [...changes].map(([part, changed]) => ({ part, changes: changed, read: part.item }));
}
