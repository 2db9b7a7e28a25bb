import type { TFunction } from "i18next";

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a format; each is made once, because making one takes much longer than using it. */
function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, format);
  return format;
}

const zones = new Map<string, boolean>();

/** Whether the browser knows a time zone. The server may know newer ones. */
export function isKnownZone(timeZone: string): boolean {
  let isKnown = zones.get(timeZone);
  if (isKnown === undefined) {
    try {
      isKnown = Boolean(formatOf("en", { timeZone }));
    } catch {
      isKnown = false;
    }
    zones.set(timeZone, isKnown);
  }
  return isKnown;
}

/** UTC stands in for a zone that the browser does not know; `zoneText` says so. */
const inZone = (timeZone: string) => ({ timeZone: isKnownZone(timeZone) ? timeZone : "UTC" });

/** Formats a date in words: today and yesterday with the time, a date of this year without the year. */
export function formatDateTime(iso: string, now: Date, language: string, t: TFunction): string {
  const date = new Date(iso);
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000);
  const time = formatOf(language, { timeStyle: "short" }).format(date);
  if (days === 0) return t("common.today", { time });
  if (days === 1) return t("common.yesterday", { time });
  const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return formatOf(language, { day: "numeric", month: "long", year }).format(date);
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
  const zone = timeZone === undefined ? {} : inZone(timeZone);
  const yearOf = (one: Date) => formatOf("en", { ...zone, year: "numeric" }).format(one);
  const year = yearOf(date) === yearOf(now) ? undefined : "numeric";
  return {
    day: formatOf(language, { ...zone, day: "numeric", month: "long", year }).format(date),
    time: formatOf(language, { ...zone, timeStyle: "short" }).format(date),
    daysAhead: Math.round((midnight(date) - midnight(now)) / 86_400_000),
  };
}

/** Returns the offset of a time zone from UTC at a moment: «GMT+3». */
export function offsetOf(iso: string, timeZone: string): string {
  const format = formatOf("en", { ...inZone(timeZone), timeZoneName: "shortOffset" });
  return format.formatToParts(new Date(iso)).find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** Returns the local time of a zone at a moment, to the minute: `2026-12-05T23:59`. */
export function localOf(iso: string, timeZone: string): string {
  const two = "2-digit" as const;
  const format = formatOf("en", {
    ...inZone(timeZone),
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
