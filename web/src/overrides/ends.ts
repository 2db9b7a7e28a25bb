import type { Part } from "../dates/parts";
import { isTyped, partIdOf, type Values } from "./overrides";
import type { Times } from "./useTimes";

/** Ends before a new deadline. */
export type Ends = Pick<Times, "deadline" | "earlierEnds">;

/** Returns the ends that a new deadline moves. An end that was typed in the same form stays as it is typed. */
export function movable(times: Ends, courseId: string, part: Part, typed: Values, initial: Values): Ends {
  const isOwnTyped = isTyped("availableUntil", typed, initial);
  const earlierEnds = times.earlierEnds.filter((end) => !(isOwnTyped && partIdOf(end, courseId) === part.id));
  return { deadline: times.deadline, earlierEnds };
}

/** Whether some of these ends were not in the list that the user saw. */
export function hasUnseen(ends: Ends, seen: Ends | null, courseId: string): boolean {
  const ids = new Set(seen?.earlierEnds.map((end) => partIdOf(end, courseId)));
  return ends.earlierEnds.some((end) => !ids.has(partIdOf(end, courseId)));
}
