import type { NoteColor } from "../api/schema.generated";
import { forgetJson, forgetOldest, isObject, keepJson, keysWith, readJson } from "../ui/localJson";
import { COLORS, type NewPlace } from "./note";

/** Notes that were written and not stored. They are kept on this device, so that neither a closed tab nor a crash loses them. */
const PREFIX = "note-draft:";
/** Limit on kept drafts; the oldest are deleted. */
const KEPT = 50;

/** What was stored when a changed note was opened. */
export interface NoteBase {
  version: number;
  body: string;
  color: NoteColor;
}

export interface NoteDraft {
  body: string;
  color: NoteColor;
  /** Of a new note: the words that it is about, in the version of the text that the place names. */
  place?: NewPlace | null | undefined;
  /** Of a changed note. */
  base?: NoteBase | undefined;
  /** Whether it was sent without an answer, so that it may have arrived. */
  isUncertain?: boolean | undefined;
}

/** A new note of a page, with an id of its own, or a changed note. */
export type DraftKey = `new:${string}:${string}` | `edit:${string}`;

const keyOf = (userId: string, key: DraftKey) => `${PREFIX}${userId}:${key}`;

/** Keeps a draft; a new note without a text is forgotten. Returns false when the storage is full or forbidden. */
export function keepDraft(userId: string, key: DraftKey, draft: NoteDraft): boolean {
  if (!draft.base && draft.body.trim() === "") {
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
export const readDraft = (userId: string, key: DraftKey): NoteDraft | null =>
  draftOf(readJson(keyOf(userId, key)));

/** The drafts of new notes of a page, by their ids. */
export function newDrafts(userId: string, pageId: string): { id: string; draft: NoteDraft }[] {
  const prefix = keyOf(userId, `new:${pageId}:`);
  return keysWith(prefix).flatMap((key) => {
    const draft = draftOf(readJson(key));
    return draft ? { id: key.slice(prefix.length), draft } : [];
  });
}

function draftOf(stored: unknown): NoteDraft | null {
  if (!isObject(stored) || typeof stored.body !== "string") return null;
  const { body, isUncertain } = stored;
  const base = baseOf(stored.base);
  return {
    body,
    color: colorOf(stored.color),
    place: placeOf(stored.place),
    ...(base && { base }),
    ...(isUncertain === true && { isUncertain }),
  };
}

const colorOf = (value: unknown): NoteColor => COLORS.find((color) => color === value) ?? "YELLOW";

function baseOf(value: unknown): NoteBase | null {
  if (!isObject(value)) return null;
  const { version, body, color } = value;
  if (typeof version !== "number" || typeof body !== "string") return null;
  return { version, body, color: colorOf(color) };
}

function placeOf(value: unknown): NewPlace | null {
  if (!isObject(value)) return null;
  const { block, start, quote, version } = value;
  if (typeof block !== "number" || typeof start !== "number") return null;
  if (typeof quote !== "string" || typeof version !== "number") return null;
  return { block, start, quote, version };
}
