import type {
  Outline_LessonFragment,
  Outline_ModuleFragment,
  Outline_PageFragment,
} from "./EditCourse.generated";

export type Kind = "module" | "lesson" | "page";
export type Module = Outline_ModuleFragment;
export type Lesson = Outline_LessonFragment;
export type Page = Outline_PageFragment;

/** The outline of a course. Immutable: a change keeps the objects of unchanged parts. */
export interface Tree {
  id: string;
  modules: readonly Module[];
}

/** A position among the children of `parentId`: before one of them, or at the end when `before` is null. */
export interface Position {
  parentId: string;
  before: string | null;
}

export type TreeEntry = {
  parentId: string;
  /** Among its siblings, from 0. */
  index: number;
  siblings: readonly { id: string }[];
} & ({ kind: "module"; item: Module } | { kind: "lesson"; item: Lesson } | { kind: "page"; item: Page });

const indexes = new WeakMap<readonly Module[], Map<string, TreeEntry>>();

/** All items of the tree by id, in document order. */
export function indexOf(tree: Tree): ReadonlyMap<string, TreeEntry> {
  const known = indexes.get(tree.modules);
  if (known) return known;
  const all = new Map<string, TreeEntry>();
  tree.modules.forEach((module, index) => {
    all.set(module.id, { kind: "module", item: module, parentId: tree.id, index, siblings: tree.modules });
    module.lessons.forEach((lesson, index) => {
      const siblings = module.lessons;
      all.set(lesson.id, { kind: "lesson", item: lesson, parentId: module.id, index, siblings });
      lesson.pages.forEach((page, index) => {
        all.set(page.id, {
          kind: "page",
          item: page,
          parentId: lesson.id,
          index,
          siblings: lesson.pages,
        });
      });
    });
  });
  indexes.set(tree.modules, all);
  return all;
}

/** The ids that are in the tree, in document order. */
export function inOrder(tree: Tree, ids: ReadonlySet<string>): string[] {
  return [...indexOf(tree).keys()].filter((id) => ids.has(id));
}

/** The possible parents of items of this kind: the course, its modules or its lessons, in document order. */
export function parentsOf(tree: Tree, kind: Kind): readonly { id: string; title?: string }[] {
  if (kind === "module") return [tree];
  return kind === "lesson" ? tree.modules : tree.modules.flatMap((module) => module.lessons);
}

function childrenOf(tree: Tree, parentId: string): readonly { id: string }[] {
  if (parentId === tree.id) return tree.modules;
  const found = indexOf(tree).get(parentId);
  if (found?.kind === "module") return found.item.lessons;
  return found?.kind === "lesson" ? found.item.pages : [];
}

/** The tree with some lists of children replaced; their items may come from anywhere in the tree. */
function withChildren(tree: Tree, lists: ReadonlyMap<string, readonly string[]>): Tree {
  const all = indexOf(tree);
  const listed = <T extends { id: string }>(parentId: string, now: readonly T[]): readonly T[] => {
    const ids = lists.get(parentId);
    if (!ids) return now;
    return ids.flatMap((id) => {
      const item = all.get(id)?.item;
      return item ? [item as unknown as T] : [];
    });
  };
  const modules = mapKept(listed(tree.id, tree.modules), (module) => {
    const lessons = mapKept(listed(module.id, module.lessons), (lesson) => {
      const pages = listed(lesson.id, lesson.pages);
      return pages === lesson.pages ? lesson : { ...lesson, pages: pages as Page[] };
    });
    return lessons === module.lessons ? module : { ...module, lessons: lessons as Lesson[] };
  });
  return modules === tree.modules ? tree : { ...tree, modules };
}

/** Like `map`, but returns the same list when no item changed. */
function mapKept<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  let changed = false;
  const next = list.map((item) => {
    const now = change(item);
    changed ||= now !== item;
    return now;
  });
  return changed ? next : list;
}

/** Moves items of one kind to one position, in the given order. */
export function moveTo(tree: Tree, ids: readonly string[], position: Position): Tree {
  const all = indexOf(tree);
  const moved = new Set(ids);
  const siblings = childrenOf(tree, position.parentId).map((child) => child.id);
  // When the item at `before` moves as well, the next one that stays takes its role.
  const from = position.before === null ? siblings.length : siblings.indexOf(position.before);
  const anchor = from < 0 ? undefined : siblings.slice(from).find((id) => !moved.has(id));
  const lists = new Map<string, string[]>();
  const list = (parentId: string) => {
    const known = lists.get(parentId) ?? childrenOf(tree, parentId).map((child) => child.id);
    lists.set(parentId, known);
    return known;
  };
  for (const id of ids) {
    const parentId = all.get(id)?.parentId;
    if (parentId === undefined) continue;
    lists.set(
      parentId,
      list(parentId).filter((one) => one !== id),
    );
  }
  const target = list(position.parentId);
  const at = anchor === undefined ? target.length : target.indexOf(anchor);
  target.splice(at, 0, ...ids.filter((id) => all.has(id)));
  const unchanged = [...lists].every(([parentId, now]) => sameIds(childrenOf(tree, parentId), now));
  return unchanged ? tree : withChildren(tree, lists);
}

function sameIds(items: readonly { id: string }[], ids: readonly string[]): boolean {
  return items.length === ids.length && items.every((item, index) => item.id === ids[index]);
}

/** The position one step up or down: past a sibling, or in the neighbouring parent. Null at the end of the tree. */
export function positionBeside(tree: Tree, ids: readonly string[], direction: -1 | 1): Position | null {
  const all = indexOf(tree);
  const edge = all.get((direction < 0 ? ids[0] : ids.at(-1)) ?? "");
  if (!edge) return null;
  const moved = new Set(ids);
  const staying = (items: readonly { id: string }[]) => items.find((item) => !moved.has(item.id));
  if (direction < 0) {
    const before = edge.siblings.slice(0, edge.index).findLast((item) => !moved.has(item.id));
    if (before) return { parentId: edge.parentId, before: before.id };
  } else {
    const rest = edge.siblings.slice(edge.index + 1);
    const passed = staying(rest);
    if (passed) {
      const next = staying(rest.slice(rest.indexOf(passed) + 1));
      return { parentId: edge.parentId, before: next?.id ?? null };
    }
  }
  return positionInNeighbour(tree, ids, direction);
}

/** The near end of the parent before or after the current one; null without such a parent. */
export function positionInNeighbour(tree: Tree, ids: readonly string[], direction: -1 | 1): Position | null {
  const edge = indexOf(tree).get((direction < 0 ? ids[0] : ids.at(-1)) ?? "");
  if (!edge) return null;
  const parents = parentsOf(tree, edge.kind);
  const parent = parents[parents.findIndex((one) => one.id === edge.parentId) + direction];
  if (!parent) return null;
  const first = childrenOf(tree, parent.id)[0];
  return { parentId: parent.id, before: direction < 0 ? null : (first?.id ?? null) };
}

/** A move of one item, as the server takes it: `index` counts the siblings without the item itself. */
export interface MoveStep {
  kind: Kind;
  id: string;
  /** The new parent; null when it stays the same. */
  parentId: string | null;
  index: number;
}

/** The sequence of single moves that brings these items from their positions in `before` to those in `after`. */
export function moveSteps(before: Tree, after: Tree, ids: readonly string[]): MoveStep[] {
  const then = indexOf(after);
  const parentNow = new Map<string, string>();
  for (const [id, found] of indexOf(before)) parentNow.set(id, found.parentId);
  const lists = new Map<string, string[]>();
  const list = (parentId: string) => {
    const known = lists.get(parentId) ?? childrenOf(before, parentId).map((child) => child.id);
    lists.set(parentId, known);
    return known;
  };
  const made: MoveStep[] = [];
  for (const id of inOrder(after, new Set(ids))) {
    const goal = then.get(id);
    const from = parentNow.get(id);
    if (!goal || from === undefined) continue;
    const previous = goal.siblings[goal.index - 1]?.id;
    const home = list(from);
    const at = home.indexOf(id);
    if (from === goal.parentId && home[at - 1] === previous) continue;
    home.splice(at, 1);
    const target = list(goal.parentId);
    const index = previous === undefined ? 0 : target.indexOf(previous) + 1;
    target.splice(index, 0, id);
    made.push({ kind: goal.kind, id, parentId: from === goal.parentId ? null : goal.parentId, index });
  }
  return made;
}

/** Moves these items back to their positions in `earlier`, and keeps other changes made since. */
export function restorePositions(tree: Tree, earlier: Tree, ids: readonly string[]): Tree {
  const then = indexOf(earlier);
  return inOrder(earlier, new Set(ids)).reduce((now, id) => {
    const was = then.get(id);
    if (!was || !indexOf(now).has(id)) return now;
    const siblings = childrenOf(now, was.parentId);
    if (was.parentId !== tree.id && !indexOf(now).has(was.parentId)) return now;
    const after = was.siblings
      .slice(was.index + 1)
      .find(({ id: next }) => !ids.includes(next) && siblings.some((sibling) => sibling.id === next));
    return moveTo(now, [id], { parentId: was.parentId, before: after?.id ?? null });
  }, tree);
}

/** The tree without these items and their descendants. */
export function withoutItems(tree: Tree, hidden: ReadonlySet<string>): Tree {
  if (hidden.size === 0) return tree;
  const kept = <T extends { id: string }>(items: readonly T[]): readonly T[] =>
    items.some((item) => hidden.has(item.id)) ? items.filter((item) => !hidden.has(item.id)) : items;
  const modules = mapKept(kept(tree.modules), (module) => {
    const lessons = mapKept(kept(module.lessons), (lesson) => {
      const pages = kept(lesson.pages);
      return pages === lesson.pages ? lesson : { ...lesson, pages: pages as Page[] };
    });
    return lessons === module.lessons ? module : { ...module, lessons: lessons as Lesson[] };
  });
  return modules === tree.modules ? tree : { ...tree, modules };
}

/** All pages in or below an item, in document order. */
export function pagesIn(found: TreeEntry): readonly Page[] {
  if (found.kind === "page") return [found.item];
  if (found.kind === "lesson") return found.item.pages;
  return found.item.lessons.flatMap((lesson) => lesson.pages);
}

export interface Counts {
  modules: number;
  lessons: number;
  pages: number;
  published: number;
}

export function countsOf(tree: Tree): Counts {
  const lessons = tree.modules.flatMap((module) => module.lessons);
  const pages = lessons.flatMap((lesson) => lesson.pages);
  return {
    modules: tree.modules.length,
    lessons: lessons.length,
    pages: pages.length,
    published: pages.filter((page) => page.published).length,
  };
}
