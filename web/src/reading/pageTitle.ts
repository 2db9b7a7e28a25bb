import type { TFunction } from "i18next";

/** A page's title; one without is known by its number within the lesson. */
export function pageTitle(page: { title: string | null; number: number }, t: TFunction): string {
  return page.title || t("reading.untitledPage", { number: page.number });
}
