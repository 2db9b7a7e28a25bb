import { Anchors } from "./anchors";
import { type ContentNode, childrenOf, isNode, MAX_DEPTH, plainText } from "./model";

export interface HeadingPlace {
  /** Null for a heading without letters or digits. */
  anchor: string | null;
  /**
   * 2 to 5: the depth in the page's outline below the title, which is the only h1. A level that the author skipped leaves no gap for
   * people who navigate by headings.
   */
  rank: number;
}

/** The anchor and depth of every heading, in one traversal of the document. */
export function placeHeadings(document: ContentNode): ReadonlyMap<ContentNode, HeadingPlace> {
  const places = new Map<ContentNode, HeadingPlace>();
  const anchors = new Anchors();
  /** Levels of the enclosing headings. */
  const above: number[] = [];

  const visit = (node: ContentNode, depth: number) => {
    if (node.type === "heading") {
      const level = headingLevel(node);
      while ((above.at(-1) ?? 0) >= level) above.pop();
      above.push(level);
      places.set(node, { anchor: anchors.next(plainText(node)), rank: above.length + 1 });
    } else if (depth < MAX_DEPTH) {
      for (const child of childrenOf(node)) if (isNode(child)) visit(child, depth + 1);
    }
  };
  visit(document, 0);
  return places;
}

/** The author's level, which determines the heading's size. */
export function headingLevel(heading: ContentNode): number {
  const level = heading.attrs?.level;
  return level === 1 || level === 2 || level === 3 || level === 4 ? level : 2;
}
