/** Another person who has the page open. */
export interface Present {
  id: string;
  /** Null when the person has set no name. */
  name: string | null;
  /** Whether it is this person, in another window. */
  isSelf: boolean;
}

interface OpenEditor {
  userSessionId?: string | null;
  editor: { id: string; fullName?: string | null };
}

/** Each person once, regardless of their number of windows; this window is left out. */
export function othersOf(
  editors: readonly OpenEditor[] | undefined,
  session: string | undefined,
  userId: string,
): readonly Present[] {
  const others = new Map<string, Present>();
  for (const { userSessionId, editor } of editors ?? []) {
    if (userSessionId === session || others.has(editor.id)) continue;
    others.set(editor.id, {
      id: editor.id,
      name: editor.fullName ?? null,
      isSelf: editor.id === userId,
    });
  }
  return [...others.values()];
}

/** Initials of the first two words: «ИА» for «Иванова Анна Петровна». */
export function initials(name: string): string {
  const [first = "", second = ""] = name.trim().split(/\s+/);
  return `${[...first][0] ?? ""}${[...second][0] ?? ""}`.toUpperCase();
}
