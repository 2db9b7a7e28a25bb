import { keysWith } from "../ui/localJson";

/** The keys of attempts in progress on this device. They are apart from the attempts, because the form for signing in needs them alone. */
export const DRAFT_PREFIX = "quiz-draft:";

export function keyOf(userId: string, pageId: string): string {
  return `${DRAFT_PREFIX}${userId}:${pageId}`;
}

/** Whether this device has answers of anyone to the quiz of a page. */
export function hasDraft(pageId: string): boolean {
  return keysWith(DRAFT_PREFIX).some((key) => key.endsWith(`:${pageId}`));
}
