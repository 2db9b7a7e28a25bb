import { createStore, type Store } from "@tanstack/react-store";
import { onSessionEnd } from "../api/session";
import { begin, type Event, isSettled, type Saving, statusOf, step } from "./saving";

/** Sends one save and resolves with its outcome; never rejects. */
export type Send<T> = (
  text: T,
  request: {
    version: number;
    /** The text that the server holds; null when unknown. */
    stored: T | null;
    signal: AbortSignal;
    leaving: boolean;
  },
) => Promise<Event<T>>;

/** The copy of the unsaved text on this device. */
interface DeviceCopy<T, C> {
  /** Writes a text; `change` describes the last change, null when only the whole text does. */
  keep: (text: T, version: number, change: C | null, at: number) => void;
  forget: () => void;
  /** Whether the last write failed. */
  readonly failed: boolean;
}

/** A request without an answer is aborted after this time. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longest wait for a save before an operation that needs everything saved. */
const SETTLE_TIMEOUT_MS = 8000;
/** Longest wait for each of the two idle callbacks before a due save. */
const IDLE_MS = 250;

export interface SaverOptions<T, C> {
  version: number;
  /** The text on the server. */
  stored: T;
  send: Send<T>;
  copy: DeviceCopy<T, C>;
  /** Serialises a text in a task of its own before it is sent. */
  prepare?: (text: T) => void;
  /** Called once, when nothing is left to send after `leave`. */
  onEnd?: () => void;
}

/** Runs the state machine of saving.ts: its timers, its requests and the copy on this device. Outlives the screen of the text. */
export class Saver<T, C = never> {
  readonly state: Store<Saving<T>>;
  #leaving = false;
  #ended = false;
  #isPaused = false;
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

  constructor(private readonly options: SaverOptions<T, C>) {
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

  /** Whether this device failed to keep a copy of the unsaved text. */
  get isAtRisk(): boolean {
    return !isSettled(this.state.get()) && this.options.copy.failed;
  }

  /** Takes a text after it was changed; `change` describes the last change, null when only the whole text does. */
  changed(text: T, change: C | null = null): void {
    const at = Date.now();
    // The copy comes first, so that no later failure can lose the text.
    this.options.copy.keep(text, this.state.get().version, change, at);
    this.dispatch({ type: "changed", text, at });
  }

  /** Saves now instead of after the quiet period. */
  flush(): void {
    this.dispatch({ type: "due" });
  }

  /** Saves and waits; resolves to whether everything is on the server. */
  async settle(): Promise<boolean> {
    this.flush();
    const until = Date.now() + SETTLE_TIMEOUT_MS;
    // A retry runs while the status is still "offline".
    const isRunning = () => this.state.get().inFlight !== null || statusOf(this.state.get()) === "saving";
    while (isRunning() && Date.now() < until) await this.#nextState();
    return isSettled(this.state.get());
  }

  /** Saves, and then sends nothing before `resume`. Resolves when no save is running; one that takes too long is aborted. */
  async pause(): Promise<void> {
    await this.settle();
    this.#isPaused = true;
    while (this.state.get().inFlight !== null && !this.#ended) {
      this.#request?.abort();
      await this.#nextState();
    }
  }

  /** Goes on after `pause`, at once if there is something to save. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.flush();
  }

  /** Resolves at the next change of the state, or after half a second. */
  #nextState(): Promise<void> {
    return new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        unsubscribe();
        resolve();
      };
      const timer = setTimeout(end, 500);
      const { unsubscribe } = this.state.subscribe(end);
    });
  }

  dispatch(event: Event<T>): void {
    if (this.#ended || (this.#isPaused && (event.type === "due" || event.type === "reachable"))) return;
    const before = this.state.get();
    const { state, effects } = step(before, event);
    if (isSettled(state)) {
      if (!isSettled(before)) this.options.copy.forget();
      this.#cancelDue();
      clearTimeout(this.#retryTimer);
    } else if (event.type === "saved" && state.pending) {
      this.options.copy.keep(state.pending, state.version, null, state.pendingSince);
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

  /** Delays the save until the browser is idle, so that it does not delay a key press; the copy on this device holds the text meanwhile. */
  #saveWhenIdle(): void {
    if (!("requestIdleCallback" in window)) {
      this.dispatch({ type: "due" });
      return;
    }
    this.#idle = requestIdleCallback(
      () => {
        // Serialising and sending are separate tasks, so that a key press can be handled between them.
        const { pending } = this.state.get();
        if (pending !== null) this.options.prepare?.(pending);
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
    // Nothing is sent while paused; the copy on this device keeps the text.
    if (this.#isPaused) this.end();
    else this.#endIfDone();
  }

  /** Stops sending; the copy on this device stays. */
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

  async #send(text: T, version: number): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    const timeout = setTimeout(() => request.abort(), REQUEST_TIMEOUT_MS);
    const { stored } = this.state.get();
    const options = { version, stored, signal: request.signal, leaving: this.#leaving };
    const outcome: Event<T> = this.#signedOut
      ? await Promise.resolve({ type: "signedOut" })
      : await this.options.send(text, options).catch(() => ({ type: "unanswered" }));
    clearTimeout(timeout);
    if (this.#request === request) this.#request = undefined;
    this.dispatch(outcome);
  }

  #endIfDone(): void {
    const status = statusOf(this.state.get());
    if (status === "saving" || status === "offline") return;
    // A conflict or a refusal needs the person; the copy on this device keeps the text until then.
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
