import { type ContentNode, childrenOf, isNode, MAX_DEPTH, plainText } from "./model";

/**
 * The anchor of a heading with this text (docs/content-model.md, "Addresses"). The importer rewrites links by the same rule,
 * so a change here breaks the links inside imported courses.
 */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/\p{White_Space}/gu, "-")
    .replace(/[^\p{Alphabetic}\p{Number}_-]/gu, "");
}

/** Every heading's anchor, repeated ones numbered; a heading without letters has none. */
export function headingAnchors(document: ContentNode): ReadonlyMap<ContentNode, string> {
  const anchors = new Map<ContentNode, string>();
  const seen = new Map<string, number>();
  const visit = (node: ContentNode, depth: number) => {
    if (node.type === "heading") {
      const base = anchorOf(plainText(node));
      if (base === "") return;
      const earlier = seen.get(base) ?? 0;
      seen.set(base, earlier + 1);
      anchors.set(node, earlier === 0 ? base : `${base}-${earlier}`);
      return;
    }
    if (depth >= MAX_DEPTH) return;
    for (const child of childrenOf(node)) if (isNode(child)) visit(child, depth + 1);
  };
  visit(document, 0);
  return anchors;
}
