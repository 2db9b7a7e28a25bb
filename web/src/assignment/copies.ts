import type { Pending } from "../quiz/draft";
import { forgetJson, isObject, keepJson, keysWith, readJson } from "../ui/localJson";
import type { DraftText } from "./draftText";

/**
 * What a learner has written for an assignment and the server does not have yet, on this device: one copy for each open form, so that two
 * windows do not overwrite each other.
 */
export interface Copy {
  userId: string;
  pageId: string;
  /** The id of the form that wrote it. */
  session: string;
  /** Version of the draft on the server that the text is based on. */
  version: number;
  text: DraftText;
  /** The submission that was sent without an answer from the server. */
  pending: Pending | null;
  /** When it was written, in milliseconds. */
  at: number;
}

type CopyId = Pick<Copy, "userId" | "pageId" | "session">;

const PREFIX = "answer-draft";
const KEPT_FOR_MS = 60 * 24 * 60 * 60 * 1000;

const keyOf = ({ userId, pageId, session }: CopyId) => `${PREFIX}:${userId}:${pageId}:${session}`;

/** Writes the copy of one open form. */
export class CopyKeeper {
  #failed = false;
  #pending: Pending | null = null;

  constructor(private readonly id: CopyId) {}

  /** The submission that has no answer yet. */
  get pending(): Pending | null {
    return this.#pending;
  }

  /** Whether the last write failed because the storage is full or forbidden. */
  get failed(): boolean {
    return this.#failed;
  }

  keep(text: DraftText, version: number, _change: unknown, at: number): void {
    const copy: Omit<Copy, keyof CopyId> = { version, text, pending: this.#pending, at };
    this.#failed = !keepJson(keyOf(this.id), copy);
  }

  /** Writes the text with a submission that is about to be sent. It stays until `endPending`, even when the server has the draft. */
  keepPending(pending: Pending, text: DraftText, version: number): void {
    this.#pending = pending;
    this.keep(text, version, null, Date.now());
  }

  endPending(): void {
    this.#pending = null;
  }

  forget(): void {
    this.#failed = false;
    if (!this.#pending) forgetCopy(this.id);
  }
}

/** The copies of one person for one page, the newest first. Older ones than two months are deleted. */
export function readCopies(userId: string, pageId: string): Copy[] {
  const found = keysWith(`${PREFIX}:${userId}:${pageId}:`).flatMap((key): Copy[] => {
    const [, , , session, rest] = key.split(":");
    if (!session || rest !== undefined) return [];
    const copy = parse(readJson(key));
    return copy ? [{ userId, pageId, session, ...copy }] : [];
  });
  const oldest = Date.now() - KEPT_FOR_MS;
  for (const copy of found) if (copy.at < oldest) forgetCopy(copy);
  return found.filter(({ at }) => at >= oldest).sort((a, b) => b.at - a.at);
}

export function forgetCopy(id: CopyId): void {
  forgetJson(keyOf(id));
}

/** Whether this device has text of anyone for an assignment. */
export function hasCopy(pageId: string): boolean {
  return keysWith(`${PREFIX}:`).some((key) => key.split(":")[2] === pageId);
}

function parse(value: unknown): Omit<Copy, keyof CopyId> | null {
  if (!isObject(value) || !isObject(value.text)) return null;
  const { version, text, pending, at } = value;
  if (typeof version !== "number" || typeof at !== "number") return null;
  if (!Array.isArray(text.files) || !Array.isArray(text.links)) return null;
  return {
    version,
    at,
    text: {
      content: isObject(text.content) ? text.content : null,
      files: text.files.filter((file) => isObject(file) && typeof file.id === "string"),
      links: text.links.filter((link) => typeof link === "string"),
    },
    pending: isObject(pending) && typeof pending.submissionId === "string" ? (pending as never) : null,
  };
}
