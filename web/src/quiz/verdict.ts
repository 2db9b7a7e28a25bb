import type { Attempt, Quiz, Result } from "./model";

export type Verdict = "right" | "partly" | "wrong" | "unanswered";

/** What an answer came to; null where the quiz never says it. */
export function verdictOf(result: Result, isAnswered: boolean): Verdict | null {
  if (result.correct === null || result.points === null) return null;
  if (result.correct) return "right";
  if (result.points > 0) return "partly";
  return isAnswered ? "wrong" : "unanswered";
}

/** Why right answers and explanations are not there, if they are not. */
export function hiddenBecause(
  quiz: Pick<Quiz, "reveal">,
  attempts: readonly Attempt[],
): "never" | "untilPassed" | null {
  if (quiz.reveal === "NEVER") return "never";
  return quiz.reveal === "AFTER_PASS" && !attempts.some(({ passed }) => passed) ? "untilPassed" : null;
}
