/**
 * The tabs of the course editor; the first has no name in the address. A module of its own, because the route reads the address before
 * it loads the screen.
 */
export const TABS = ["contents", "dates", "students", "grades", "grading", "settings", "trash"] as const;
export type Tab = (typeof TABS)[number];
