/**
 * The clock of an attempt with a time limit. It follows the server: a response tells the seconds since the start, and the monotonic clock
 * of the device (`performance.now()`) counts on from there. The date and time of the device play no part.
 */

/** The seconds since the start that a response told, and when it arrived by the monotonic clock, in milliseconds. */
export interface Reading {
  elapsed: number;
  at: number;
}

/** The seconds since the start of the attempt. */
export function elapsedAt(reading: Reading, now: number): number {
  return reading.elapsed + Math.max(0, now - reading.at) / 1000;
}

/**
 * The better of two readings. A response is always older than it says, by its way through the network, so the reading by which more time
 * has passed is nearer to the server's clock. A slow or cached response therefore never gives time back.
 */
export function better(known: Reading | undefined, fresh: Reading): Reading {
  return known && elapsedAt(known, fresh.at) >= fresh.elapsed ? known : fresh;
}

/** The attempt ends when nothing is left. */
export function secondsLeft(duration: number, elapsed: number): number {
  return Math.max(0, duration - elapsed);
}

/** `mm:ss`, or `h:mm:ss` from an hour on. The last second is shown until it is over. */
export function clockText(left: number): string {
  const whole = Math.ceil(left);
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
}

/** Milliseconds until the text of the clock changes. */
export function nextTick(left: number): number {
  return (left % 1 || 1) * 1000;
}

/** From here on the clock warns, in seconds. */
export const LAST_MINUTE = 60;
/** What is announced to screen readers: a clock that speaks every second would drown out the questions. */
const ANNOUNCED = [0, LAST_MINUTE, 300] as const;
export type Announced = (typeof ANNOUNCED)[number];

/** The announcement that became due between two moments; null without one. After a long pause only the latest counts. */
export function announcementBetween(before: number, left: number): Announced | null {
  return ANNOUNCED.find((seconds) => before > seconds && left <= seconds) ?? null;
}
