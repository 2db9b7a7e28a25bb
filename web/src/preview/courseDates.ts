import { COLUMNS, type Column, dateOf, type Part } from "../dates/parts";

/** A date of a part of a course. */
export interface PartDate {
  part: Part;
  column: Column;
  /** Rounded up to the minute, so that at this moment the part has opened, or the due date has passed. */
  at: Date;
}

const MINUTE_MS = 60_000;

/** Returns the next dates after a moment, the earliest first. Parts that share a moment and a kind of date are listed once, by the first part. */
export function nextDates(parts: readonly Part[], after: Date, count: number): PartDate[] {
  const ahead = parts.flatMap((part) =>
    COLUMNS.flatMap((column): PartDate[] => {
      const date = dateOf(part, column);
      if (date === null) return [];
      const at = new Date(Math.ceil(Date.parse(date) / MINUTE_MS) * MINUTE_MS);
      return at > after ? [{ part, column, at }] : [];
    }),
  );
  const first = new Map<string, PartDate>();
  for (const one of ahead) {
    const key = `${one.at.getTime()} ${one.column}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()].sort((one, other) => one.at.getTime() - other.at.getTime()).slice(0, count);
}
