import type { TFunction } from "i18next";
import { formatDateTime } from "../i18n/formatDateTime";

/** Formats a day with its time, because versions of one day differ by minutes. */
export function dateAndTime(iso: string, language: string, t: TFunction): string {
  const day = formatDateTime(iso, new Date(), language, t);
  if (/\d:\d\d/.test(day)) return day;
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(iso));
  return `${day}, ${time}`;
}
