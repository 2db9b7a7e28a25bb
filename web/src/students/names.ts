import type { TFunction } from "i18next";

/** A message names at most this many students. */
const MOST_NAMES = 5;

/** Lists the names of students. Of many, it lists the first and counts the others. */
export function listOf(names: readonly string[], t: TFunction, language: string): string {
  const others = names.length - MOST_NAMES;
  // One more name is shorter than saying that there is one.
  const shown =
    others > 1 ? [...names.slice(0, MOST_NAMES), t("students.groups.more", { count: others })] : names;
  return new Intl.ListFormat(language).format(shown);
}
