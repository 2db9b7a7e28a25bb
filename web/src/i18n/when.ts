import type { TFunction } from "i18next";

/** A moment as a person says it: today and yesterday with the time, this year without the year. */
export function when(iso: string, now: Date, language: string, t: TFunction): string {
  const moment = new Date(iso);
  const days = Math.round((midnight(now) - midnight(moment)) / 86_400_000);
  const time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" }).format(moment);
  if (days === 0) return t("common.today", { time });
  if (days === 1) return t("common.yesterday", { time });
  const year = moment.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat(language, { day: "numeric", month: "long", year }).format(moment);
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
