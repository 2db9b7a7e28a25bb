/** The place of a search result in the address of its page: what is to be found there, as the fragment of the address. */

export interface FoundPlace {
  /** The words to mark, as they stand in the text. */
  words: string[];
  /** The text before the first of them, without white space: a long block may have the words at several places. */
  before: string;
  /** Index of the block of the page that has them; null for a question. */
  block: number | null;
  questionId: string | null;
}

interface Snippet {
  parts: readonly { text: string; matched: boolean }[];
  block: number | null;
  questionId: string | null;
}

/** Limits of words, and of characters before them, so that the address stays short. */
const WORDS_MAX = 8;
const BEFORE_MAX = 30;

/** The fragment of an address, without «#», that leads to the place of a snippet. */
export function placeHash({ parts, block, questionId }: Snippet): string {
  const words = parts.filter(({ matched }) => matched).map(({ text }) => text.trim());
  const different = [...new Map(words.map((word) => [word.toLowerCase(), word])).values()].filter(Boolean);
  const first = parts.findIndex(({ matched }) => matched);
  const before = parts
    .slice(0, first)
    .map(({ text }) => text)
    .join("")
    .replace(/^…|\s/g, "");
  return new URLSearchParams({
    find: different.slice(0, WORDS_MAX).join(" "),
    ...(before !== "" && { after: before.slice(-BEFORE_MAX) }),
    ...(block !== null && { block: String(block) }),
    ...(questionId !== null && { question: questionId }),
  }).toString();
}

/** Reads the place from `location.hash`; null for other fragments. */
export function placeOf(hash: string): FoundPlace | null {
  if (!hash.startsWith("#find=")) return null;
  const given = new URLSearchParams(hash.slice(1));
  const block = given.get("block");
  return {
    words: (given.get("find") ?? "").split(" ").filter(Boolean).slice(0, WORDS_MAX),
    before: (given.get("after") ?? "").slice(-BEFORE_MAX),
    block: block !== null && /^\d{1,6}$/.test(block) ? Number(block) : null,
    questionId: given.get("question"),
  };
}
