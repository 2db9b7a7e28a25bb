import { SECONDS_MAX } from "../../limits.generated";

/** A learner who does nothing for so long, in milliseconds, is taken to be away. */
const IDLE_MS = 60_000;

/** Where the attention is at a moment: the question; null without one, and while the page is hidden or without the focus. */
type Attention = string | null;

/** Seconds by question id. */
export type Seconds = Readonly<Record<string, number>>;

/** The active time that a learner spends on each question, as pure rules. All moments are milliseconds of one clock. */
export class QuestionTimes {
  readonly #seconds: Map<string, number>;
  #attention: Attention = null;
  /** When the time was last counted. */
  #countedAt = 0;
  #activeAt = Number.NEGATIVE_INFINITY;

  constructor(before: Seconds = {}) {
    this.#seconds = new Map(Object.entries(before));
  }

  /** Counts the time until `now` for the question that had the attention, which then goes to another one. */
  attend(attention: Attention, now: number): void {
    const until = Math.min(now, this.#activeAt + IDLE_MS);
    const spent = Math.max(0, until - this.#countedAt) / 1000;
    if (this.#attention !== null && spent > 0)
      this.#seconds.set(this.#attention, (this.#seconds.get(this.#attention) ?? 0) + spent);
    this.#attention = attention;
    this.#countedAt = now;
  }

  /** The learner did something. */
  act(now: number): void {
    // What came before may have been a longer pause.
    this.attend(this.#attention, now);
    this.#activeAt = now;
  }

  /** Whether no time is counted until the learner does something. */
  isIdle(now: number): boolean {
    return now >= this.#activeAt + IDLE_MS;
  }

  /** The seconds spent on a question, to a tenth; undefined if it never had the attention. */
  secondsOf(questionId: string): number | undefined {
    const seconds = this.#seconds.get(questionId);
    return seconds === undefined ? undefined : Math.min(Math.round(seconds * 10) / 10, SECONDS_MAX);
  }

  all(): Seconds {
    return Object.fromEntries(this.#seconds);
  }
}
