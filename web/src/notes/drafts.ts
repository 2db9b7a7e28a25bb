import { forgetJson, forgetOldest, isObject, keepJson, readJson } from "../ui/localJson";

/** Texts of notes that were typed and not stored. They are kept on this device, so that neither a closed tab nor a crash loses them. */
const PREFIX = "note-draft:";
/** Limit on kept drafts; the oldest are deleted. */
const KEPT = 50;

/** A new note about a page or about words of it, or a changed note. */
export type DraftKey = `new:${string}` | `edit:${string}`;

const keyOf = (userId: string, key: DraftKey) => `${PREFIX}${userId}:${key}`;

/** Keeps a typed text. Returns false when the storage is full or forbidden. */
export function keepDraft(userId: string, key: DraftKey, body: string): boolean {
  const isKept = keepJson(keyOf(userId, key), { body, savedAt: Date.now() });
  forgetOldest(PREFIX, KEPT, "savedAt");
  return isKept;
}

export function dropDraft(userId: string, key: DraftKey): void {
  forgetJson(keyOf(userId, key));
}

/** The typed text; null without one. */
export function readDraft(userId: string, key: DraftKey): string | null {
  const stored = readJson(keyOf(userId, key));
  return isObject(stored) && typeof stored.body === "string" ? stored.body : null;
}
