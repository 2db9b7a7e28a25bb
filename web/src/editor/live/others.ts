/** Another person who has the page open. */
export interface Present {
  id: string;
  /** Null when the person has set no name. */
  name: string | null;
  /** Whether it is this person, in another window. */
  isSelf: boolean;
  /** The block with the cursor, by its index; null if the cursor is not in the text. */
  block: number | null;
}

interface OpenEditor {
  userSessionId?: string | null;
  block?: number | null;
  editor: { id: string; fullName?: string | null };
}

/** Each person once, regardless of their number of windows, at the first block with a cursor of theirs; this window is left out. */
export function othersOf(
  editors: readonly OpenEditor[] | undefined,
  session: string | undefined,
  userId: string,
): readonly Present[] {
  const others = new Map<string, Present>();
  for (const { userSessionId, editor, block = null } of editors ?? []) {
    if (userSessionId === session) continue;
    const known = others.get(editor.id);
    if (known) known.block ??= block;
    else
      others.set(editor.id, {
        id: editor.id,
        name: editor.fullName ?? null,
        isSelf: editor.id === userId,
        block,
      });
  }
  return [...others.values()];
}

/** Initials of the first two words: «ИА» for «Иванова Анна Петровна». */
export function initials(name: string): string {
  const [first = "", second = ""] = name.trim().split(/\s+/);
  return `${[...first][0] ?? ""}${[...second][0] ?? ""}`.toUpperCase();
}

/** A colour derived from the id, so that it is the same everywhere. */
export function toneOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return sum % 3;
}
