import { type ContentNode, childrenOf, isNode } from "../content/model";

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’_-]*[\p{L}\p{N}])?/gu;

/** Counts the words of a document as the server does: runs of letters and digits, with hyphens and apostrophes inside them. */
export function wordsOf(content: unknown): number {
  if (!isNode(content)) return 0;
  const children = childrenOf(content).filter(isNode);
  if (!children.some(({ type }) => type === "text"))
    return children.reduce((sum, child) => sum + wordsOf(child), 0);
  const line = children.map(({ type, text }: ContentNode) => (type === "text" ? (text ?? "") : " ")).join("");
  return line.match(WORD)?.length ?? 0;
}

interface Bounds {
  minWords: number | null;
  maxWords: number | null;
}

/** What is wrong with the length of an answer; null for a length within the bounds, and for an empty answer, which is none. */
export function lengthProblem(words: number, { minWords, maxWords }: Bounds): "short" | "long" | null {
  if (words === 0) return null;
  if (minWords !== null && words < minWords) return "short";
  return maxWords !== null && words > maxWords ? "long" : null;
}
