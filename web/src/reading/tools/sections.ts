import { placeHeadings } from "../../content/headings";
import { type ContentNode, childrenOf, isNode, MAX_DEPTH, plainText } from "../../content/model";

/** A heading of a page in its contents. */
export interface Section {
  /** The fragment of its address. */
  anchor: string;
  title: string;
  /** Whether it is part of the section before it. */
  isInner: boolean;
}

/** Fewer sections need no contents. */
const MIN_SECTIONS = 3;

/**
 * The contents of a page: its headings of the first two ranks, without those that collapsed parts hide. Empty for a page with fewer than
 * three of them.
 */
export function sectionsOf(content: unknown): Section[] {
  if (!isNode(content)) return [];
  const places = placeHeadings(content);
  const sections: Section[] = [];
  const visit = (node: ContentNode, depth: number) => {
    const place = places.get(node);
    if (place) {
      const title = plainText(node).trim();
      if (place.anchor !== null && place.rank <= 3 && title !== "")
        sections.push({ anchor: place.anchor, title, isInner: place.rank === 3 });
    } else if (node.type !== "details" && depth < MAX_DEPTH) {
      for (const child of childrenOf(node)) if (isNode(child)) visit(child, depth + 1);
    }
  };
  visit(content, 0);
  return sections.length < MIN_SECTIONS ? [] : sections;
}
