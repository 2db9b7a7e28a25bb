import { childrenOf, isNode } from "./model";

/** Whether a document has content: text, or a node such as an image. */
export function isFilledDocument(document: unknown): boolean {
  if (typeof document === "string") return document.trim() !== "";
  if (!isNode(document)) return false;
  if (document.type === "text") return (document.text ?? "").trim() !== "";
  if (TELLING.has(document.type)) return true;
  return childrenOf(document).some(isFilledDocument);
}

/** Nodes that count as content without text. */
const TELLING = new Set([
  "image",
  "video",
  "audio",
  "embed",
  "attachment",
  "inlineMath",
  "blockMath",
  "horizontalRule",
  "blank",
]);
