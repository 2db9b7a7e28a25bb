import type { TFunction } from "i18next";
import type { QuestionOf } from "../model";

/** Formats the word limits of an essay: «нужно от 50 до 200»; null without limits. */
export function boundsText(
  { minWords, maxWords }: Pick<QuestionOf<"EssayQuestion">, "minWords" | "maxWords">,
  t: TFunction,
): string | null {
  const least = minWords !== null && minWords > 0;
  if (least && maxWords !== null) return t("quiz.essay.between", { least: minWords, most: maxWords });
  if (least) return t("quiz.essay.atLeast", { least: minWords });
  return maxWords === null ? null : t("quiz.essay.atMost", { most: maxWords });
}
