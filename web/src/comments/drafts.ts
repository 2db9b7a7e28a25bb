import {
  forgetJson,
  forgetOldest,
  isObject,
  type JsonObject,
  keepJson,
  keysWith,
  readJson,
} from "../ui/localJson";
import type { Mentioned } from "./mentions";
import type { Place } from "./openComments";

/** Comments that were typed and not sent. They are kept on this device, so that neither a closed tab nor a crash loses them. */
const PREFIX = "comment-draft:";
/** Limit on kept drafts; the oldest are deleted. */
const KEPT = 50;

export interface CommentDraft {
  text: string;
  mentioned: readonly Mentioned[];
  /** Of a new thread: what it is about, and the blocks that it proposes. */
  place?: Place | null | undefined;
  suggestion?: readonly unknown[] | null | undefined;
}

/** A new thread of a page, an answer in a thread, or a changed comment. */
export type DraftKey = `new:${string}` | `answer:${string}` | `edit:${string}`;

const keyOf = (userId: string, key: DraftKey) => `${PREFIX}${userId}:${key}`;

/** Keeps a draft; one without anything in it is forgotten. */
export function keepDraft(userId: string, key: DraftKey, draft: CommentDraft): void {
  if (draft.text.trim() === "" && !draft.suggestion) {
    dropDraft(userId, key);
    return;
  }
  keepJson(keyOf(userId, key), { ...draft, savedAt: Date.now() });
  forgetOldest(PREFIX, KEPT, "savedAt");
}

export function dropDraft(userId: string, key: DraftKey): void {
  forgetJson(keyOf(userId, key));
}

/** Reads a draft; null without one, and for one that cannot be read. */
export function readDraft(userId: string, key: DraftKey): CommentDraft | null {
  const stored = readJson(keyOf(userId, key));
  if (!isObject(stored) || typeof stored.text !== "string") return null;
  const { text, mentioned, place, suggestion } = stored;
  return {
    text,
    mentioned: objects(mentioned).flatMap(({ id, name }) =>
      typeof id === "string" && typeof name === "string" ? [{ id, name }] : [],
    ),
    place: placeOf(place),
    suggestion: Array.isArray(suggestion) ? suggestion : null,
  };
}

export const hasDraft = (userId: string, key: DraftKey): boolean =>
  keysWith(PREFIX).includes(keyOf(userId, key));

function placeOf(value: unknown): Place | null {
  if (!isObject(value)) return null;
  const { block, quote } = value;
  return typeof block === "number" && typeof quote === "string" ? { block, quote } : null;
}

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
