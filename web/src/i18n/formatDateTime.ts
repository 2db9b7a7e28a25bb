import type { TFunction } from "i18next";

/** Formats a date in words: today and yesterday with the time, a date of this year without the year. */
export function formatDateTime(iso: string, now: Date, language: string, t: TFunction): string {
  const date = new Date(iso);
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(date);
  if (days === 0) return t("common.today", { time });
  if (days === 1) return t("common.yesterday", { time });
  const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat(language, { day: "numeric", month: "long", year }).format(date);
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** A moment in words: the day, with its year unless it is the current one, the time, and the days from today to it. */
export interface Moment {
  day: string;
  time: string;
  daysAhead: number;
}

/** Returns the parts of a moment for a sentence: «5 декабря», «23:59». Without a zone, in the one of the device. */
export function momentOf(iso: string, now: Date, language: string, timeZone?: string): Moment {
  const date = new Date(iso);
  const zone = timeZone === undefined ? {} : { timeZone };
  const yearOf = (one: Date) => new Intl.DateTimeFormat("en", { ...zone, year: "numeric" }).format(one);
  const year = yearOf(date) === yearOf(now) ? undefined : "numeric";
  return {
    day: new Intl.DateTimeFormat(language, { ...zone, day: "numeric", month: "long", year }).format(date),
    time: new Intl.DateTimeFormat(language, { ...zone, timeStyle: "short" }).format(date),
    daysAhead: Math.round((midnight(date) - midnight(now)) / 86_400_000),
  };
}

/** Returns the offset of a time zone from UTC at a moment: «GMT+3». */
export function offsetOf(iso: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" });
  return format.formatToParts(new Date(iso)).find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** Returns the local time of a zone at a moment, to the minute: `2026-12-05T23:59`. */
export function localOf(iso: string, timeZone: string): string {
  const two = "2-digit" as const;
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
  });
  const part = new Map(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
  return `${part.get("year")}-${part.get("month")}-${part.get("day")}T${part.get("hour")}:${part.get("minute")}`;
}
