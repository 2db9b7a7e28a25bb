const DAY = 24 * 60 * 60 * 1000;

/** The whole days until a moment, rounded up: 0 only once it has passed. */
export function daysLeft(moment: string, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(moment) - now.getTime()) / DAY));
}
