import type { NewKind } from "./rows";

/** An item of a pasted outline. */
export interface PlannedItem {
  kind: NewKind;
  title: string;
  children: PlannedItem[];
}

const CHILD: Partial<Record<NewKind, NewKind>> = { module: "lesson", lesson: "page" };
const BULLET = /^(?:[-*•▪◦–—]|\p{L}[.)])\s+/u;
const NUMBER = /^(\d{1,3}(?:\.\d{1,3})*)(?:[.)]\s*|\s+)(?=\S)/;
const NESTED_NUMBER = /^\d{1,3}\.\d/;
const HEADING = /^(#{1,6})\s+/;
const TAB_WIDTH = 4;

interface Line {
  title: string;
  /** Greater for a deeper level; only the order of the values counts. */
  depth: number;
}

/**
 * Reads pasted text of at least two lines as an outline: each line is an item, and deeper lines are inside the one above. The depth comes
 * from indents, from the signs of Markdown headings, or from numbers such as `1.2`. Items on the first level are of `kind`; lines deeper
 * than a page are pages. Null for a single line.
 */
export function readOutline(pasted: string, kind: NewKind): PlannedItem[] | null {
  const lines = linesOf(pasted);
  if (lines.length < 2) return null;
  const roots: PlannedItem[] = [];
  const open: { depth: number; item: PlannedItem }[] = [];
  for (const { title, depth } of lines) {
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= depth) open.pop();
    // A page holds no items.
    while (open.length > 0 && !CHILD[open.at(-1)?.item.kind ?? "page"]) open.pop();
    const parent = open.at(-1)?.item;
    const item: PlannedItem = { kind: (parent && CHILD[parent.kind]) ?? kind, title, children: [] };
    (parent?.children ?? roots).push(item);
    open.push({ depth, item });
  }
  return roots;
}

function linesOf(pasted: string): Line[] {
  const lines = pasted
    .replaceAll("\0", "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .map((line) => ({ title: line.trim(), depth: indentOf(line) }));
  const all = (sign: RegExp) => lines.every(({ title }) => sign.test(title));
  if (all(HEADING))
    return lines.map(({ title }) => ({
      title: title.replace(HEADING, ""),
      depth: HEADING.exec(title)?.[1]?.length ?? 0,
    }));
  const isFlat = lines.every(({ depth }) => depth === lines[0]?.depth);
  // Numbers without a dot, such as years, are part of a title, unless numbers of several parts show that they count.
  const isNumbered = all(NUMBER) && (lines.some(({ title }) => NESTED_NUMBER.test(title)) || all(/^\d+[.)]/));
  if (isNumbered)
    return lines.map(({ title, depth }) => ({
      title: title.replace(NUMBER, ""),
      depth: isFlat ? (NUMBER.exec(title)?.[1]?.split(".").length ?? 1) : depth,
    }));
  const sign = lines.every(({ title }) => BULLET.test(title) || /^\d{1,3}[.)]\s/.test(title));
  if (!sign) return lines;
  return lines.map(({ title, depth }) => ({
    title: title.replace(BULLET, "").replace(/^\d{1,3}[.)]\s+/, ""),
    depth,
  }));
}

function indentOf(line: string): number {
  let width = 0;
  for (const sign of line) {
    if (sign === "\t") width += TAB_WIDTH;
    else if (/\s/.test(sign)) width += 1;
    else break;
  }
  return width;
}

/** The items and everything inside them. */
export function allOf(items: readonly PlannedItem[]): PlannedItem[] {
  return items.flatMap((item) => [item, ...allOf(item.children)]);
}
