import { isFilledDocument } from "../content/filled";
import { type ContentNode, childrenOf, isNode, stringAttr } from "../content/model";

/** Inline nodes, which continue the current line. */
const INLINE = new Set(["text", "hardBreak", "inlineMath"]);

/** Counts the words of a document as the server does (core/formats/src/content/walk.rs): runs without white space that contain a letter or a digit. */
export function wordsOf(content: unknown): number {
  if (!isNode(content)) return 0;
  return textOf(content)
    .split(/\s+/)
    .filter((run) => /[\p{Alphabetic}\p{N}]/u.test(run)).length;
}

function textOf(node: ContentNode): string {
  const start = INLINE.has(node.type) ? "" : "\n";
  return start + own(node) + childrenOf(node).filter(isNode).map(textOf).join("");
}

function own(node: ContentNode): string {
  switch (node.type) {
    case "text":
      return node.text ?? "";
    case "hardBreak":
      return "\n";
    case "inlineMath":
    case "blockMath":
      return stringAttr(node, "latex") ?? "";
    case "codeBlock":
      return `${stringAttr(node, "caption") ?? ""}\n`;
    default:
      return stringAttr(node, "caption") ?? "";
  }
}

interface Bounds {
  minWords: number | null;
  maxWords: number | null;
}

/** Returns the problem with the length of an answer; null if it is within the bounds or empty, because an empty answer counts as unanswered. */
export function lengthProblem(content: unknown, { minWords, maxWords }: Bounds): "short" | "long" | null {
  if (!isFilledDocument(content)) return null;
  const words = wordsOf(content);
  if (minWords !== null && words < minWords) return "short";
  return maxWords !== null && words > maxWords ? "long" : null;
}
