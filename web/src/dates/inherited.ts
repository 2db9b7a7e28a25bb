import type { DatesAboveQuery } from "./DatesAbove.generated";
import type { Column, Part } from "./parts";

/** Returns the date that the parts above leave this one: what the server has resolved for the nearest of them; null without one. */
export function inherited(course: DatesAboveQuery["course"], part: Part, column: Column): string | null {
  const above = part.above.at(-1);
  const parts = [course, ...course.modules, ...course.modules.flatMap(({ lessons }) => lessons)];
  const timeline = parts.find(({ id }) => id === above?.id)?.timeline;
  if (!timeline) return null;
  return { opens: timeline.opensAt, due: timeline.dueAt, late: null, closes: timeline.closesAt }[column];
}
