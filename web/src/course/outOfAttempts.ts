import type { Page } from "./remaining";

type Reason = NonNullable<Page["reason"]>;

/** Whether a remaining page cannot be completed: its quiz has no attempts left until a teacher resets them. */
export function isOutOfAttempts(reason: Pick<Reason, "kind" | "attemptsLeft"> | null): boolean {
  return reason?.kind === "QUIZ_NOT_PASSED" && reason.attemptsLeft === 0;
}
