import { momentOf } from "./formatDateTime";

/** A moment to the second, on the clock of the device: «23:59:30», on another day «5 декабря, 23:59». Not part of the first load. */
export function preciseMoment(iso: string, now: Date, language: string): string {
  const { day, time, daysAhead } = momentOf(iso, now, language);
  if (daysAhead !== 0) return `${day}, ${time}`;
  return new Intl.DateTimeFormat(language, { timeStyle: "medium" }).format(new Date(iso));
}
