import type { TFunction } from "i18next";
import { when } from "../i18n/when";

/** A day and its time: versions of one afternoon differ by minutes. */
export function moment(iso: string, language: string, t: TFunction): string {
  const day = when(iso, new Date(), language, t);
  if (/\d\d:\d\d/.test(day)) return day;
  const time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" }).format(
    new Date(iso),
  );
  return `${day}, ${time}`;
}
