import type { TFunction } from "i18next";

/** A time limit in words: «20 минут», «1 час 30 минут». */
export function durationText(seconds: number, t: TFunction): string {
  const parts = [
    { count: Math.floor(seconds / 3600), text: "quiz.timed.hours" },
    { count: Math.floor(seconds / 60) % 60, text: "quiz.timed.minutes" },
    { count: Math.round(seconds % 60), text: "quiz.timed.seconds" },
  ] as const;
  return parts.flatMap(({ count, text }) => (count > 0 ? t(text, { count }) : [])).join(" ");
}
