/** The modules and lessons of a course that an author has collapsed, in local storage. */
const KEY = "outline-collapsed";

export function readCollapsed(courseId: string): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(`${KEY}:${courseId}`) ?? "[]");
    return new Set(Array.isArray(kept) ? kept.map(String) : []);
  } catch {
    return new Set();
  }
}

export function keepCollapsed(courseId: string, collapsed: ReadonlySet<string>) {
  try {
    if (collapsed.size === 0) localStorage.removeItem(`${KEY}:${courseId}`);
    else localStorage.setItem(`${KEY}:${courseId}`, JSON.stringify([...collapsed]));
  } catch {
    // With a full or forbidden storage the choice lasts as long as the screen.
  }
}
