import { createStore } from "@tanstack/react-store";
import { ApiError } from "../api/apiError";
import { onSessionEnd } from "../api/session";
import { guardUnsaved } from "../ui/unsaved";

export type QueueState = "saved" | "saving" | "offline";

interface Task {
  send: () => Promise<unknown>;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
  /** Whether to send it again when the server cannot be reached; for idempotent calls only. */
  retry: boolean;
}

const RETRY_MS = 5000;

/**
 * Sends calls one after another, so that the server applies changes in the order in which they were made. A call with `retry` waits for
 * the network to come back; any other failure rejects that call, and the next one is sent.
 */
export class Queue {
  #tasks: Task[] = [];
  #running = false;
  readonly state = createStore<QueueState>("saved");
  #wake: (() => void) | null = null;
  readonly #drained: () => void;

  /** `drained` runs each time the last waiting call is answered. */
  constructor(drained: () => void = () => {}) {
    this.#drained = drained;
    guardUnsaved({
      isUnsaved: () => this.#tasks.length > 0,
      settle: () => this.#becomes("saved"),
    });
    onSessionEnd(() => {
      // Waiting calls must not be sent with the next person's token.
      this.#tasks = [];
      this.#wake?.();
    });
  }

  /** Resolves with the answer of `send`. Never settles when the session ends first. */
  push<T>(send: () => Promise<T>, { retry = true } = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#tasks.push({ send, resolve: resolve as (answer: unknown) => void, reject, retry });
      void this.#run();
    });
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    for (let task = this.#tasks[0]; task; task = this.#tasks[0]) {
      this.#become(this.state.get() === "offline" ? "offline" : "saving");
      try {
        task.resolve(await task.send());
      } catch (error) {
        if (task.retry && task === this.#tasks[0] && ApiError.from(error).isUnreachable) {
          this.#become("offline");
          await this.#pause();
          continue;
        }
        task.reject(error);
      }
      this.#become("saving");
      if (task === this.#tasks[0]) this.#tasks.shift();
    }
    this.#running = false;
    this.#become("saved");
    this.#drained();
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        window.removeEventListener("online", wake);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(wake, RETRY_MS);
      window.addEventListener("online", wake);
      this.#wake = wake;
    });
  }

  #becomes(state: QueueState): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.state.get() !== state) return;
        unsubscribe();
        resolve();
      };
      const { unsubscribe } = this.state.subscribe(check);
      check();
    });
  }

  #become(state: QueueState) {
    this.state.setState(() => state);
  }
}
