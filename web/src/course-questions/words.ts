import { countCharacters } from "../forms/rules";
import { WORDS_MAX } from "../limits.generated";

/** The words of a text field with one of them per line, each once. */
export function wordsOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
  return [...new Set(lines.filter(Boolean))];
}

/** The words as the text of the field. */
export const textOf = (words: readonly string[]): string => words.join("\n");

/**
 * Brings two changes of the words together: what was added and removed in the form since `read` is done to what is stored now, so that the
 * words of a colleague who saved in the meantime stay.
 */
export function mergeWords(
  read: readonly string[],
  typed: readonly string[],
  stored: readonly string[],
): string[] {
  const kept = stored.filter((word) => typed.includes(word) || !read.includes(word));
  const added = typed.filter((word) => !read.includes(word) && !kept.includes(word));
  return [...kept, ...added];
}

export const isSameWords = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word, at) => word === other[at]);

/** Characters of a word at most; the server's limit. */
const CHARACTERS = 50;

/** What the server would refuse. */
export function wordsProblem(words: readonly string[]): "tooMany" | "tooLong" | null {
  if (words.length > WORDS_MAX) return "tooMany";
  return words.some((word) => countCharacters(word) > CHARACTERS) ? "tooLong" : null;
}
