import { TABS, type Tab, UNPUBLISHED } from "./tabs";

/** The search parameters of a tab: its search, order and view. The tab ignores unknown values. */
export type Look = Partial<
  Record<
    | "student"
    | "search"
    | "order"
    | "group"
    | "state"
    | "view"
    | "part"
    | "answer"
    | "question"
    | "snapshot"
    | "page"
    | "since",
    string
  >
>;

/** The search parameters of the course editor. */
export interface CourseSearch extends Look {
  /** The open tab; left out for the contents. */
  tab?: Exclude<Tab, "contents">;
}

/** The search parameters that each tab reads. */
const LOOKS: Partial<Record<Tab, readonly (keyof Look)[]>> = {
  students: ["student", "search", "order", "group", "state", "view", "part"],
  grades: ["search", "order", "group", "view"],
  comments: ["view", "part"],
  grading: ["group", "view", "part", "answer"],
  questions: ["view", "question"],
  snapshots: ["snapshot", "page", "view", "since"],
};

/** Returns the tab that an address opens, and its known search parameters. */
export function lookOf({ tab, ...given }: Readonly<Record<string, unknown>>): { tab: Tab; look: Look } {
  if (tab === TABS[0] || !TABS.includes(tab as Tab))
    return { tab: TABS[0], look: given.view === UNPUBLISHED ? { view: UNPUBLISHED } : {} };
  const names = (LOOKS[tab as Tab] ?? []).filter((name) => given[name]);
  return { tab: tab as Tab, look: Object.fromEntries(names.map((name) => [name, String(given[name])])) };
}
