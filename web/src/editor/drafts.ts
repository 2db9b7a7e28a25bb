import type { Schema } from "@tiptap/pm/model";
import { Step } from "@tiptap/pm/transform";
import type { PageText } from "./pageText";
import { toStored } from "./stored";

/**
 * Drafts: unsaved text on this device. Every change is written before the browser paints it, so that even a crash of the tab loses
 * nothing: first the whole text, then the steps of each change, until the server has acknowledged all of it. Local storage is used
 * because its writes are synchronous, unlike those of IndexedDB.
 *
 * A draft belongs to one person, one page and one open editor, and is shown to that person only.
 */

const PREFIX = "kurso-draft";
/** After this many steps the whole text is written again and replaces them. */
const MOST_STEPS = 300;
const KEPT_FOR_MS = 60 * 24 * 60 * 60 * 1000;

export interface DraftId {
  userId: string;
  pageId: string;
  /** The id of the open editor; `user_session_id` in the API. */
  session: string;
}

/** Titles by which a person recognises the draft. */
export interface DraftLabel {
  page: string;
  course: string;
  /** Absent from drafts of older versions of the app. */
  courseId?: string;
}

interface Whole {
  title: string | null;
  content: unknown;
  quiz: unknown;
  version: number;
  at: number;
  label: DraftLabel;
  /** Number of the last change that this text includes. */
  upTo: number;
}

export type Change = { title: string | null } | { steps: unknown[] };
type Entry = Change & { at: number };

export interface Draft extends DraftId {
  /** The server version that the draft is based on. */
  version: number;
  /** Time of the last change, in milliseconds. */
  at: number;
  label: DraftLabel;
  whole: Pick<Whole, "title" | "content" | "quiz">;
  changes: Change[];
}

const keyOf = ({ userId, pageId, session }: DraftId) => `${PREFIX}:${userId}:${pageId}:${session}`;

/** Writes the draft of one open editor. */
export class DraftKeeper {
  readonly #key: string;
  /** Numbers of the last change and of the last one that the whole text includes; null without a whole text. */
  #last = 0;
  #upTo: number | null = null;
  #failed = false;

  constructor(
    private readonly storage: Storage,
    id: DraftId,
    private readonly label: () => DraftLabel,
  ) {
    this.#key = keyOf(id);
  }

  /** Whether the last write failed because the storage is full or forbidden. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Writes a change. `change` describes it; null writes the whole text. */
  keep(text: PageText, version: number, change: Change | null, at: number): void {
    try {
      if (this.#upTo === null || !change || this.#last - this.#upTo >= MOST_STEPS) {
        this.#keepWhole(text, version, at);
      } else {
        const entry: Entry = { ...change, at };
        this.storage.setItem(`${this.#key}:${this.#last + 1}`, JSON.stringify(entry));
        this.#last += 1;
      }
      this.#failed = false;
    } catch {
      // The next change writes the whole text.
      this.#failed = true;
      this.#upTo = null;
    }
  }

  /** Deletes the draft: the text is on the server, or the author discarded it. */
  forget(): void {
    forgetDraftAt(this.storage, this.#key);
    this.#upTo = null;
    this.#failed = false;
  }

  #keepWhole({ title, content, quiz }: PageText, version: number, at: number): void {
    const upTo = this.#last;
    const whole: Whole = { title, content, quiz, version, at, label: this.label(), upTo };
    this.storage.setItem(this.#key, JSON.stringify(whole));
    for (let number = this.#upTo ?? 0; number < upTo; number += 1) {
      this.storage.removeItem(`${this.#key}:${number + 1}`);
    }
    this.#upTo = upTo;
  }
}

/** The drafts of one person, newest first; of one page when `pageId` is given. */
export function readDrafts(storage: Storage, userId: string, pageId?: string): Draft[] {
  const drafts: Draft[] = [];
  for (const key of keys(storage)) {
    const [prefix, user, page, session, number] = key.split(":");
    if (prefix !== PREFIX || user !== userId || !page || !session || number !== undefined) continue;
    if (pageId !== undefined && page !== pageId) continue;
    const draft = readDraft(storage, { userId, pageId: page, session });
    if (draft) drafts.push(draft);
  }
  return drafts.sort((a, b) => b.at - a.at);
}

function readDraft(storage: Storage, id: DraftId): Draft | null {
  const whole = parse<Whole>(storage.getItem(keyOf(id)));
  if (!whole) return null;
  const changes: Entry[] = [];
  for (let number = whole.upTo + 1; ; number += 1) {
    const entry = parse<Entry>(storage.getItem(`${keyOf(id)}:${number}`));
    if (!entry) break;
    changes.push(entry);
  }
  const { title, content, quiz, version, label } = whole;
  const at = changes.at(-1)?.at ?? whole.at;
  return { ...id, version, at, label, whole: { title, content, quiz }, changes };
}

export function forgetDraft(storage: Storage, draft: DraftId): void {
  forgetDraftAt(storage, keyOf(draft));
}

function forgetDraftAt(storage: Storage, key: string): void {
  for (const one of keys(storage)) if (one === key || one.startsWith(`${key}:`)) storage.removeItem(one);
}

/** Deletes drafts that were not opened for `KEPT_FOR_MS`. */
export function forgetOldDrafts(storage: Storage, now: number): void {
  for (const key of keys(storage)) {
    if (!key.startsWith(`${PREFIX}:`)) continue;
    const at = parse<{ at?: number }>(storage.getItem(key))?.at;
    if (typeof at !== "number" || now - at > KEPT_FOR_MS) storage.removeItem(key);
  }
}

/** Rebuilds the last text of a draft from its whole text and its steps. */
export function restoreDraft(
  schema: Schema,
  draft: Draft,
): { title: string | null; content: unknown; quiz: unknown } {
  let { title, content, quiz } = draft.whole;
  const changes = draft.changes;
  for (const change of changes) if ("title" in change) title = change.title;
  const steps = changes.flatMap((change) => ("steps" in change ? change.steps : []));
  if (steps.length > 0) {
    try {
      let doc = schema.nodeFromJSON(content);
      for (const step of steps) {
        const applied = Step.fromJSON(schema, step).apply(doc);
        // The steps before an invalid one still give the author's text.
        if (!applied.doc) break;
        doc = applied.doc;
      }
      content = toStored(doc);
    } catch {
      // The whole text is used without its steps.
    }
  }
  return { title, content, quiz };
}

function keys(storage: Storage): string[] {
  return Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "");
}

function parse<T>(text: string | null): T | null {
  try {
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}
