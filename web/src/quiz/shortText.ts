import { type ContentNode, childrenOf, isNode, plainText } from "../content/model";

const SHOWN = 60;

/** The text of a document, shortened for names and announcements; "" when it has no text. */
export function shortText(content: unknown, shown = SHOWN): string {
  if (!isNode(content)) return "";
  const text = words(content).replace(/\s+/g, " ").trim();
  return text.length > shown ? `${text.slice(0, shown - 1).trimEnd()}…` : text;
}

function words(node: ContentNode): string {
  if (node.type === "image") return typeof node.attrs?.alt === "string" ? node.attrs.alt : "";
  if (node.type === "blockMath") return typeof node.attrs?.latex === "string" ? node.attrs.latex : "";
  if (node.type === "blank") return "___";
  const children = childrenOf(node).filter(isNode);
  // Blocks are separated by spaces, inline nodes are not.
  return children.some((child) => childrenOf(child).length > 0 || child.type === "image")
    ? children.map(words).join(" ")
    : node.type === "text" || children.length === 0
      ? plainText(node)
      : children.map(words).join("");
}
