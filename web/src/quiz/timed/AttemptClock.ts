import type { RunningAttempt } from "../model";
import { secondsLeft } from "./clock";
import { elapsedOf, takeReading } from "./serverClock";

/** How much time a running attempt has, by the clock of the server. */
export class AttemptClock {
  /** Seconds between its start and its end; infinite without an end. */
  readonly duration: number;

  constructor(private readonly running: RunningAttempt) {
    this.duration = running.durationSeconds ?? Number.POSITIVE_INFINITY;
    this.take(running.elapsedSeconds);
  }

  /** Takes the seconds since the start that a response told. */
  take(elapsed: number): void {
    takeReading(this.running.ticket, elapsed);
  }

  /** The seconds since the start. */
  elapsed(): number {
    return elapsedOf(this.running.ticket);
  }

  /** The seconds left; 0 when the time is over, and infinite when it never ends. */
  readonly left = (): number => secondsLeft(this.duration, this.elapsed());

  /** The seconds for which the server still accepts answers that were given in time; infinite without an end. */
  readonly graceLeft = (): number => secondsLeft(this.duration + this.running.graceSeconds, this.elapsed());

  /** Until when the server accepts answers that were given in time; null without an end. */
  get acceptedUntil(): string | null {
    const { endsAt, graceSeconds } = this.running;
    return endsAt && new Date(new Date(endsAt).getTime() + graceSeconds * 1000).toISOString();
  }
}
