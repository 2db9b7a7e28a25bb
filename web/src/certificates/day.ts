import { momentOf } from "../i18n/formatDateTime";

/** Before every certificate, so that each day is written with its year. */
const LONG_AGO = new Date(0);

/** Returns the day of a moment with its year: «5 декабря 2026 г.». Without a zone, in the one of the device. */
export const dayOf = (iso: string, language: string, timeZone?: string): string =>
  momentOf(iso, LONG_AGO, language, timeZone).day;

/** Returns the last day on which a certificate is valid: its end is the first moment after that day, and so on the next one. */
export const lastDayOf = (expiresAt: string, language: string, timeZone: string): string =>
  dayOf(new Date(Date.parse(expiresAt) - 1).toISOString(), language, timeZone);
