import type { TFunction } from "i18next";
import { TITLE_MAX } from "../limits.generated";
import type { ItemRow } from "./rows";
import type { TreeEntry } from "./tree";

/** The problem of a title, as a key of `outline`; null for a valid one. Length is counted in characters, as on the server. */
export function titleProblem(title: string, optional: boolean): "titleRequired" | "titleTooLong" | null {
  if (title === "") return optional ? null : "titleRequired";
  return [...title].length > TITLE_MAX ? "titleTooLong" : null;
}

/** The title that a row shows; a page without a title shows its number. */
export function shownTitle(row: ItemRow, t: TFunction): string {
  if (row.kind === "module") return row.module.title;
  if (row.kind === "lesson") return row.lesson.title;
  return row.page.title ?? t("reading.untitledPage", { number: row.number });
}

export function entryTitle(found: TreeEntry, t: TFunction): string {
  return found.item.title ?? t("reading.untitledPage", { number: found.index + 1 });
}
