import type { AnnouncementPartsFragment, AnnouncementsQuery } from "./Announcements.generated";

export type Announcement = AnnouncementPartsFragment;
export type Course = AnnouncementsQuery["course"];

/** The value of `write` in the address for a new announcement; that of an existing one is its ID. */
export const NEW = "new";

/** What the address says besides the course. */
export interface AnnouncementsSearch {
  /** Opens the form: `NEW`, or the ID of an announcement to edit. */
  write?: string;
}

/** The id of the element of an announcement, which notices name in the fragment of the address. */
export const elementId = (id: string) => `a-${id}`;

/** The announcement that a fragment of the address names; undefined for another fragment. */
export const idOf = (hash: string) => /^#?a-([0-9a-f-]{36})$/.exec(hash)?.[1];

/** Not published yet, or just being published. */
export const isScheduled = ({ publishedAt }: Pick<Announcement, "publishedAt">) => publishedAt === null;

/** The server's order: scheduled ones by their time, then pinned ones, then others, the newest first. */
export function ordered<T extends Pick<Announcement, "id" | "publishAt" | "publishedAt" | "isPinned">>(
  all: readonly T[],
): T[] {
  const rank = (one: T) => (isScheduled(one) ? 0 : one.isPinned ? 1 : 2);
  return [...all].sort((one, other) => {
    if (rank(one) !== rank(other)) return rank(one) - rank(other);
    if (isScheduled(one)) return compare(one.publishAt, other.publishAt) || compare(one.id, other.id);
    return compare(other.publishedAt, one.publishedAt) || compare(other.id, one.id);
  });
}

function compare(one: string | null, other: string | null): number {
  const [a, b] = [one ?? "", other ?? ""];
  return a < b ? -1 : Number(a > b);
}

/** What the course screen shows: pinned announcements and unread ones, at most this many, in their order. */
const SHOWN = 3;

export function shownOnCourse<
  T extends Pick<Announcement, "id" | "publishAt" | "publishedAt" | "isPinned" | "isRead">,
>(all: readonly T[]): T[] {
  return ordered(all.filter((one) => !isScheduled(one) && (one.isPinned || !one.isRead))).slice(0, SHOWN);
}
