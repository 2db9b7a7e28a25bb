import { overdueMs } from "./overdue";

const DAY_MS = 86_400_000;

/** Returns the days begun since the due date: each costs the penalty of a day. */
export function begunDays(dueAt: string | null, now: Date): number {
  return Math.ceil(overdueMs(dueAt, now) / DAY_MS);
}

/** Returns the moment at which the next day after the due date begins; at first that is the due date itself. */
export function nextPenaltyDay(dueAt: string | null, now: Date): string | null {
  if (dueAt === null) return null;
  return new Date(Date.parse(dueAt) + begunDays(dueAt, now) * DAY_MS).toISOString();
}
