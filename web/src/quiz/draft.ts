import type { AnswerInput } from "./answers";
import type { Prints } from "./changes";
import type { Answers } from "./model";

/** Answers being submitted, stored from before the call until its answer. */
export interface Pending {
  submissionId: string;
  version: number;
  answers: AnswerInput[];
}

/** An attempt in progress, stored on this device for one person and one page. */
export interface Draft {
  /** Version of the page that the answers belong to. */
  version: number;
  prints: Prints;
  answers: Answers;
  pending: Pending | null;
  savedAt: number;
}

const PREFIX = "quiz-draft:";
/** Limit on stored attempts; the least recently changed are deleted. */
const KEPT = 100;

function keyOf(userId: string, pageId: string): string {
  return `${PREFIX}${userId}:${pageId}`;
}

export function loadDraft(userId: string, pageId: string): Draft | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId, pageId)) ?? "null");
    return isDraft(stored) ? stored : null;
  } catch {
    return null;
  }
}

/** Returns false when the storage is full or forbidden. */
export function saveDraft(userId: string, pageId: string, draft: Draft): boolean {
  try {
    localStorage.setItem(keyOf(userId, pageId), JSON.stringify(draft));
    forgetOldest();
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(userId: string, pageId: string): void {
  try {
    localStorage.removeItem(keyOf(userId, pageId));
  } catch {
    // A forbidden storage holds nothing to delete.
  }
}

/** Whether this device has answers of anyone to the quiz of a page. */
export function hasDraft(pageId: string): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(PREFIX) && key.endsWith(`:${pageId}`));
  } catch {
    // A forbidden storage holds no answers.
    return false;
  }
}

function forgetOldest() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  if (keys.length <= KEPT) return;
  const ages = keys.map((key) => ({ key, savedAt: savedAt(key) })).sort((a, b) => a.savedAt - b.savedAt);
  for (const { key } of ages.slice(0, keys.length - KEPT)) localStorage.removeItem(key);
}

function savedAt(key: string): number {
  try {
    return Number((JSON.parse(localStorage.getItem(key) ?? "null") as Draft).savedAt) || 0;
  } catch {
    return 0;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null) return false;
  const { version, prints, answers, pending } = value as Partial<Draft>;
  return (
    typeof version === "number" &&
    isRecord(prints) &&
    isRecord(answers) &&
    Object.values(answers).every(isRecord) &&
    (pending === null || (isRecord(pending) && typeof pending.submissionId === "string"))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
