import type { Attempt } from "./model";
import type { SubmitQuizMutation } from "./QuizState.generated";

/** The attempt that a submission has taken, with its results; null if it took none. */
export function takenAttempt({ attempt, page }: SubmitQuizMutation["submitQuiz"]): Attempt | null {
  return page.attempts.find(({ id }) => id === attempt?.id) ?? null;
}
