import type { Question } from "../model";

/** Typed answers are saved this long after the last key press, and at least this often. */
const QUIET_MS = 1000;
const MOST_MS = 5000;

/** Waits for a pause in typing. */
export class TypingPause {
  #since: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onPause: () => void) {}

  /** Whether something was typed since the last pause. */
  get isTyping(): boolean {
    return this.#since !== null;
  }

  typed(): void {
    const now = performance.now();
    this.#since ??= now;
    clearTimeout(this.#timer);
    const wait = Math.min(QUIET_MS, this.#since + MOST_MS - now);
    this.#timer = setTimeout(this.onPause, Math.max(0, wait));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#since = null;
  }
}

/** Whether the answer grows with each key press; other answers are chosen, and saved at once. */
export function isTyped(question: Question): boolean {
  switch (question.__typename) {
    case "ShortTextQuestion":
    case "NumericQuestion":
    case "EssayQuestion":
      return true;
    case "FillBlankQuestion":
      return question.blanks.some(({ options }) => options === null);
    default:
      return false;
  }
}
