/** So long before the end the last answers are sent, in seconds. */
const SOON_SECONDS = 1;

interface Moments {
  /** Called when the end is near, also again. */
  onSoon: () => void;
  onEnd: () => void;
}

/** Waits for the end of the time. */
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
    // A timer may fire a fraction of a millisecond early, and then looks again.
    const wait = isSoon ? left : left - SOON_SECONDS;
    this.#timer = setTimeout(() => this.watch(), Math.ceil(wait * 1000));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
