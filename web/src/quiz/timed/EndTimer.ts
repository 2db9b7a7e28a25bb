/** So long before the end the last answers are sent, in seconds. */
const SOON_SECONDS = 1;
/** The clock is looked at this often, because the timers of browsers cannot wait longer than some weeks. */
const LONGEST_SECONDS = 24 * 3600;

interface Moments {
  /** Called when the end is near, also again. */
  onSoon: () => void;
  onEnd: () => void;
}

/** Waits for the end of the time, if there is one. */
export class EndTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly left: () => number,
    private readonly moments: Moments,
  ) {}

  /** Looks at the clock now, and again when it matters. */
  watch(): void {
    const left = this.left();
    if (left <= 0) {
      this.stop();
      this.moments.onEnd();
      return;
    }
    const isSoon = left <= SOON_SECONDS;
    if (isSoon) this.moments.onSoon();
    this.stop();
    if (left === Number.POSITIVE_INFINITY) return;
    // A timer may fire a fraction of a millisecond early, and then looks again.
    const wait = Math.min(LONGEST_SECONDS, isSoon ? left : left - SOON_SECONDS);
    this.#timer = setTimeout(() => this.watch(), Math.ceil(wait * 1000));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
