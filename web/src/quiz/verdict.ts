import type { Attempt, Quiz, Result } from "./model";

export type Verdict = "right" | "partly" | "wrong" | "unanswered";

/** Returns the verdict on an answer; null if the quiz never reveals it, or if a person grades the answer. */
export function verdictOf(result: Result, isAnswered: boolean): Verdict | null {
  if (result.isWaiting) return null;
  if (result.correct === null || result.points === null) return null;
  if (result.correct) return "right";
  if (result.points > 0) return "partly";
  return isAnswered ? "wrong" : "unanswered";
}

/** Explains why right answers and explanations are hidden; null when they are shown. */
export function hiddenBecause(
  quiz: Pick<Quiz, "reveal">,
  attempts: readonly Pick<Attempt, "passed">[],
): "never" | "untilPassed" | null {
  if (quiz.reveal === "NEVER") return "never";
  return quiz.reveal === "AFTER_PASS" && !attempts.some(({ passed }) => passed) ? "untilPassed" : null;
}
