import type { TFunction } from "i18next";
import type { Part } from "./parts";

/** The title of a part; a page without one shows its number. */
export function partTitle({ item, number }: Part, t: TFunction): string {
  return item.title ?? t("reading.untitledPage", { number });
}
