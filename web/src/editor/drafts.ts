import type { Schema } from "@tiptap/pm/model";
import { Step } from "@tiptap/pm/transform";
import type { PageText } from "./pageText";
import { toStored } from "./stored";

/**
 * Unsent text on this device. Every change is written before the browser paints it, so not even a crash of the tab takes
 * a letter: first the whole text, then each change as the step it is, until the server has acknowledged all of it. Local
 * storage and not IndexedDB, because only what is written at once is surely written.
 *
 * A draft belongs to one person, one page and one open editor, and is shown to nobody else.
 */

const PREFIX = "kurso-draft";
/** Then the whole text is written anew and the steps go. */
const MOST_STEPS = 300;
const KEPT_FOR_MS = 60 * 24 * 60 * 60 * 1000;

export interface DraftPlace {
  userId: string;
  pageId: string;
  /** The open editor, `user_session_id` of the contract. */
  session: string;
}

/** What a person needs to recognise it by. */
export interface DraftLabel {
  page: string;
  course: string;
}

interface Whole {
  title: string | null;
  content: unknown;
  quiz: unknown;
  version: number;
  at: number;
  label: DraftLabel;
  /** Changes up to this number are part of it. */
  upTo: number;
}

export type Change = { title: string | null } | { steps: unknown[] };
type Entry = Change & { at: number };

export interface Draft extends DraftPlace {
  /** The stored version it is a change of. */
  version: number;
  /** The last change, in milliseconds. */
  at: number;
  label: DraftLabel;
  whole: Pick<Whole, "title" | "content" | "quiz">;
  changes: Change[];
}

const keyOf = ({ userId, pageId, session }: DraftPlace) => `${PREFIX}:${userId}:${pageId}:${session}`;

/** Writes one open editor's unsent text. */
export class DraftKeeper {
  readonly #key: string;
  /** The number of the last change, and of the last one that is part of the whole text; null when there is none. */
  #last = 0;
  #upTo: number | null = null;
  #failed = false;

  constructor(
    private readonly storage: Storage,
    place: DraftPlace,
    private readonly label: () => DraftLabel,
  ) {
    this.#key = keyOf(place);
  }

  /** Whether the browser refused to keep the text: the storage is full or closed. */
  get failed(): boolean {
    return this.#failed;
  }

  /** The author has changed something. `change` says what, when it can be said in few words. */
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
      // The next change tries to write all of it.
      this.#failed = true;
      this.#upTo = null;
    }
  }

  /** All of it is on the server, or was given up. */
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

/** The drafts of one person, newest first; of one page, when it is named. */
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

function readDraft(storage: Storage, place: DraftPlace): Draft | null {
  const whole = parse<Whole>(storage.getItem(keyOf(place)));
  if (!whole) return null;
  const changes: Entry[] = [];
  for (let number = whole.upTo + 1; ; number += 1) {
    const entry = parse<Entry>(storage.getItem(`${keyOf(place)}:${number}`));
    if (!entry) break;
    changes.push(entry);
  }
  const { title, content, quiz, version, label } = whole;
  const at = changes.at(-1)?.at ?? whole.at;
  return { ...place, version, at, label, whole: { title, content, quiz }, changes };
}

export function forgetDraft(storage: Storage, draft: DraftPlace): void {
  forgetDraftAt(storage, keyOf(draft));
}

function forgetDraftAt(storage: Storage, key: string): void {
  for (const one of keys(storage)) if (one === key || one.startsWith(`${key}:`)) storage.removeItem(one);
}

/** Removes what nobody came back for. */
export function forgetOldDrafts(storage: Storage, now: number): void {
  for (const key of keys(storage)) {
    if (!key.startsWith(`${PREFIX}:`)) continue;
    const at = parse<{ at?: number }>(storage.getItem(key))?.at;
    if (typeof at !== "number" || now - at > KEPT_FOR_MS) storage.removeItem(key);
  }
}

/** The text that the author had before their eyes. */
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
        // What came before it is still the author's text.
        if (!applied.doc) break;
        doc = applied.doc;
      }
      content = toStored(doc);
    } catch {
      // The whole text stands as it was written.
    }
  }
  return { title, content, quiz };
}

/** Names an open editor and holds it, so that its draft is not offered to a second window while it is alive. */
export function openSession(): { session: string; close: () => void } {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const session = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  // Over plain HTTP in a local network there are no locks; then every draft counts as left behind.
  void navigator.locks?.request(lockOf(session), () => closed).catch(() => {});
  return { session, close };
}

/** The drafts whose editor is gone. */
export async function leftBehind(drafts: Draft[]): Promise<Draft[]> {
  const held = (await navigator.locks?.query())?.held ?? [];
  const alive = new Set(held.map((lock) => lock.name));
  return drafts.filter((draft) => !alive.has(lockOf(draft.session)));
}

const lockOf = (session: string) => `kurso-editor:${session}`;

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
