const NBSP = "\u00a0";

/**
 * Replaces spaces by no-break spaces according to Russian typography: before an em dash, after a one-letter word, and between a
 * number and its noun. Applied when texts are loaded, so that the text files stay readable.
 */
export function noBreaks(text: string): string {
  return text
    .replaceAll(" —", `${NBSP}—`)
    .replace(/(?<=^|[\s«(])([авикосу]) /giu, `$1${NBSP}`)
    .replace(/(\{\{(?:count|percent)[^}]*\}\}) /g, `$1${NBSP}`);
}

/** Applies `noBreaks` to every string of a tree of texts. */
export function typeset<T>(words: T): T {
  if (typeof words === "string") return noBreaks(words) as T;
  if (Array.isArray(words)) return words.map(typeset) as T;
  if (typeof words !== "object" || words === null) return words;
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, typeset(value)])) as T;
}
