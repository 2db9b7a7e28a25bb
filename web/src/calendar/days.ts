/** Days and months of the reader's own time zone. A day is written as `2026-12-01`, a month as `2026-12`. */

/** The day of a moment. */
export function dayOf(date: Date): string {
  return `${monthOf(date)}-${two(date.getDate())}`;
}

/** The month of a moment. */
export function monthOf(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}`;
}

/** The first moment of a day. */
export function startOfDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date);
}

/** Reads a month from an address; undefined if it is none between 2000 and 2099. */
export function parseMonth(text: unknown): string | undefined {
  return typeof text === "string" && /^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

/** The month that is `by` months later. */
export function addMonths(month: string, by: number): string {
  const date = startOfDay(`${month}-01`);
  return monthOf(new Date(date.getFullYear(), date.getMonth() + by, 1));
}

/** The day that is `by` days later. */
export function addDays(day: string, by: number): string {
  const date = startOfDay(day);
  return dayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() + by));
}

/** The weeks of a month from Monday to Sunday, with the days of its neighbours. */
export function weeksOf(month: string): string[][] {
  const first = startOfDay(`${month}-01`);
  const before = (first.getDay() + 6) % 7;
  const day = (number: number) => new Date(first.getFullYear(), first.getMonth(), 1 - before + number);
  const weeks: string[][] = [];
  while (weeks.length === 0 || monthOf(day(weeks.length * 7)) === month)
    weeks.push(Array.from({ length: 7 }, (_, index) => dayOf(day(weeks.length * 7 + index))));
  return weeks;
}

/** Groups events by day, in their order. */
export function byDay<T extends { at: string }>(events: readonly T[]): [day: string, events: T[]][] {
  const days = new Map<string, T[]>();
  for (const event of events) {
    const day = dayOf(new Date(event.at));
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days];
}

const two = (number: number) => String(number).padStart(2, "0");
