import type { TFunction } from "i18next";

/** A page's title, or its number within the lesson when it has none. */
export function pageTitle(page: { title: string | null; number: number }, t: TFunction): string {
  return page.title || t("reading.untitledPage", { number: page.number });
}
