import type { Change, DraftKeeper } from "./drafts";
import type { PageText } from "./pageText";
import { begin, type Event, isSettled, type Saving, standing, step, unsaved } from "./saving";

/** Sends one save; always answers with what became of it. `parts` says what has to be said of the text. */
export type Send = (
  text: PageText,
  about: { version: number; parts: Parts; signal: AbortSignal; leaving: boolean },
) => Promise<Event<PageText>>;

export interface Parts {
  title: boolean;
  content: boolean;
  quiz: boolean;
}

const EVERYTHING: Parts = { title: true, content: true, quiz: true };
/** A request without an answer for so long has none. */
const PATIENCE_MS = 30_000;
/** A save that is due waits at most twice this long for a moment in which the author writes nothing. */
const IDLE_MS = 250;

interface Options {
  version: number;
  /** What the server holds. */
  stored: PageText;
  send: Send;
  drafts: DraftKeeper;
  /** Said once when nothing is left to do after `leave`. */
  onEnd?: () => void;
}

/** Runs the machine of saving.ts: its timers, its requests and the copy on this device. Lives on when its screen is left. */
export class PageSaver {
  #state: Saving<PageText>;
  /** What the server is known to hold; null when that is not known. */
  #stored: PageText | null;
  #leaving = false;
  #ended = false;
  #dueTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer rings, and when the save is due: never earlier. By the clock that nobody sets. */
  #rings = 0;
  #due = 0;
  /** The arrangement to save at the next moment that is free; 0 when there is none. */
  #idle = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(private readonly options: Options) {
    this.#state = begin(options.version);
    this.#stored = options.stored;
    window.addEventListener("online", this.#onOnline);
    window.addEventListener("blur", this.#onAway);
    window.addEventListener("pagehide", this.#onPageHide);
    document.addEventListener("visibilitychange", this.#onAway);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly get = (): Saving<PageText> => this.#state;

  /** Whether this device could not keep a copy of what is unsaved. */
  get isAtRisk(): boolean {
    return !isSettled(this.#state) && this.options.drafts.failed;
  }

  /** The author changed something; `change` says what, when it can be said in few words. */
  changed(text: PageText, change: Change | null = null): void {
    const at = Date.now();
    // First the copy: whatever happens next, the text is there.
    this.options.drafts.keep(text, this.#state.version, change, at);
    this.tell({ type: "changed", text, at });
  }

  /** The server's own text was put into the editor, as by restoring a version. */
  replaced(version: number, stored: PageText): void {
    this.tell({ type: "replaced", version });
    if (isSettled(this.#state)) this.#stored = stored;
  }

  /** Saves now instead of after a pause. */
  flush(): void {
    this.tell({ type: "due" });
  }

  tell(event: Event<PageText>): void {
    if (this.#ended) return;
    const before = this.#state;
    if (event.type === "keepMine" || event.type === "unanswered" || event.type === "conflicted") {
      // What the server holds now is not what we sent last.
      this.#stored = null;
    }
    if (event.type === "saved") this.#stored = before.inFlight;
    if (event.type === "takeStored" && before.trouble?.kind === "conflict") {
      this.#stored = before.trouble.stored.text;
    }
    const { state, effects } = step(before, event);
    this.#state = state;
    if (isSettled(state)) {
      if (!isSettled(before)) this.options.drafts.forget();
      this.#stopWaiting();
      clearTimeout(this.#retryTimer);
    } else if (event.type === "saved" && state.waiting) {
      this.options.drafts.keep(state.waiting, state.version, null, state.waitingSince);
    }
    for (const effect of effects) {
      switch (effect.type) {
        case "wait":
          this.#waitFor(effect.until - Date.now());
          break;
        case "retry":
          clearTimeout(this.#retryTimer);
          this.#retryTimer = setTimeout(() => this.tell({ type: "reachable" }), effect.after);
          break;
        case "send":
          this.#stopWaiting();
          void this.#send(effect.text, effect.version);
          break;
      }
    }
    for (const listener of this.#listeners) listener();
    if (this.#leaving) this.#endIfDone();
  }

  /**
   * The moment moves with every letter; a timer that is set for an earlier one stays, and is set anew when it rings: to set one
   * costs more than to look at the clock.
   */
  #waitFor(ms: number): void {
    // It is due already, and goes with the next moment that is free.
    if (this.#idle) return;
    this.#due = performance.now() + ms;
    if (this.#dueTimer !== undefined && this.#rings <= this.#due) return;
    clearTimeout(this.#dueTimer);
    this.#rings = this.#due;
    this.#dueTimer = setTimeout(() => {
      this.#dueTimer = undefined;
      const left = this.#due - performance.now();
      if (left > 0) this.#waitFor(left);
      else this.#saveWhenIdle();
    }, ms);
  }

  /** Between two letters rather than before one; the copy on this device has the text meanwhile. */
  #saveWhenIdle(): void {
    if (!("requestIdleCallback" in window)) {
      this.tell({ type: "due" });
      return;
    }
    this.#idle = requestIdleCallback(
      () => {
        // To work out what is stored, and to send it, are two things between which a letter can be shown.
        void this.#state.waiting?.content;
        this.#idle = requestIdleCallback(
          () => {
            this.#idle = 0;
            this.tell({ type: "due" });
          },
          { timeout: IDLE_MS },
        );
      },
      { timeout: IDLE_MS },
    );
  }

  #stopWaiting(): void {
    clearTimeout(this.#dueTimer);
    this.#dueTimer = undefined;
    if (this.#idle) cancelIdleCallback(this.#idle);
    this.#idle = 0;
  }

  /** The screen is left: what is unsaved is sent, and tried again for as long as the window is open. */
  leave(): void {
    this.#leaving = true;
    this.flush();
    this.#endIfDone();
  }

  /** Gives up sending; the copy on this device stays. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopWaiting();
    clearTimeout(this.#retryTimer);
    this.#request?.abort();
    window.removeEventListener("online", this.#onOnline);
    window.removeEventListener("blur", this.#onAway);
    window.removeEventListener("pagehide", this.#onPageHide);
    document.removeEventListener("visibilitychange", this.#onAway);
    this.options.onEnd?.();
  }

  async #send(text: PageText, version: number): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    const patience = setTimeout(() => request.abort(), PATIENCE_MS);
    const parts = this.#stored ? changedParts(this.#stored, text) : EVERYTHING;
    const about = { version, parts, signal: request.signal, leaving: this.#leaving };
    const outcome = await this.options
      .send(text, about)
      .catch((): Event<PageText> => ({ type: "unanswered" }));
    clearTimeout(patience);
    if (this.#request === request) this.#request = undefined;
    this.tell(outcome);
  }

  #endIfDone(): void {
    const now = standing(this.#state);
    if (now === "saving" || now === "offline") return;
    // A conflict or a refusal needs the author; the copy on this device waits for them.
    this.end();
  }

  readonly #onOnline = () => this.tell({ type: "reachable" });
  readonly #onAway = () => this.flush();
  readonly #onPageHide = () => {
    this.#leaving = true;
    this.flush();
    // Back from the browser's own cache of pages it goes on.
    this.#leaving = false;
  };
}

function changedParts(stored: PageText, text: PageText): Parts {
  const parts = {
    title: stored.title !== text.title,
    content: stored.contentKey !== text.contentKey,
    quiz: stored.quiz !== text.quiz,
  };
  return parts.title || parts.content || parts.quiz ? parts : EVERYTHING;
}

/** The saver's newest text that is not on the server. */
export function unsavedText(saver: PageSaver): PageText | null {
  return unsaved(saver.get());
}
