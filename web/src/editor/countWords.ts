import type { Node } from "@tiptap/pm/model";

/** Words as a reader counts them: letters and digits together, a hyphen or an apostrophe inside one is part of it. */
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
