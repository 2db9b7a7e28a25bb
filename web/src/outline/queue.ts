import { ApiError } from "../api/apiError";

export type QueueState = "saved" | "saving" | "offline";

interface Task {
  send: () => Promise<unknown>;
  done: (answer: unknown) => void;
  failed: (error: unknown) => void;
  /** Sent again when the server cannot be reached: only what may be done twice. */
  patient: boolean;
}

const AGAIN_AFTER_MS = 5000;

/**
 * Sends one call after another, so that the server does things in the order in which they were done here. What may be
 * done twice waits for the network to come back; whatever else fails tells the one who asked, and the next goes on.
 */
export class Queue {
  #tasks: Task[] = [];
  #running = false;
  #state: QueueState = "saved";
  #listeners = new Set<() => void>();
  #wake: (() => void) | null = null;

  #drained: () => void;

  /** `drained` runs when nothing waits any more. */
  constructor(drained: () => void = () => {}) {
    this.#drained = drained;
  }

  get state(): QueueState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  push<T>(send: () => Promise<T>, { patient = true } = {}): Promise<T> {
    return new Promise((done, failed) => {
      this.#tasks.push({ send, done: done as (answer: unknown) => void, failed, patient });
      void this.#run();
    });
  }

  /** Tries at once what waits for the network. */
  wake = () => this.#wake?.();

  async #run() {
    if (this.#running) return;
    this.#running = true;
    for (let task = this.#tasks[0]; task; task = this.#tasks[0]) {
      this.#become(this.#state === "offline" ? "offline" : "saving");
      try {
        task.done(await task.send());
      } catch (error) {
        if (task.patient && ApiError.from(error).isUnreachable) {
          this.#become("offline");
          await this.#pause();
          continue;
        }
        task.failed(error);
      }
      this.#become("saving");
      this.#tasks.shift();
    }
    this.#running = false;
    this.#become("saved");
    this.#drained();
  }

  #pause(): Promise<void> {
    return new Promise((go) => {
      const on = () => {
        clearTimeout(timer);
        window.removeEventListener("online", on);
        this.#wake = null;
        go();
      };
      const timer = setTimeout(on, AGAIN_AFTER_MS);
      window.addEventListener("online", on);
      this.#wake = on;
    });
  }

  #become(state: QueueState) {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
