import { better, elapsedAt, type Reading } from "./clock";

/** The best reading of each running attempt. Kept outside of the screen: a cached response still tells the time of its arrival. */
const readings = new Map<string, Reading>();

/** Takes the seconds since the start that a response told. */
export function takeReading(ticket: string, elapsed: number): void {
  readings.set(ticket, better(readings.get(ticket), { elapsed, at: performance.now() }));
}

/** The seconds since the start of an attempt; 0 without a reading. */
export function elapsedOf(ticket: string): number {
  const reading = readings.get(ticket);
  return reading ? elapsedAt(reading, performance.now()) : 0;
}
