import { TABS, type Tab, UNPUBLISHED } from "./tabs";

/** What the address says of a tab besides its name: its search, its order, its view. The tab ignores what it does not know. */
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
    | "snapshot"
    | "page"
    | "since",
    string
  >
>;

/** The address of the course editor besides the course. */
export interface CourseSearch extends Look {
  /** The open tab; left out for the contents. */
  tab?: Exclude<Tab, "contents">;
}

/** What a tab takes from the address; it knows which values there are. */
const LOOKS: Partial<Record<Tab, readonly (keyof Look)[]>> = {
  students: ["student", "search", "order", "group", "state", "view", "part"],
  grades: ["search", "order", "group", "view"],
  comments: ["view", "part"],
  grading: ["group", "view", "part", "answer"],
  snapshots: ["snapshot", "page", "view", "since"],
};

/** The tab that an address opens, and its look, without what there is not. */
export function lookOf({ tab, ...given }: Readonly<Record<string, unknown>>): { tab: Tab; look: Look } {
  if (tab === TABS[0] || !TABS.includes(tab as Tab))
    return { tab: TABS[0], look: given.view === UNPUBLISHED ? { view: UNPUBLISHED } : {} };
  const names = (LOOKS[tab as Tab] ?? []).filter((name) => given[name]);
  return { tab: tab as Tab, look: Object.fromEntries(names.map((name) => [name, String(given[name])])) };
}
