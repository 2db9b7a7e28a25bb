/** Returns the first of these moments after `now`; null if there is none. */
export function firstAhead(moments: readonly (string | null | undefined)[], now: Date): string | null {
  let first: string | null = null;
  for (const at of moments) {
    if (!at || Date.parse(at) <= now.getTime()) continue;
    if (first === null || Date.parse(at) < Date.parse(first)) first = at;
  }
  return first;
}

/** Returns the beginning of the next day of the device. */
export function nextMidnight(now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).toISOString();
}

/**
 * Returns the next moment at which the wording of these due dates changes: when one passes, or at a midnight that makes one due today or
 * tomorrow. Null if all have passed.
 */
export function nextWording(dueDates: readonly (string | null | undefined)[], now: Date): string | null {
  const due = firstAhead(dueDates, now);
  return due && firstAhead([due, nextMidnight(now)], now);
}
