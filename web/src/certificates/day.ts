import { momentOf } from "../i18n/formatDateTime";

/** Before every certificate, so that each day is written with its year. */
const LONG_AGO = new Date(0);

/** Returns the day of a moment with its year: «5 декабря 2026 г.». */
export const dayOf = (iso: string, language: string): string => momentOf(iso, LONG_AGO, language).day;
