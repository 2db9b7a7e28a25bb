import type { useTranslation } from "../i18n/useTranslation";

/** The name of a hint; the only one has no number. */
export function hintName(t: ReturnType<typeof useTranslation>["t"], index: number, count: number): string {
  return count === 1 ? t("quiz.hints.one") : t("quiz.hints.of", { number: index + 1, count });
}
