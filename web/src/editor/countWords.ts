import type { Node } from "@tiptap/pm/model";

/** Counts words: runs of letters and digits, with hyphens and apostrophes inside them. */
export function countWords(doc: Node): number {
  let count = 0;
  doc.descendants((node) => {
    if (!node.isTextblock) return true;
    const text = node.textBetween(0, node.content.size, " ", " ");
    count += text.match(/[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’_-]*[\p{L}\p{N}])?/gu)?.length ?? 0;
    return false;
  });
  return count;
}
