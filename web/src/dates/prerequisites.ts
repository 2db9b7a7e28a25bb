import type { Part } from "./parts";

/** Returns the ids of what must be complete before a part; none for a course or a page. */
export const prerequisitesOf = ({ item }: Part): readonly string[] =>
  "prerequisites" in item ? item.prerequisites : [];

/** Returns whether a part may be needed by another one: a module or lesson that neither contains it nor lies inside it. */
export function canBeNeeded(one: Part, by: Part): boolean {
  const isPart = one.kind === "module" || one.kind === "lesson";
  const lies = (inner: Part, outer: Part) => inner.above.some(({ id }) => id === outer.id);
  return isPart && one.id !== by.id && !lies(one, by) && !lies(by, one);
}

/** Returns the chosen ids after choices that add some (true) and remove others (false). */
export function withChoices(ids: readonly string[], choices: ReadonlyMap<string, boolean>): Set<string> {
  const chosen = new Set(ids);
  for (const [id, isChosen] of choices) {
    if (isChosen) chosen.add(id);
    else chosen.delete(id);
  }
  return chosen;
}
