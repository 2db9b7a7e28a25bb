import { forgetJson, forgetOldest, isObject, keepJson, readJson } from "../ui/localJson";
import { isEmptyPost, type Place } from "./discussion";

/** Questions and answers that were written and not sent. They are kept on this device, so that neither a closed tab nor a crash loses them. */
const PREFIX = "post-draft:";
/** Limit on kept drafts; the oldest are deleted. */
const KEPT = 50;

export interface PostDraft {
  /** A document. */
  body: unknown;
  /** Of a question: what it is about. */
  place?: Place | null | undefined;
  toTeachers?: boolean | undefined;
  isAnonymous?: boolean | undefined;
  /** Whether it was sent without an answer, so that it may have arrived. */
  isUncertain?: boolean | undefined;
  /** Of a changed post: when its text was last changed before, null for never. */
  base?: string | null | undefined;
}

/** A question under a page, an answer, or a changed post. */
export type DraftKey = `new:${string}` | `answer:${string}` | `edit:${string}`;

/** The key in the storage of the device, which its events name. */
export const keyOf = (userId: string, key: DraftKey) => `${PREFIX}${userId}:${key}`;

/** Keeps a draft; one without anything in it is forgotten. Returns false when the storage is full or forbidden. */
export function keepDraft(userId: string, key: DraftKey, draft: PostDraft): boolean {
  if (isEmptyPost(draft.body)) {
    dropDraft(userId, key);
    return true;
  }
  const isKept = keepJson(keyOf(userId, key), { ...draft, savedAt: Date.now() });
  forgetOldest(PREFIX, KEPT, "savedAt");
  return isKept;
}

export function dropDraft(userId: string, key: DraftKey): void {
  forgetJson(keyOf(userId, key));
}

/** Reads a draft; null without one, and for one that cannot be read. */
export const readDraft = (userId: string, key: DraftKey): PostDraft | null =>
  draftOf(readJson(keyOf(userId, key)));

/** The draft in what an event of the storage tells. */
export function draftIn(value: string | null): PostDraft | null {
  try {
    return draftOf(JSON.parse(value ?? "null"));
  } catch {
    return null;
  }
}

function draftOf(stored: unknown): PostDraft | null {
  if (!isObject(stored) || !isObject(stored.body) || isEmptyPost(stored.body)) return null;
  const { body, place, toTeachers, isAnonymous, isUncertain, base } = stored;
  return {
    body,
    place: placeOf(place),
    toTeachers: toTeachers === true,
    isAnonymous: isAnonymous === true,
    ...(isUncertain === true && { isUncertain }),
    ...((base === null || typeof base === "string") && { base }),
  };
}

function placeOf(value: unknown): Place | null {
  if (!isObject(value)) return null;
  const { block, quote, version } = value;
  if (typeof block !== "number" || typeof quote !== "string") return null;
  return { block, quote, ...(typeof version === "number" && { version }) };
}
