import { forgetJson, forgetOldest, isObject, keepJson, readJson } from "../ui/localJson";
import type { AnswerInput } from "./answers";
import type { Prints } from "./changes";
import { DRAFT_PREFIX, keyOf } from "./draftKeys";
import type { Answers } from "./model";

/** Answers being submitted, stored from before the call until its answer. */
export interface Pending {
  submissionId: string;
  version: number;
  /** The attempt whose questions were answered; missing in those of an earlier version of the app. */
  attemptNo?: number;
  answers: AnswerInput[];
}

/** An attempt in progress that was not started on the server, stored on this device for one person and one page. */
export interface Draft {
  /** Version of the page that the answers belong to. */
  version: number;
  prints: Prints;
  answers: Answers;
  pending: Pending | null;
  savedAt: number;
}

/** Limit on stored attempts; the least recently changed are deleted. */
const KEPT = 100;

export function loadDraft(userId: string, pageId: string): Draft | null {
  const stored = readJson(keyOf(userId, pageId));
  return isDraft(stored) ? stored : null;
}

/** Returns false when the storage is full or forbidden. */
export function saveDraft(userId: string, pageId: string, draft: Draft): boolean {
  const isSaved = keepJson(keyOf(userId, pageId), draft);
  forgetOldest(DRAFT_PREFIX, KEPT, "savedAt");
  return isSaved;
}

export function dropDraft(userId: string, pageId: string): void {
  forgetJson(keyOf(userId, pageId));
}

function isDraft(value: unknown): value is Draft {
  if (!isObject(value)) return false;
  const { version, prints, answers, pending } = value as Partial<Draft>;
  return (
    typeof version === "number" &&
    isObject(prints) &&
    isObject(answers) &&
    Object.values(answers).every(isObject) &&
    (pending === null || (isObject(pending) && typeof pending.submissionId === "string"))
  );
}
