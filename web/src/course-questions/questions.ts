import type { CourseRole, DiscussionFilter } from "../api/schema.generated";
import { mayModerate } from "../discussions/roles";
import type { CourseQuestionsQuery } from "./CourseQuestions.generated";

export type ListedQuestion = CourseQuestionsQuery["course"]["discussions"]["nodes"][number];

/** The filters of the list by their names in the address. */
export const FILTERS = {
  unanswered: "UNANSWERED",
  open: "OPEN",
  resolved: "RESOLVED",
  private: "PRIVATE",
  reported: "REPORTED",
  all: "ALL",
} as const satisfies Record<string, DiscussionFilter>;
export type FilterName = keyof typeof FILTERS;

/** The first filter, which the address leaves out. */
export const FIRST: FilterName = "unanswered";

/** The filters that a role has. Editors read neither questions to the teachers nor reports. */
export const filtersOf = (role: CourseRole): FilterName[] =>
  (Object.keys(FILTERS) as FilterName[]).filter(
    (name) => mayModerate(role) || (name !== "private" && name !== "reported"),
  );

/** The filter that an address asks for; the first one if the role does not have it. */
export const filterOf = (view: string | undefined, role: CourseRole): FilterName =>
  filtersOf(role).find((name) => name === view) ?? FIRST;

/**
 * The question that the keys J (1) and K (-1) open. An answered question leaves the list of those that wait: then the one that took its place
 * comes next, so `last` is the place at which the open question was.
 */
export function neighbour<T extends { id: string }>(
  rows: readonly T[],
  open: string | undefined,
  by: 1 | -1,
  last: number,
): T | undefined {
  const at = rows.findIndex(({ id }) => id === open);
  if (at >= 0) return rows[at + by];
  if (open === undefined) return by === 1 ? rows[0] : rows.at(-1);
  return rows[by === 1 ? last : last - 1];
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** How long a learner has waited, in its largest unit; "now" for less than a minute. */
export function waitOf(since: string, now: Date): { unit: "day" | "hour" | "minute" | "now"; count: number } {
  const seconds = Math.max(0, (now.getTime() - new Date(since).getTime()) / 1000);
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? ["now" as const, 1];
  return { unit, count: unit === "now" ? 0 : Math.floor(seconds / length) };
}

/** From this many days on, a waiting learner is marked. */
const LONG_DAYS = 3;

export const isLong = ({ unit, count }: ReturnType<typeof waitOf>): boolean =>
  unit === "day" && count >= LONG_DAYS;
