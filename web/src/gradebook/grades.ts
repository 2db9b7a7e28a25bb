import type { GradebookQuery, GradebookRowFragment, GradeDetailFragment } from "./Gradebook.generated";

export type Row = GradebookRowFragment;
export type Settings = GradebookQuery["gradebook"]["settings"];
export type Item = Settings["items"][number];
export type Detail = GradeDetailFragment;

/** A cell as the server writes it: absent fields are null, 0 or false. */
export interface Cell {
  source: "none" | "automatic" | "override" | "excused" | "missing" | "waiting";
  percent?: string;
  points?: string;
  automatic?: string;
  version?: number;
  dropped?: boolean;
}

/** A cell of the table: column 0 is the grade of the course, the items follow. */
export interface Place {
  row: number;
  column: number;
}

/** The cells of a row, one for each column but the first. */
export const cellsOf = (row: Row): readonly Cell[] => row.cells as Cell[];

/** The columns: the published items. */
export const columnsOf = ({ items }: Settings): readonly Item[] => items.filter(({ published }) => published);

/** The grade of the course as a cell: its points are percent. */
export function totalCell({ total }: Row): Cell {
  const { percent } = total;
  return {
    source: total.source.toLowerCase() as Cell["source"],
    ...(percent !== null && { percent, points: percent }),
    ...(total.automatic !== null && { automatic: total.automatic }),
    version: total.version,
  };
}

type Named = Pick<Item, "pageId" | "title" | "lessonTitle">;

function repeated(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name, at) => names.indexOf(name) !== at));
}

/** The names of pages by id, which tell them apart: the title, the lesson with titles that repeat, and a number if that repeats too. */
export function namesOf(items: readonly Named[]): ReadonlyMap<string, string> {
  const titleOf = ({ title, lessonTitle }: Named) => title ?? lessonTitle;
  const unclear = repeated(items.map(titleOf));
  const names = items.map((item) =>
    item.title !== null && unclear.has(item.title) ? `${item.lessonTitle}: ${item.title}` : titleOf(item),
  );
  const same = repeated(names);
  const numbers = new Map<string, number>();
  return new Map(
    items.map(({ pageId }, at) => {
      const name = names[at] ?? "";
      if (!same.has(name)) return [pageId, name];
      const number = (numbers.get(name) ?? 0) + 1;
      numbers.set(name, number);
      return [pageId, `${name} (${number})`];
    }),
  );
}

/** The cell of a column of a row. */
export function cellAt(row: Row, column: number): Cell {
  return column === 0 ? totalCell(row) : (cellsOf(row)[column - 1] ?? { source: "none" });
}

/** A decimal of the server as people write it in the language. */
export const shownDecimal = (decimal: string, language: string) =>
  language === "ru" ? decimal.replace(".", ",") : decimal;

/** A typed number as the server reads it; null for what is no number from 0 with at most two places. */
export function parsePoints(typed: string): string | null {
  const text = typed.trim().replace(",", ".");
  return /^\d{1,9}(\.\d{1,2})?$/.test(text) ? text : null;
}

/** The place after a key of the grid; null for a key that moves nothing. */
export function moved(
  { row, column }: Place,
  { key, isControl }: { key: string; isControl: boolean },
  { rows, columns }: { rows: number; columns: number },
): Place | null {
  const places: Record<string, Place> = {
    ArrowUp: { row: isControl ? 0 : row - 1, column },
    ArrowDown: { row: isControl ? rows - 1 : row + 1, column },
    ArrowLeft: { row, column: isControl ? 0 : column - 1 },
    ArrowRight: { row, column: isControl ? columns - 1 : column + 1 },
    Home: { row: isControl ? 0 : row, column: 0 },
    End: { row: isControl ? rows - 1 : row, column: columns - 1 },
    PageUp: { row: row - 10, column },
    PageDown: { row: row + 10, column },
  };
  const to = places[key];
  if (!to) return null;
  return {
    row: Math.min(Math.max(to.row, 0), rows - 1),
    column: Math.min(Math.max(to.column, 0), columns - 1),
  };
}
