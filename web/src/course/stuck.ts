import type { NextPageFragment } from "./NextPage.generated";

/**
 * Whether a remaining page cannot be completed now: it is locked, or its quiz is closed, waits for grading, or has no attempts left until a
 * teacher resets them.
 */
export function isStuck({ reason, timeline }: Pick<NextPageFragment, "reason" | "timeline">): boolean {
  const isQuiz = reason?.kind === "QUIZ_NOT_PASSED";
  return (
    timeline.state === "LOCKED" ||
    (isQuiz && (timeline.state === "CLOSED" || reason.isWaiting || reason.attemptsLeft === 0))
  );
}
