import type { NoticesQuery } from "./Notices.generated";

export type Notice = NoticesQuery["notices"]["items"][number];

/** Neighbours of one kind about one page, shown as one row; newest first, at least one. */
export interface Row {
  key: string;
  notices: readonly [Notice, ...Notice[]];
}

export interface OfCourse {
  /** Null for notices about no course. */
  course: Notice["course"];
  rows: readonly Row[];
}

export interface Day {
  /** A moment of the day. */
  at: string;
  courses: readonly OfCourse[];
}

/** The kinds of notices that are never joined, because each links elsewhere or says something else. */
export type AloneKind = "ANNOUNCEMENT" | "IMPORT_DONE" | "INVITED" | "NUDGE";

const ALONE: ReadonlySet<Notice["kind"]> = new Set<AloneKind>([
  "ANNOUNCEMENT",
  "IMPORT_DONE",
  "INVITED",
  "NUDGE",
]);

export const isAlone = (kind: Notice["kind"]): kind is AloneKind => ALONE.has(kind);

/** Groups notices, newest first, by local day and by course, and joins neighbours of the same kind about the same page. */
export function grouped(notices: readonly Notice[]): Day[] {
  return splitBy(notices, ({ happenedAt }) => new Date(happenedAt).toDateString()).map((ofDay) => ({
    at: ofDay[0].happenedAt,
    courses: splitBy(ofDay, ({ course }) => course?.id ?? "").map((ofCourse) => ({
      course: ofCourse[0].course,
      rows: joined(ofCourse),
    })),
  }));
}

/** Groups elements by key, in the order of the first element of each group. */
function splitBy<T>(all: readonly T[], keyOf: (one: T) => string): [T, ...T[]][] {
  const parts = new Map<string, [T, ...T[]]>();
  for (const one of all) {
    const key = keyOf(one);
    const part = parts.get(key);
    if (part) part.push(one);
    else parts.set(key, [one]);
  }
  return [...parts.values()];
}

function joined(notices: readonly Notice[]): Row[] {
  const rows: [Notice, ...Notice[]][] = [];
  for (const notice of notices) {
    const last = rows.at(-1);
    if (last && saysTheSame(last[0], notice)) last.push(notice);
    else rows.push([notice]);
  }
  // The key is that of the oldest notice, so that a newer one joins the row without remounting it.
  return rows.map((notices) => ({ key: notices.at(-1)?.id ?? "", notices }));
}

const saysTheSame = (one: Notice, other: Notice) =>
  one.kind === other.kind && one.page?.id === other.page?.id && !isAlone(one.kind);

interface Part {
  items: readonly Notice[];
  next: string | null;
}

/**
 * Replaces the newest notices after a refetch. Keeps older ones if they directly follow; otherwise drops them, because notices in between are
 * missing.
 */
export function renewed<T extends Part>(shown: T, newest: T): T {
  const last = newest.items.at(-1)?.id;
  const at = shown.items.findIndex(({ id }) => id === last);
  if (newest.next === null || at < 0) return newest;
  return { ...newest, items: [...newest.items, ...shown.items.slice(at + 1)], next: shown.next };
}

/** Appends the next notices, without duplicates. */
export function extended<T extends Part>(shown: T, more: T): T {
  const known = new Set(shown.items.map(({ id }) => id));
  return { ...more, items: [...shown.items, ...more.items.filter(({ id }) => !known.has(id))] };
}
