/** Whom a preview shows: a learner without a group who has just enrolled, one of a group, or a named learner. */
type Who = { kind: "new" } | { kind: "group" | "student"; id: string };

/** Which course a preview shows, for whom, and at which moment. */
export interface Choice {
  courseId: string;
  who: Who;
  /** Null is the present. */
  at: Date | null;
  /** Whether pages have their unpublished changes, as if these were published. */
  drafts?: boolean;
}

/** A choice that was read from an address. */
export interface Address extends Choice {
  /** Whether the address contains a moment that the server refuses. */
  isBadMoment: boolean;
  /** The beginning of the addresses of this preview. */
  base: string;
  /** What follows the beginning: empty for the contents of the course, otherwise a slash and the page. */
  rest: string;
}

const ID = "[0-9a-fA-F-]{36}";
const PATTERN = new RegExp(`^/preview/(${ID})/(?:new|(group|student)-(${ID}))/([^/]+)(/drafts)?(?=/|$)`);

/** Returns the address of the course's contents in a preview. Those of its pages continue it with their ids. */
export function addressOf({ courseId, who, at, drafts }: Choice): string {
  const whom = who.kind === "new" ? who.kind : `${who.kind}-${who.id}`;
  return `/preview/${courseId}/${whom}/${at === null ? "now" : shortOf(at)}${drafts ? "/drafts" : ""}`;
}

/**
 * Reads the address of a preview or of a page in it: `/preview/{course}/{who}/{when}/{page}`, with `/drafts` before the page in
 * one with unpublished changes. It decodes the path, so that an encoded colon makes no difference. Null for another address.
 */
export function readAddress(pathname: string): Address | null {
  const path = decoded(pathname);
  const found = PATTERN.exec(path);
  if (!found) return null;
  const [base, courseId = "", kind, id = "", when = "", drafts] = found;
  const who: Who = kind ? { kind: kind as "group" | "student", id } : { kind: "new" };
  const at = when === "now" ? null : new Date(when);
  const isBadMoment = at !== null && !(/^\d{4}-\d\d-\d\dT.+Z$/.test(when) && isInRange(at));
  return {
    courseId,
    who,
    at: isBadMoment ? null : at,
    drafts: drafts !== undefined,
    isBadMoment,
    base,
    rest: path.slice(base.length),
  };
}

/** Returns the choice as the `PreviewInput` of the server. */
export function inputOf({ who, at }: Choice): { groupId?: string; enrollmentId?: string; at?: string } {
  return {
    ...(who.kind === "group" && { groupId: who.id }),
    ...(who.kind === "student" && { enrollmentId: who.id }),
    ...(at && { at: at.toISOString() }),
  };
}

/** The server takes moments of the years 2000 to 2099. */
export const isInRange = (at: Date): boolean =>
  at >= new Date("2000-01-01T00:00Z") && at < new Date("2100-01-01T00:00Z");

/** A moment without the seconds, if they are zero: `2026-12-05T20:59Z`. */
const shortOf = (at: Date) => at.toISOString().replace(/(?::00)?\.000Z$/, "Z");

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
