import type { Kind, Lesson, Module, Page, Position, Tree } from "./tree";

/** What can be added; quizzes and assignments are pages. */
export type NewKind = "module" | "lesson" | "page" | "quiz" | "assignment";

export const isPageKind = (kind: NewKind | "add"): boolean =>
  kind === "page" || kind === "quiz" || kind === "assignment";

/** A new item. */
interface NewItem {
  kind: NewKind;
  position: Position;
  /** Identifies the item until the server has given it an id. */
  key: string;
  title: string;
}

/** A new item whose title is being typed; `title` is what the field starts with. */
export type Draft = NewItem;

/** A new item that is being sent to the server. */
export type Saving = NewItem;

interface Base {
  key: string;
  /** From 1, as `aria-level` counts. */
  level: number;
  parentId: string;
}
interface Item extends Base {
  id: string;
  /** Among its siblings, from 1. */
  number: number;
  siblings: number;
}
export interface ModuleRow extends Item {
  kind: "module";
  module: Module;
  expanded: boolean;
  pages: number;
}
interface LessonRow extends Item {
  kind: "lesson";
  lesson: Lesson;
  expanded: boolean;
}
interface PageRow extends Item {
  kind: "page";
  page: Page;
}
/** The last row of an expanded list, with buttons that add to it. */
export interface AddRow extends Base {
  kind: "add";
  adds: "lesson" | "page";
  title: string;
}
export interface DraftRow extends Base {
  kind: "draft";
  draft: Draft;
}
export interface SavingRow extends Base {
  kind: "saving";
  saving: Saving;
}
export type Row = ModuleRow | LessonRow | PageRow | AddRow | DraftRow | SavingRow;
export type ItemRow = ModuleRow | LessonRow | PageRow;

export function isItem(row: Row | undefined): row is ItemRow {
  return row?.kind === "module" || row?.kind === "lesson" || row?.kind === "page";
}

interface Shown {
  collapsed: ReadonlySet<string>;
  draft: Draft | null;
  saving: readonly Saving[];
  /** False for people who only read: rows that add items are left out. */
  editable: boolean;
}

/** The visible rows of the outline, top to bottom. */
export function rowsOf(tree: Tree, { collapsed, draft, saving, editable }: Shown): Row[] {
  const rows: Row[] = [];
  const additions = new Map<string, NewItem[]>();
  for (const one of draft ? [...saving, draft] : saving) {
    const list = additions.get(one.position.parentId);
    if (list) list.push(one);
    else additions.set(one.position.parentId, [one]);
  }
  const added = (parentId: string, before: string | null, level: number) => {
    for (const one of additions.get(parentId) ?? []) {
      if (one.position.before !== before) continue;
      if (one === draft) rows.push({ kind: "draft", key: "draft", level, parentId, draft: one });
      else rows.push({ kind: "saving", key: one.key, level, parentId, saving: one });
    }
  };
  tree.modules.forEach((module, index) => {
    added(tree.id, module.id, 1);
    const expanded = !collapsed.has(module.id);
    rows.push({
      kind: "module",
      key: module.id,
      id: module.id,
      level: 1,
      parentId: tree.id,
      number: index + 1,
      siblings: tree.modules.length,
      module,
      expanded,
      pages: module.lessons.reduce((sum, lesson) => sum + lesson.pages.length, 0),
    });
    if (!expanded) return;
    module.lessons.forEach((lesson, index) => {
      added(module.id, lesson.id, 2);
      const expanded = !collapsed.has(lesson.id);
      rows.push({
        kind: "lesson",
        key: lesson.id,
        id: lesson.id,
        level: 2,
        parentId: module.id,
        number: index + 1,
        siblings: module.lessons.length,
        lesson,
        expanded,
      });
      if (!expanded) return;
      lesson.pages.forEach((page, index) => {
        added(lesson.id, page.id, 3);
        rows.push({
          kind: "page",
          key: page.id,
          id: page.id,
          level: 3,
          parentId: lesson.id,
          number: index + 1,
          siblings: lesson.pages.length,
          page,
        });
      });
      added(lesson.id, null, 3);
      if (editable) {
        const key = `add ${lesson.id}`;
        rows.push({ kind: "add", key, level: 3, parentId: lesson.id, adds: "page", title: lesson.title });
      }
    });
    added(module.id, null, 2);
    if (editable) {
      const key = `add ${module.id}`;
      rows.push({ kind: "add", key, level: 2, parentId: module.id, adds: "lesson", title: module.title });
    }
  });
  added(tree.id, null, 1);
  return rows;
}

/** Index of the first row after a row and its descendants. */
function endOfBlock(rows: readonly Row[], at: number): number {
  const level = rows[at]?.level ?? 0;
  let end = at + 1;
  while (end < rows.length && (rows[end]?.level ?? 0) > level) end++;
  return end;
}

export interface Drop {
  position: Position;
  /** Index of the row above which the drop line is drawn; the number of rows below the last one. */
  line: number;
  level: number;
  /** Id of the collapsed row that receives the item. */
  into?: string;
}

const LEVELS: Record<Kind, number> = { module: 1, lesson: 2, page: 3 };

/** Where an item of this kind goes when it is dropped on the upper or lower half of a row; null when it cannot be dropped there. */
export function dropAt(rows: readonly Row[], at: number, upper: boolean, kind: Kind): Drop | null {
  const level = LEVELS[kind];
  const row = rows[at];
  if (!row) return null;
  if (row.level === level) return beside(rows, at, upper);
  // Over a descendant of a sibling: before or after the whole sibling, by the nearer half.
  if (row.level > level) {
    const owner = rows.findLastIndex((one, index) => index < at && one.level <= level && isItem(one));
    const whole = rows[owner];
    if (whole?.level !== level) return null;
    const end = endOfBlock(rows, owner);
    return beside(rows, owner, at - owner < (end - owner) / 2);
  }
  if (row.level !== level - 1 || !isItem(row) || row.kind === "page") return null;
  const first = rows[at + 1];
  const before = row.expanded && first?.level === level && isItem(first) ? first.id : null;
  const drop = { position: { parentId: row.id, before }, line: at + 1, level };
  return row.expanded ? drop : { ...drop, into: row.id };
}

function beside(rows: readonly Row[], at: number, upper: boolean): Drop | null {
  const row = rows[at];
  if (!row) return null;
  const { level, parentId } = row;
  // The end of a list, or an item that is not saved yet.
  if (!isItem(row)) return { position: { parentId, before: null }, line: at, level };
  if (upper) return { position: { parentId, before: row.id }, line: at, level };
  const end = endOfBlock(rows, at);
  const next = rows[end];
  const before = isItem(next) && next.level === level ? next.id : null;
  return { position: { parentId, before }, line: end, level };
}
