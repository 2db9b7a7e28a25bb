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
