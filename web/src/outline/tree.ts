import type {
  Outline_LessonFragment,
  Outline_ModuleFragment,
  Outline_PageFragment,
} from "./EditCourse.generated";

export type Kind = "module" | "lesson" | "page";
export type Module = Outline_ModuleFragment;
export type Lesson = Outline_LessonFragment;
export type Page = Outline_PageFragment;

/** A course as far as its outline goes. Never changed in place: what stays as it was stays the same object. */
export interface Tree {
  id: string;
  modules: readonly Module[];
}

/** Where something goes: among the children of `parentId`, before one of them or, by null, at the end. */
export interface Place {
  parentId: string;
  before: string | null;
}

export type Found = {
  parentId: string;
  /** Among its siblings, from 0. */
  index: number;
  siblings: readonly { id: string }[];
} & ({ kind: "module"; item: Module } | { kind: "lesson"; item: Lesson } | { kind: "page"; item: Page });

const indexes = new WeakMap<readonly Module[], Map<string, Found>>();

/** Everything of the tree by its id, in document order. */
export function indexOf(tree: Tree): ReadonlyMap<string, Found> {
  const known = indexes.get(tree.modules);
  if (known) return known;
  const all = new Map<string, Found>();
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

/** Those of the ids that are in the tree, in document order. */
export function inOrder(tree: Tree, ids: ReadonlySet<string>): string[] {
  return [...indexOf(tree).keys()].filter((id) => ids.has(id));
}

/** What children of this kind can be in: the course, its modules or its lessons, in document order. */
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

/** The tree with other lists of children here and there; what they hold may come from anywhere in it. */
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

/** `map` that answers with the list itself when nothing in it changed. */
function mapKept<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  let changed = false;
  const next = list.map((item) => {
    const now = change(item);
    changed ||= now !== item;
    return now;
  });
  return changed ? next : list;
}

/** Moves items of one kind, in the order given, to one place. */
export function moveTo(tree: Tree, ids: readonly string[], place: Place): Tree {
  const all = indexOf(tree);
  const moved = new Set(ids);
  const siblings = childrenOf(tree, place.parentId).map((child) => child.id);
  // Before one that moves along means before the next that stays.
  const from = place.before === null ? siblings.length : siblings.indexOf(place.before);
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
  const target = list(place.parentId);
  const at = anchor === undefined ? target.length : target.indexOf(anchor);
  target.splice(at, 0, ...ids.filter((id) => all.has(id)));
  const unchanged = [...lists].every(([parentId, now]) => sameIds(childrenOf(tree, parentId), now));
  return unchanged ? tree : withChildren(tree, lists);
}

function sameIds(items: readonly { id: string }[], ids: readonly string[]): boolean {
  return items.length === ids.length && items.every((item, index) => item.id === ids[index]);
}

/** One step up or down for items of one kind: past a neighbour, or into the neighbouring parent. Null at the very end. */
export function placeBeside(tree: Tree, ids: readonly string[], direction: -1 | 1): Place | null {
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
  return placeInNeighbour(tree, ids, direction);
}

/** At the near end of the parent before or after the one they are in. Null when there is none. */
export function placeInNeighbour(tree: Tree, ids: readonly string[], direction: -1 | 1): Place | null {
  const edge = indexOf(tree).get((direction < 0 ? ids[0] : ids.at(-1)) ?? "");
  if (!edge) return null;
  const parents = parentsOf(tree, edge.kind);
  const parent = parents[parents.findIndex((one) => one.id === edge.parentId) + direction];
  if (!parent) return null;
  const first = childrenOf(tree, parent.id)[0];
  return { parentId: parent.id, before: direction < 0 ? null : (first?.id ?? null) };
}

/** A single move as the server is told of it: `index` counts without the item itself. */
export interface Step {
  kind: Kind;
  id: string;
  /** Null when the parent stays. */
  parentId: string | null;
  index: number;
}

/** The single moves, one after another, that make of `before` what `after` is as far as these ids go. */
export function steps(before: Tree, after: Tree, ids: readonly string[]): Step[] {
  const then = indexOf(after);
  const parentNow = new Map<string, string>();
  for (const [id, found] of indexOf(before)) parentNow.set(id, found.parentId);
  const lists = new Map<string, string[]>();
  const list = (parentId: string) => {
    const known = lists.get(parentId) ?? childrenOf(before, parentId).map((child) => child.id);
    lists.set(parentId, known);
    return known;
  };
  const made: Step[] = [];
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

/** The tree with these ids back where `earlier` had them, whatever else happened since. */
export function putBack(tree: Tree, earlier: Tree, ids: readonly string[]): Tree {
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

/** The tree without what waits to be deleted. */
export function without(tree: Tree, hidden: ReadonlySet<string>): Tree {
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

/** All pages in or below an item, in order. */
export function pagesIn(found: Found): readonly Page[] {
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
