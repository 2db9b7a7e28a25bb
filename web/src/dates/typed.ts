import { isKnownZone, localOf } from "../i18n/formatDateTime";

/** A local time as the server takes it: `2026-12-05T23:59`, or a day without a time: `2026-12-05`. */
export type Local = string;

/** The zone of a course without one. */
export const zoneOf = (timeZone: string | null): string => timeZone ?? "UTC";

/** Returns a moment as authors type it, in the zone of the course: «05.12.2026 23:59», in English `2026-12-05 23:59`. */
export function typedOf(iso: string | null, zone: string, language: string): string {
  return iso === null ? "" : shownLocal(localOf(iso, zone), language);
}

/** Returns a typed local time as the server takes it. In a zone that the browser does not know, times are typed in UTC. */
export function sentOf(local: Local, zone: string): string {
  return isKnownZone(zone) || !local.includes("T") ? local : `${local}:00Z`;
}

/** Whether a value is sent as a local time or a day: it is meant in the zone of the course. */
export const isLocal = (sent: unknown): boolean =>
  typeof sent === "string" && /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(sent);

/**
 * Whether a typed time is the one that a stored date shows. Screens show minutes: the seconds that a stored date has, as imported ones do,
 * are kept if the minute is typed again.
 */
export const isShownAs = (local: Local, stored: string | null, zone: string): boolean =>
  stored !== null && local === localOf(stored, zone);

/** Returns a local time as authors type it. */
export function shownLocal(local: Local, language: string): string {
  const [day = "", time] = local.split("T");
  const [year, month, date] = day.split("-");
  return [language === "ru" ? `${date}.${month}.${year}` : day, time].filter(Boolean).join(" ");
}

/**
 * Reads a typed day, with or without a time: «5.12», «5.12.26», «05.12.2026 9:30», `2026-12-05T09:30`. A day without a year is the next
 * one. Null for anything else, and for days that do not exist.
 */
export function parseTyped(text: string, now: Date): Local | null {
  const [dayText = "", timeText, ...more] = text.trim().replace(/,/g, " ").replace("T", " ").split(/\s+/);
  const day = parseDay(dayText, now);
  if (!day || more.length > 0) return null;
  if (timeText === undefined) return day;
  const time = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(timeText);
  return time && `${day}T${two(time[1])}:${time[2]}`;
}

function parseDay(text: string, now: Date): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return existing(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dotted = /^(\d{1,2})[./](\d{1,2})(?:[./](\d{4}|\d{2}))?[.]?$/.exec(text);
  if (!dotted) return null;
  const [date, month] = [Number(dotted[1]), Number(dotted[2])];
  if (dotted[3])
    return existing(dotted[3].length === 2 ? 2000 + Number(dotted[3]) : Number(dotted[3]), month, date);
  const thisYear = existing(now.getFullYear(), month, date);
  const isPast = thisYear !== null && new Date(`${thisYear}T23:59`) < now;
  return isPast ? existing(now.getFullYear() + 1, month, date) : thisYear;
}

/** The server takes years from 2000 to 2099. */
function existing(year: number, month: number, date: number): string | null {
  const day = new Date(Date.UTC(year, month - 1, date));
  const exists = day.getUTCMonth() === month - 1 && day.getUTCDate() === date;
  return exists && year >= 2000 && year <= 2099 ? day.toISOString().slice(0, 10) : null;
}

const two = (digits: string | undefined) => (digits ?? "").padStart(2, "0");

/** Moves a local time by days; its time of day stays, whatever the clocks do between. */
export function shifted(local: Local, days: number): Local {
  const [day = "", time] = local.split("T");
  const moved = new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  return time ? `${moved}T${time}` : moved;
}

/** Returns the days from one local day to another. */
export function daysBetween(from: Local, to: Local): number {
  const dayOf = (local: Local) => Date.parse(`${local.slice(0, 10)}T00:00:00Z`);
  return Math.round((dayOf(to) - dayOf(from)) / 86_400_000);
}

const DAY_MS = 86_400_000;
/** Longer than any jump of local time: Samoa once skipped a whole day. */
const BEFORE_CHANGE_MS = 2 * DAY_MS;

/**
 * Returns the instant of a local time as the server reads the time of an opening: a day begins at 0:00, of a time that comes twice the
 * earlier one counts, and a time that is skipped is read with the offset before the gap.
 */
export function instantOf(local: Local, zone: string): Date {
  const [day = "", time = "00:00"] = local.split("T");
  const asUtc = Date.parse(`${day}T${time}Z`);
  const offsetAt = (ms: number) => Date.parse(`${localOf(new Date(ms).toISOString(), zone)}Z`) - ms;
  const offsets = [offsetAt(asUtc - BEFORE_CHANGE_MS), offsetAt(asUtc + BEFORE_CHANGE_MS)] as const;
  const right = offsets.filter(
    (offset) => localOf(new Date(asUtc - offset).toISOString(), zone) === `${day}T${time}`,
  );
  return new Date(asUtc - (right.length > 0 ? Math.max(...right) : offsets[0]));
}
