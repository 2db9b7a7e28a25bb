import type { TFunction } from "i18next";

/** Where an answer belongs: the page and the number of the question, which an assignment does not have. */
export function placeOf(
  { pageTitle, number }: { pageTitle: string | null; number: number },
  isAssignment: boolean,
  t: TFunction,
): string {
  const page = pageTitle ?? t("grading.untitled");
  return isAssignment ? page : t("grading.place", { page, number });
}
