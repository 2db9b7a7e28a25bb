import type { Version } from "./model";

/** Where a version of the work is: it waits for a grader, was returned for revision, or has its points. */
export type VersionState = "waiting" | "returned" | "passed" | "notPassed";

export function stateOf({
  isReturned,
  waitingAnswers,
  passed,
}: Pick<Version, "isReturned" | "waitingAnswers" | "passed">): VersionState {
  // A returned version stays undecided until the next one.
  if (isReturned) return "returned";
  if (waitingAnswers > 0) return "waiting";
  return passed ? "passed" : "notPassed";
}
