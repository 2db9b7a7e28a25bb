import { type ContentNode, childrenOf, isNode, MAX_DEPTH } from "../../content/model";
import { PLACE } from "../../content/places";

/**
 * Places in the text of an answer. Offsets count Unicode code points, as the server does, in the document's text nodes one after the
 * other, without anything between them.
 */
export interface TextPlace {
  start: number;
  end: number;
}

/** The text that offsets count in. */
export function textOf(document: unknown, depth = 0): string {
  if (!isNode(document) || depth > MAX_DEPTH) return "";
  if (document.type === "text") return document.text ?? "";
  return childrenOf(document)
    .map((child) => textOf(child, depth + 1))
    .join("");
}

/** The number of code points in a text. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The code points of a text from `start` to before `end`. */
export function sliceOf(text: string, start: number, end?: number): string {
  return [...text].slice(start, end).join("");
}

/** The offset in code points for an offset in UTF-16 units, as the DOM has them. */
export function offsetIn(text: string, units: number): number {
  return lengthOf(text.slice(0, units));
}

/**
 * The document with its text cut at the ends of the places. Each piece has a mark with its offset and length, with the indexes of the
 * places that contain it, and with those that end with it.
 */
export function markPlaces(document: unknown, places: readonly TextPlace[]): unknown {
  const cuts = [...new Set(places.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  let at = 0;
  const walk = (node: ContentNode, depth: number): ContentNode[] => {
    if (!isNode(node) || depth > MAX_DEPTH) return [node];
    if (node.type !== "text" || !node.text) {
      return Array.isArray(node.content)
        ? [{ ...node, content: node.content.flatMap((child) => walk(child, depth + 1)) }]
        : [node];
    }
    const characters = [...node.text];
    const from = at;
    at += characters.length;
    const ends = [from, ...cuts.filter((cut) => cut > from && cut < at), at];
    return ends.slice(1).map((end, index) => {
      const start = ends[index] as number;
      const inside = places.flatMap((place, one) => (place.start <= start && place.end >= end ? [one] : []));
      const ending = inside.filter((one) => places[one]?.end === end);
      return {
        ...node,
        text: characters.slice(start - from, end - from).join(""),
        marks: [
          ...(Array.isArray(node.marks) ? node.marks : []),
          { type: PLACE, attrs: { at: start, length: end - start, inside, ending } },
        ],
      };
    });
  };
  return isNode(document) ? walk(document, 0)[0] : document;
}

/** Finds the words or the sentences of a document in their order; none crosses the end of a paragraph or of a line. */
export function unitsOf(document: unknown, granularity: "word" | "sentence"): TextPlace[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity });
  const found: TextPlace[] = [];
  let at = 0;
  const take = (run: string) => {
    for (const { segment, isWordLike } of segmenter.segment(run)) {
      const start = at + lengthOf(segment) - lengthOf(segment.trimStart());
      at += lengthOf(segment);
      const text = segment.trim();
      if (text && isWordLike !== false) found.push({ start, end: start + lengthOf(text) });
    }
  };
  const walk = (node: ContentNode, depth: number) => {
    if (!isNode(node) || depth > MAX_DEPTH) return;
    let run = "";
    for (const child of childrenOf(node)) {
      if (isNode(child) && child.type === "text") run += child.text ?? "";
      else {
        take(run);
        run = "";
        walk(child, depth + 1);
      }
    }
    take(run);
  };
  if (isNode(document)) walk(document, 0);
  return found;
}

const MOVES = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 } as const;

/**
 * The place after an arrow key: left and right go by words, up and down by sentences. With Shift the end moves instead, by a word or to
 * the end of a sentence. Null for another key, or where there is nothing to choose.
 */
export function placeAfterKey(
  document: unknown,
  { start, end }: TextPlace,
  key: string,
  isExtending: boolean,
): TextPlace | null {
  if (!(key in MOVES)) return null;
  const by = MOVES[key as keyof typeof MOVES];
  const units = unitsOf(document, key === "ArrowLeft" || key === "ArrowRight" ? "word" : "sentence");
  if (!isExtending) {
    const next =
      by > 0 ? units.find((unit) => unit.start > start) : units.findLast((unit) => unit.start < start);
    return next ?? { start, end };
  }
  const next = by > 0 ? units.find((unit) => unit.end > end) : units.findLast((unit) => unit.end < end);
  return { start, end: next && next.end > start ? next.end : end };
}
