import type { MarkShownFragment, RubricShownFragment } from "./Rubric.generated";

/** The criteria of a question, as they are shown. */
export type Rubric = RubricShownFragment;
/** What an answer got for one criterion. */
export type MarkResult = MarkShownFragment;

/** Adds points, which have at most four decimal places, without rounding errors. */
export function sumOf(points: readonly number[]): number {
  return points.reduce((total, one) => total + Math.round(one * 10_000), 0) / 10_000;
}
