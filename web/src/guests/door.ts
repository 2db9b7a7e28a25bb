import { codeOfSearch } from "../home/shareCode";

/** How a visitor comes to a course: by its public page, or by a share code. */
export type Door = { courseId: string; isAtOnce: boolean } | { shareCode: string };

/** Returns the course that a path of the app leads to, if it can be started without an account; null for all other paths. */
export function doorOf(path: string): Door | null {
  const { pathname, searchParams } = new URL(path, window.location.origin);
  const courseId = /^\/join\/([^/]+)$/.exec(pathname)?.[1];
  if (courseId) return { courseId, isAtOnce: searchParams.get("guest") === "1" };
  const { code } = codeOfSearch(Object.fromEntries(searchParams));
  return pathname === "/" && code ? { shareCode: code } : null;
}
