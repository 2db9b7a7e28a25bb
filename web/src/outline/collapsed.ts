import { forgetJson, keepJson, readJson } from "../ui/localJson";

/** The modules and lessons of a course that an author has collapsed, on this device. */
const KEY = "outline-collapsed";

export function readCollapsed(courseId: string): ReadonlySet<string> {
  const kept = readJson(`${KEY}:${courseId}`);
  return new Set(Array.isArray(kept) ? kept.map(String) : []);
}

/** With a full or forbidden storage the choice lasts as long as the screen. */
export function keepCollapsed(courseId: string, collapsed: ReadonlySet<string>) {
  if (collapsed.size === 0) forgetJson(`${KEY}:${courseId}`);
  else keepJson(`${KEY}:${courseId}`, [...collapsed]);
}
