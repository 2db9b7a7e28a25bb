import { forgetJson, forgetOldest, isObject, keepJson, readJson } from "../ui/localJson";

/** Announcements that are being written. They are kept on this device, so that neither a closed tab nor a crash loses them. */
const PREFIX = "announcement-draft:";
/** Limit on kept drafts; the oldest are deleted. */
const KEPT = 20;

/** What the form holds. */
export interface Draft {
  title: string;
  /** A document. */
  content: unknown;
  /** Empty for all learners. */
  groupId: string;
  isLater: boolean;
  /** The time as it was typed. */
  at: string;
  isPinned: boolean;
}

/** A draft with the version that it changes; null for a new announcement. */
export interface KeptDraft extends Draft {
  version: number | null;
}

/** Identifies a draft: of a new announcement of a course, or of an existing one. */
export type DraftKey = `new:${string}` | `edit:${string}`;

const keyOf = (userId: string, key: DraftKey) => `${PREFIX}${userId}:${key}`;

/** Keeps a draft. Returns false when the storage is full or forbidden. */
export function keepDraft(userId: string, key: DraftKey, draft: KeptDraft): boolean {
  const isKept = keepJson(keyOf(userId, key), { ...draft, savedAt: Date.now() });
  forgetOldest(PREFIX, KEPT, "savedAt");
  return isKept;
}

export function dropDraft(userId: string, key: DraftKey): void {
  forgetJson(keyOf(userId, key));
}

/** Reads a draft; null without one, and for one that cannot be read. */
export function readDraft(userId: string, key: DraftKey): KeptDraft | null {
  const stored = readJson(keyOf(userId, key));
  if (!isObject(stored) || typeof stored.title !== "string" || !isObject(stored.content)) return null;
  const { title, content, groupId, isLater, at, isPinned, version } = stored;
  return {
    title,
    content,
    groupId: typeof groupId === "string" ? groupId : "",
    isLater: isLater === true,
    at: typeof at === "string" ? at : "",
    isPinned: isPinned === true,
    version: typeof version === "number" ? version : null,
  };
}
