import { type ContentNode, childrenOf, sizeAttr } from "../../content/model";
import { align } from "./align";
import { keyOf } from "./diffBlocks";
import type { OneSided } from "./merged";

interface Means {
  mergeNodes: (before: ContentNode, after: ContentNode) => ContentNode | null;
  whole: (node: ContentNode, change: OneSided) => ContentNode[];
}

/**
 * Merges the rows of two tables. Columns are aligned before rows, so that an added or removed column is marked as a whole. Returns null for
 * tables that cannot be merged, because their joined cells differ or a cell became a heading.
 */
export function mergeTables(before: ContentNode, after: ContentNode, means: Means): ContentNode[] | null {
  const [a, b] = [childrenOf(before), childrenOf(after)];
  if (haveSameCells(a, b))
    return b.map((row, at) => mergeRow(a[at] ?? row, row, sameColumns(childrenOf(row).length), means));
  const columns = columnsOf(a, b);
  if (!columns) return null;
  const rows: ContentNode[] = [];
  for (const one of align(a, b)) {
    if (one.kind === "removed" || one.kind === "added") {
      rows.push(...means.whole(one.kind === "added" ? one.after : one.before, one.kind));
      continue;
    }
    if (!haveSameKinds(one.before, one.after, columns)) return null;
    rows.push(mergeRow(one.before, one.after, columns, means));
  }
  return rows;
}

/** Whether only the content of cells differs, so that joined cells do not matter. */
const haveSameCells = (a: readonly ContentNode[], b: readonly ContentNode[]): boolean =>
  a.length === b.length &&
  b.every((row, at) => {
    const [cells, others] = [childrenOf(a[at] ?? row), childrenOf(row)];
    return cells.length === others.length && others.every((cell, place) => isSameCell(cells[place], cell));
  }) &&
  // Rows that moved are found by the alignment.
  a.filter((row, at) => keyOf(row) === keyOf(b[at] ?? row)).length * 2 >= a.length - 1;

const isSameCell = (one: ContentNode | undefined, other: ContentNode): boolean =>
  one !== undefined && keyOf({ ...one, content: [] }) === keyOf({ ...other, content: [] });

const haveSameKinds = (before: ContentNode, after: ContentNode, columns: readonly Column[]): boolean =>
  columns.every((column) => {
    const [one, other] = [childrenOf(before)[column.before ?? -1], childrenOf(after)[column.after ?? -1]];
    return !one || !other || one.type === other.type;
  });

/** A column of the merged table: where the tables before and after have it. */
interface Column {
  before: number | null;
  after: number | null;
}

function columnsOf(a: readonly ContentNode[], b: readonly ContentNode[]): Column[] | null {
  const [widthA, widthB] = [widthOf(a), widthOf(b)];
  if (widthA === null || widthB === null) return null;
  if (widthA === widthB) return sameColumns(widthA);
  const isPlain = [...a, ...b].every((row) => childrenOf(row).every(isSingle));
  if (!isPlain) return null;
  let [before, after] = [0, 0];
  return align(asColumns(a, widthA), asColumns(b, widthB)).map(({ kind }) => ({
    before: kind === "added" ? null : before++,
    after: kind === "removed" ? null : after++,
  }));
}

const sameColumns = (width: number): Column[] =>
  Array.from({ length: width }, (_, at) => ({ before: at, after: at }));

/** The number of cells of each row; null if the rows differ. */
function widthOf(rows: readonly ContentNode[]): number | null {
  const widths = new Set(rows.map((row) => childrenOf(row).length));
  const [width] = widths;
  return widths.size === 1 && width !== undefined ? width : null;
}

const isSingle = (cell: ContentNode): boolean =>
  (sizeAttr(cell, "colspan") ?? 1) === 1 && (sizeAttr(cell, "rowspan") ?? 1) === 1;

const asColumns = (rows: readonly ContentNode[], width: number): ContentNode[] =>
  Array.from({ length: width }, (_, at) => ({
    type: "column",
    content: rows.flatMap((row) => childrenOf(row)[at] ?? []),
  }));

function mergeRow(
  before: ContentNode,
  after: ContentNode,
  columns: readonly Column[],
  means: Means,
): ContentNode {
  const [a, b] = [childrenOf(before), childrenOf(after)];
  const content = columns.flatMap((column): ContentNode[] => {
    const [one, other] = [a[column.before ?? -1], b[column.after ?? -1]];
    if (one && other) return mergeCell(one, other, means);
    if (one) return means.whole(one, "removed");
    return other ? means.whole(other, "added") : [];
  });
  return { type: "tableRow", ...(after.attrs && { attrs: after.attrs }), content };
}

function mergeCell(before: ContentNode, after: ContentNode, means: Means): ContentNode[] {
  const merged = means.mergeNodes(before, after);
  return merged ? [merged] : [...means.whole(before, "removed"), ...means.whole(after, "added")];
}
