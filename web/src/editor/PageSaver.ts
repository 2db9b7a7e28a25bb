import { createStore, type Store } from "@tanstack/react-store";
import { onSessionEnd } from "../api/session";
import type { Change, DraftKeeper } from "./drafts";
import type { PageText } from "./pageText";
import { begin, type Event, isSettled, type Saving, statusOf, step } from "./saving";

/** Sends one save and resolves with its outcome; never rejects. `parts` names the parts of the text that the request must carry. */
export type Send = (
  text: PageText,
  request: { version: number; parts: Parts; signal: AbortSignal; leaving: boolean },
) => Promise<Event<PageText>>;

export interface Parts {
  title: boolean;
  content: boolean;
  quiz: boolean;
}

/** A request without an answer is aborted after this time. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longest wait for each of the two idle callbacks before a due save. */
const IDLE_MS = 250;

interface Options {
  version: number;
  /** The text on the server. */
  stored: PageText;
  send: Send;
  drafts: DraftKeeper;
  /** Called once, when nothing is left to send after `leave`. */
  onEnd?: () => void;
}

/** Runs the state machine of saving.ts: its timers, its requests and the draft on this device. Outlives the screen of its page. */
export class PageSaver {
  readonly state: Store<Saving<PageText>>;
  #leaving = false;
  #ended = false;
  /** The session has ended: a request would carry no token, or that of the next person. */
  #signedOut = false;
  readonly #stopListening: () => void;
  #dueTimer: ReturnType<typeof setTimeout> | undefined;
  /** Times at which the timer fires and the save is due, by the monotonic clock; the timer never fires later than the save is due. */
  #firesAt = 0;
  #dueAt = 0;
  /** Handle of the idle callback of a due save; 0 when none is scheduled. */
  #idle = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | undefined;

  constructor(private readonly options: Options) {
    this.state = createStore(begin(options.version, options.stored));
    window.addEventListener("online", this.#onOnline);
    window.addEventListener("blur", this.#onAway);
    window.addEventListener("pagehide", this.#onPageHide);
    document.addEventListener("visibilitychange", this.#onAway);
    this.#stopListening = onSessionEnd(() => {
      this.#signedOut = true;
      // A request that is already on its way carries this session's token and is still answered.
      if (this.state.get().inFlight === null) this.dispatch({ type: "signedOut" });
    });
  }

  /** Whether this device failed to store a draft of the unsaved text. */
  get isAtRisk(): boolean {
    return !isSettled(this.state.get()) && this.options.drafts.failed;
  }

  /** Takes a text after the author changed it; `change` describes the last change, null when only the whole text does. */
  changed(text: PageText, change: Change | null = null): void {
    const at = Date.now();
    // The draft comes first, so that no later failure can lose the text.
    this.options.drafts.keep(text, this.state.get().version, change, at);
    this.dispatch({ type: "changed", text, at });
  }

  /** Saves now instead of after the quiet period. */
  flush(): void {
    this.dispatch({ type: "due" });
  }

  dispatch(event: Event<PageText>): void {
    if (this.#ended) return;
    const before = this.state.get();
    const { state, effects } = step(before, event);
    if (isSettled(state)) {
      if (!isSettled(before)) this.options.drafts.forget();
      this.#cancelDue();
      clearTimeout(this.#retryTimer);
    } else if (event.type === "saved" && state.pending) {
      this.options.drafts.keep(state.pending, state.version, null, state.pendingSince);
    }
    this.state.setState(() => state);
    for (const effect of effects) {
      switch (effect.type) {
        case "wait":
          this.#scheduleDue(effect.until - Date.now());
          break;
        case "retry":
          clearTimeout(this.#retryTimer);
          this.#retryTimer = setTimeout(() => this.dispatch({ type: "reachable" }), effect.after);
          break;
        case "send":
          this.#cancelDue();
          void this.#send(effect.text, effect.version);
          break;
      }
    }
    if (this.#leaving) this.#endIfDone();
  }

  /**
   * Every key press moves the due time. An earlier timer stays and is rescheduled when it fires, because setting a timer costs more than
   * reading the clock.
   */
  #scheduleDue(ms: number): void {
    // The save is already due and runs in the next idle period.
    if (this.#idle) return;
    this.#dueAt = performance.now() + ms;
    if (this.#dueTimer !== undefined && this.#firesAt <= this.#dueAt) return;
    clearTimeout(this.#dueTimer);
    this.#firesAt = this.#dueAt;
    this.#dueTimer = setTimeout(() => {
      this.#dueTimer = undefined;
      const left = this.#dueAt - performance.now();
      if (left > 0) this.#scheduleDue(left);
      else this.#saveWhenIdle();
    }, ms);
  }

  /** Delays the save until the browser is idle, so that it does not delay a key press; the draft holds the text meanwhile. */
  #saveWhenIdle(): void {
    if (!("requestIdleCallback" in window)) {
      this.dispatch({ type: "due" });
      return;
    }
    this.#idle = requestIdleCallback(
      () => {
        // Serialising and sending are separate tasks, so that a key press can be handled between them.
        void this.state.get().pending?.content;
        this.#idle = requestIdleCallback(
          () => {
            this.#idle = 0;
            this.dispatch({ type: "due" });
          },
          { timeout: IDLE_MS },
        );
      },
      { timeout: IDLE_MS },
    );
  }

  #cancelDue(): void {
    clearTimeout(this.#dueTimer);
    this.#dueTimer = undefined;
    if (this.#idle) cancelIdleCallback(this.#idle);
    this.#idle = 0;
  }

  /** Call when the screen is left: sends unsaved text and retries for as long as the window is open. */
  leave(): void {
    this.#leaving = true;
    this.flush();
    this.#endIfDone();
  }

  /** Stops sending; the draft on this device stays. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelDue();
    clearTimeout(this.#retryTimer);
    this.#request?.abort();
    window.removeEventListener("online", this.#onOnline);
    window.removeEventListener("blur", this.#onAway);
    window.removeEventListener("pagehide", this.#onPageHide);
    document.removeEventListener("visibilitychange", this.#onAway);
    this.#stopListening();
    this.options.onEnd?.();
  }

  async #send(text: PageText, version: number): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    const timeout = setTimeout(() => request.abort(), REQUEST_TIMEOUT_MS);
    const parts = partsToSend(this.state.get().stored, text);
    const options = { version, parts, signal: request.signal, leaving: this.#leaving };
    const outcome: Event<PageText> = this.#signedOut
      ? await Promise.resolve({ type: "signedOut" })
      : await this.options.send(text, options).catch(() => ({ type: "unanswered" }));
    clearTimeout(timeout);
    if (this.#request === request) this.#request = undefined;
    this.dispatch(outcome);
  }

  #endIfDone(): void {
    const status = statusOf(this.state.get());
    if (status === "saving" || status === "offline") return;
    // A conflict or a refusal needs the author; the draft on this device keeps the text until then.
    this.end();
  }

  readonly #onOnline = () => this.dispatch({ type: "reachable" });
  readonly #onAway = () => this.flush();
  readonly #onPageHide = () => {
    this.#leaving = true;
    this.flush();
    // The page can return from the back-forward cache and then continues.
    this.#leaving = false;
  };
}

/** The parts that differ from the stored text; all of them when it is unknown or nothing differs. */
function partsToSend(stored: PageText | null, text: PageText): Parts {
  const everything = { title: true, content: text.contentKey !== null, quiz: true };
  if (!stored) return everything;
  const parts = {
    title: stored.title !== text.title,
    content: text.contentKey !== null && stored.contentKey !== text.contentKey,
    quiz: stored.quiz !== text.quiz,
  };
  return parts.title || parts.content || parts.quiz ? parts : everything;
}
