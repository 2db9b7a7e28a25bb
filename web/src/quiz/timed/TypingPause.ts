import type { Question } from "../model";

/** Typed answers are saved this long after the last key press, and at least this often. */
const USUAL = { quietMs: 1000, mostMs: 5000 };
/** Shortly before the end an answer has to arrive sooner. */
const LAST = { quietMs: 200, mostMs: 1000 };
const LAST_SECONDS = 10;

/** Waits for a pause in typing. */
export class TypingPause {
  #since: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onPause: () => void) {}

  /** Whether something was typed since the last pause. */
  get isTyping(): boolean {
    return this.#since !== null;
  }

  /** Call for each key press, with the seconds left. */
  typed(left: number): void {
    const { quietMs, mostMs } = left <= LAST_SECONDS ? LAST : USUAL;
    const now = performance.now();
    this.#since ??= now;
    clearTimeout(this.#timer);
    const wait = Math.min(quietMs, this.#since + mostMs - now);
    this.#timer = setTimeout(this.onPause, Math.max(0, wait));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#since = null;
  }
}

/** Whether the answer changes with each key press; other answers are chosen, and saved at once. */
export function isTyped(question: Question): boolean {
  switch (question.__typename) {
    case "ShortTextQuestion":
    case "NumericQuestion":
    case "EssayQuestion":
    // Arrow keys move a place step by step.
    case "HotspotQuestion":
      return true;
    case "FillBlankQuestion":
      return question.blanks.some(({ options }) => options === null);
    default:
      return false;
  }
}
