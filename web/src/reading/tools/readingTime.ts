import { type ContentNode, childrenOf, isNode, MAX_DEPTH, stringAttr } from "../../content/model";

/** Words of text that a reader of Russian reads in a minute. */
const WORDS_PER_MINUTE = 180;
/** Seconds for a line of code, which is read once for what it says and once for how. */
const CODE_LINE = 3;
/** Seconds for a picture, a formula of its own, and one within a line. */
const IMAGE = 10;
const BLOCK_FORMULA = 8;
const INLINE_FORMULA = 2;

/** Runs of letters and digits, with hyphens and apostrophes inside them, as the editor counts them. */
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’_-]*[\p{L}\p{N}])?/gu;

/** The minutes that reading a page takes; null for less than one. Videos, recordings and embedded pages are not counted. */
export function readingMinutes(content: unknown): number | null {
  if (!isNode(content)) return null;
  const seconds = secondsOf(content, 0);
  return seconds < 60 ? null : Math.round(seconds / 60);
}

function secondsOf(node: ContentNode, depth: number): number {
  switch (node.type) {
    case "codeBlock":
      return (
        textOf(node)
          .split("\n")
          .filter((line) => /\S/.test(line)).length * CODE_LINE
      );
    case "image":
      return IMAGE + secondsOfText(stringAttr(node, "caption") ?? "");
    case "blockMath":
      return BLOCK_FORMULA;
    case "inlineMath":
      return INLINE_FORMULA;
  }
  const children = childrenOf(node).filter(isNode);
  // A word may consist of several nodes, when a part of it is bold.
  if (children.some(({ type }) => type === "text"))
    return (
      secondsOfText(children.map((child) => child.text ?? " ").join("")) +
      children.reduce((sum, child) => sum + (child.type === "text" ? 0 : secondsOf(child, depth + 1)), 0)
    );
  return depth >= MAX_DEPTH ? 0 : children.reduce((sum, child) => sum + secondsOf(child, depth + 1), 0);
}

function secondsOfText(text: string): number {
  return ((text.match(WORD)?.length ?? 0) * 60) / WORDS_PER_MINUTE;
}

function textOf(node: ContentNode): string {
  return childrenOf(node)
    .map((child) => (typeof child.text === "string" ? child.text : ""))
    .join("");
}
