import type { Result } from "../model";
import { verdictOf } from "../verdict";

/** The state of a question: `fixed` if its result is never shown. */
export type Step = "open" | "right" | "partly" | "wrong" | "waiting" | "fixed";

export function stepOf(result: Result | undefined): Step {
  if (!result) return "open";
  if (result.isWaiting) return "waiting";
  const verdict = verdictOf(result, true);
  return verdict === null || verdict === "unanswered" ? "fixed" : verdict;
}
