/**
 * Mentions of people in comments. A comment is stored as plain text with `@[Name](user:ID)` for each mention; people type and read `@Name`.
 */

export interface Mentioned {
  id: string;
  name: string;
}

export type TextPart = { text: string } | Mentioned;

const STORED = /@\[([^\]\n]{1,200})\]\(user:([0-9a-f-]{36})\)/gi;

/** The text of a comment by its parts: words and mentions. */
export function partsOf(stored: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of stored.matchAll(STORED)) {
    const [whole, name = "", id = ""] = match;
    if (match.index > end) parts.push({ text: stored.slice(end, match.index) });
    parts.push({ id, name });
    end = match.index + whole.length;
  }
  if (end < stored.length) parts.push({ text: stored.slice(end) });
  return parts;
}

/** A stored text as it is typed, with the people it mentions. */
export function typedOf(stored: string): { text: string; mentioned: Mentioned[] } {
  const parts = partsOf(stored);
  return {
    text: parts.map((part) => ("id" in part ? `@${part.name}` : part.text)).join(""),
    mentioned: parts.filter((part) => "id" in part),
  };
}

/** A typed text as it is stored. Only people that were chosen from the list and whose names still stand in the text are mentioned. */
export function storedOf(typed: string, mentioned: readonly Mentioned[]): string {
  const byLength = [...mentioned].sort((one, other) => other.name.length - one.name.length);
  let stored = "";
  for (let at = 0; at < typed.length; ) {
    const found =
      typed[at] === "@" &&
      byLength.find(
        ({ name }) => typed.startsWith(name, at + 1) && !isLetter(typed.slice(at + 1 + name.length)),
      );
    if (found) {
      stored += `@[${withoutBrackets(found.name)}](user:${found.id})`;
      at += 1 + found.name.length;
    } else {
      stored += typed[at];
      at += 1;
    }
  }
  return stored;
}

const isLetter = (text: string) => /^[\p{L}\p{N}]/u.test(text);
const withoutBrackets = (name: string) => name.replace(/[[\]\n]/g, " ");

/** The mention that is being typed before the cursor: where its sign stands and what follows it; null outside of one. */
export function mentionAt(typed: string, cursor: number): { from: number; query: string } | null {
  const before = typed.slice(0, cursor);
  const from = before.lastIndexOf("@");
  // Within an address of mail the sign is no mention.
  if (from < 0 || /[\p{L}\p{N}._-]$/u.test(before.slice(0, from))) return null;
  const query = before.slice(from + 1);
  return query.length <= 40 && !/[\n@]/.test(query) && !/^\s/.test(query) ? { from, query } : null;
}

/** The people whose names or addresses have words that begin as typed. */
export function findPeople<P extends { name: string; email?: string | null }>(
  people: readonly P[],
  query: string,
): P[] {
  const wanted = fold(query).split(/\s+/).filter(Boolean);
  return people.filter(({ name, email }) => {
    const words = fold(`${name} ${email ?? ""}`).split(/[\s@.]+/);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
}

const fold = (text: string) => text.toLocaleLowerCase().replaceAll("ё", "е");
