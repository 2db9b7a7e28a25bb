import { childrenOf, isNode } from "../content/model";

/** Two lines of any screen. */
const LENGTH = 240;

/** The first words of a document, without what is not text. */
export function excerptOf(document: unknown): string {
  const parts: string[] = [];
  let length = 0;
  const read = (node: unknown) => {
    if (length > LENGTH || !isNode(node)) return;
    if (node.type === "text" || node.type === "hardBreak") {
      const text = node.text ?? " ";
      parts.push(text);
      length += text.length;
      return;
    }
    for (const child of childrenOf(node)) read(child);
    // The text of two blocks does not run together.
    parts.push(" ");
  };
  read(document);
  const text = parts.join("").replace(/\s+/g, " ").trim();
  return text.length > LENGTH ? text.slice(0, text.lastIndexOf(" ", LENGTH)).trim() : text;
}
