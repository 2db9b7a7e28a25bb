import type { TFunction } from "i18next";
import type { ItemRow } from "./rows";
import type { Found } from "./tree";

export const TITLE_MAX = 255;

/** What is wrong with a title, as a key of `outline`; null when nothing is. Counted as the server does, by characters. */
export function titleProblem(title: string, optional: boolean): "titleRequired" | "titleTooLong" | null {
  if (title === "") return optional ? null : "titleRequired";
  return [...title].length > TITLE_MAX ? "titleTooLong" : null;
}

/** The title of a row as it is shown: pages without one go by their number. */
export function shownTitle(row: ItemRow, t: TFunction): string {
  if (row.kind === "module") return row.module.title;
  if (row.kind === "lesson") return row.lesson.title;
  return row.page.title ?? t("reading.untitledPage", { number: row.number });
}

export function foundTitle(found: Found, t: TFunction): string {
  return found.item.title ?? t("reading.untitledPage", { number: found.index + 1 });
}
