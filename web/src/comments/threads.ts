import type { TFunction } from "i18next";
import type { ThreadFragment } from "./Comments.generated";

export type Thread = ThreadFragment;

/** The block of each thread in the text as it is shown; null for one whose place has gone or that has none. */
export type Places = ReadonlyMap<string, number | null>;

/** The threads in the order of their blocks: those about the whole page first, those whose place has gone last. */
export function inOrder(threads: readonly Thread[], places: Places): Thread[] {
  const rank = ({ id, anchor }: Thread) =>
    anchor ? (places.get(id) ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY;
  return [...threads].sort((one, other) => {
    const [a, b] = [rank(one), rank(other)];
    if (a !== b) return a < b ? -1 : 1;
    return one.createdAt < other.createdAt ? -1 : one.createdAt > other.createdAt ? 1 : 0;
  });
}

/** A block with open threads, by its index. */
export interface Mark {
  block: number;
  threads: readonly string[];
}

/** The blocks with open threads, in their order. */
export function marksOf(threads: readonly Thread[], places: Places): Mark[] {
  const marks = new Map<number, string[]>();
  for (const { id } of inOrder(openOf(threads), places)) {
    const block = places.get(id) ?? null;
    if (block !== null) marks.set(block, [...(marks.get(block) ?? []), id]);
  }
  return [...marks].map(([block, threads]) => ({ block, threads }));
}

/** How many open threads the blocks have. */
export const countsOf = (marks: readonly Mark[]) =>
  marks.map(({ block, threads }) => ({ block, count: threads.length }));

export const openOf = (threads: readonly Thread[]): Thread[] =>
  threads.filter(({ state }) => state === "OPEN");

/** The blocks of the threads in the text that the server has. */
export const storedPlaces = (threads: readonly Thread[]): Map<string, number | null> =>
  new Map(threads.map(({ id, anchor }) => [id, anchor?.block ?? null]));

export type Role = "OWNER" | "EDITOR" | "TEACHER" | "REVIEWER" | "ADMIN" | "LEARNER";

export const mayEditCourse = (role: Role): boolean => role === "OWNER" || role === "EDITOR";
export const mayComment = (role: Role): boolean =>
  mayEditCourse(role) || role === "TEACHER" || role === "REVIEWER";
/** Editors close and reopen every thread, others the ones they started. */
export const mayResolve = (role: Role, { startedBy }: Pick<Thread, "startedBy">, userId: string): boolean =>
  mayEditCourse(role) || (mayComment(role) && startedBy?.id === userId);

/** The name of a person for others. */
export function nameOf(person: { fullName?: string | null } | null | undefined, t: TFunction): string {
  if (!person) return t("comments.gone");
  return person.fullName || t("comments.nameless");
}
