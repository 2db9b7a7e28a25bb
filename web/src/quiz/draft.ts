import { forgetJson, forgetOldest, isObject, keepJson, readJson } from "../ui/localJson";
import type { AnswerInput } from "./answers";
import type { Prints } from "./changes";
import { DRAFT_PREFIX, keyOf } from "./draftKeys";
import type { Answers } from "./model";
import type { GivenAnswers } from "./timed/queue";

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
  /** Only of an attempt with a time limit. */
  timed?: TimedDraft;
}

/** The part of an attempt with a time limit that is not on the server. */
interface TimedDraft {
  /** The ticket of the attempt. */
  ticket: string;
  unsent: GivenAnswers;
  /** The seconds since the start of the attempt at which the last answer was given. */
  lastAt: number;
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
  const { version, prints, answers, pending, timed } = value as Partial<Draft>;
  return (
    typeof version === "number" &&
    isObject(prints) &&
    isObject(answers) &&
    Object.values(answers).every(isObject) &&
    (pending === null || (isObject(pending) && typeof pending.submissionId === "string")) &&
    (timed === undefined || isTimedDraft(timed))
  );
}

function isTimedDraft(value: unknown): value is TimedDraft {
  if (!isObject(value)) return false;
  const { ticket, unsent, lastAt } = value as Partial<TimedDraft>;
  return (
    typeof ticket === "string" &&
    typeof lastAt === "number" &&
    isObject(unsent) &&
    Object.values(unsent).every((one) => isObject(one) && typeof one.at === "number" && isObject(one.answer))
  );
}
