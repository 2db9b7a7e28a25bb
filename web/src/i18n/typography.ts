const NBSP = "\u00a0";

/**
 * Russian line-breaking habits, applied to the words once at start so that the word files stay readable: nothing breaks
 * before an em dash, after a one-letter word, or between a number and what it counts.
 */
export function noBreaks(text: string): string {
  return text
    .replaceAll(" —", `${NBSP}—`)
    .replace(/(?<=^|[\s«(])([авикосу]) /giu, `$1${NBSP}`)
    .replace(/(\{\{(?:count|percent)[^}]*\}\}) /g, `$1${NBSP}`);
}

/** `noBreaks` on every text of a tree of words. */
export function typeset<T>(words: T): T {
  if (typeof words === "string") return noBreaks(words) as T;
  if (Array.isArray(words)) return words.map(typeset) as T;
  if (typeof words !== "object" || words === null) return words;
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, typeset(value)])) as T;
}
