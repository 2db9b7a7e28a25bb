import { childrenOf, isNode } from "../content/model";

/** Whether a document says anything: a letter, or a node that is something by itself. */
export function isFilledDocument(document: unknown): boolean {
  if (typeof document === "string") return document.trim() !== "";
  if (!isNode(document)) return false;
  if (document.type === "text") return (document.text ?? "").trim() !== "";
  if (TELLING.has(document.type)) return true;
  return childrenOf(document).some(isFilledDocument);
}

/** Nodes without text that say something all the same. */
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
