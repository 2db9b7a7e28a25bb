/**
 * The tabs of the course editor; the first has no name in the address. A module of its own, because the route reads the address before
 * it loads the screen.
 */
export const TABS = [
  "contents",
  "dates",
  "students",
  "grades",
  "grading",
  "questions",
  "comments",
  "settings",
  "trash",
  "snapshots",
] as const;
/** The view of the contents that lists the pages with unpublished changes. */
export const UNPUBLISHED = "unpublished";
/** The view of the grades that lists the regrades. */
export const REGRADES = "regrades";
export type Tab = (typeof TABS)[number];
