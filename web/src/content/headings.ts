import { type ContentNode, childrenOf, isNode, MAX_DEPTH, plainText } from "./model";

export interface HeadingPlace {
  /** Null for a heading without letters. */
  anchor: string | null;
  /**
   * 2 to 5: the depth in the page's outline, under the page's title as its only h1. An author who picks level 3 for its
   * looks leaves no hole for those who walk the page by its headings.
   */
  rank: number;
}

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

/** Every heading's place, in one walk through the document; repeated anchors are numbered in reading order. */
export function placeHeadings(document: ContentNode): ReadonlyMap<ContentNode, HeadingPlace> {
  const places = new Map<ContentNode, HeadingPlace>();
  const seen = new Map<string, number>();
  /** The levels of the headings this one stands under. */
  const above: number[] = [];

  const place = (heading: ContentNode) => {
    const level = headingLevel(heading);
    while ((above.at(-1) ?? 0) >= level) above.pop();
    above.push(level);
    const base = anchorOf(plainText(heading));
    const earlier = seen.get(base) ?? 0;
    seen.set(base, earlier + 1);
    const anchor = earlier === 0 ? base : `${base}-${earlier}`;
    places.set(heading, { anchor: base === "" ? null : anchor, rank: above.length + 1 });
  };
  const visit = (node: ContentNode, depth: number) => {
    if (node.type === "heading") return place(node);
    if (depth >= MAX_DEPTH) return;
    for (const child of childrenOf(node)) if (isNode(child)) visit(child, depth + 1);
  };
  visit(document, 0);
  return places;
}

/** The author's level, which decides how the heading looks. */
export function headingLevel(heading: ContentNode): number {
  const level = heading.attrs?.level;
  return level === 1 || level === 2 || level === 3 || level === 4 ? level : 2;
}
