import type { TFunction } from "i18next";
import type { ItemRow } from "./rows";
import type { TreeEntry } from "./tree";

/** The title that a row shows; a page without a title shows its number. */
export function shownTitle(row: ItemRow, t: TFunction): string {
  if (row.kind === "module") return row.module.title;
  if (row.kind === "lesson") return row.lesson.title;
  return row.page.title ?? t("reading.untitledPage", { number: row.number });
}

export function entryTitle(found: TreeEntry, t: TFunction): string {
  return found.item.title ?? t("reading.untitledPage", { number: found.index + 1 });
}
