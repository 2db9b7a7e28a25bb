import { placeHeadings } from "../../content/headings";
import { type ContentNode, childrenOf, isNode, MAX_DEPTH } from "../../content/model";

interface Anchor {
  anchor: string;
  /** Index of the block of the page that is or contains the heading. */
  block: number;
}

/** The anchors of the headings of a page in reading order. */
function anchorsOf(content: unknown): Anchor[] {
  if (!isNode(content)) return [];
  const places = placeHeadings(content);
  const anchors: Anchor[] = [];
  const visit = (node: ContentNode, block: number, depth: number) => {
    const anchor = places.get(node)?.anchor;
    if (anchor) anchors.push({ anchor, block });
    else if (depth < MAX_DEPTH)
      for (const child of childrenOf(node)) if (isNode(child)) visit(child, block, depth + 1);
  };
  childrenOf(content).forEach((node, block) => {
    if (isNode(node)) visit(node, block, 1);
  });
  return anchors;
}

/** The anchor of the last heading that begins at or above a block; null without one. */
export function headingAbove(content: unknown, block: number): string | null {
  return anchorsOf(content).findLast((one) => one.block <= block)?.anchor ?? null;
}

/**
 * The block where a place is in a text that was changed since: the heading above it, or, above the first heading, the block with its number.
 * Null when the heading is gone: then the page opens at its start.
 */
export function blockInChanged(
  content: unknown,
  place: { block: number; heading: string | null },
): number | null {
  const anchors = anchorsOf(content);
  if (place.heading !== null) return anchors.find(({ anchor }) => anchor === place.heading)?.block ?? null;
  const last = (anchors[0]?.block ?? (isNode(content) ? childrenOf(content).length : 0)) - 1;
  return last < 1 ? null : Math.min(place.block, last);
}
