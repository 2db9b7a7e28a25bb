/** Somebody else who has the page open. */
export interface Present {
  id: string;
  /** Null while they have not said their name. */
  name: string | null;
  /** The same person, in another window. */
  isSelf: boolean;
}

interface OpenEditor {
  userSessionId?: string | null;
  editor: { id: string; fullName?: string | null };
}

/** Everybody once, whatever the number of their windows; this window is nobody. */
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

/** «Иванова Анна Петровна» is «ИА». */
export function initials(name: string): string {
  const [first = "", second = ""] = name.trim().split(/\s+/);
  return `${[...first][0] ?? ""}${[...second][0] ?? ""}`.toUpperCase();
}
