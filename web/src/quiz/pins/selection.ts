import { lengthOf, sliceOf, type TextPlace } from "./places";

/**
 * The place of a selection in the text of an answer, without spaces at its ends; null for a selection of nothing or outside of it. The
 * elements with `data-at` hold `data-length` code points of the text (see PinnedText); what is between them, such as numbers of comments,
 * does not count.
 */
export function placeOfSelection(root: Element, selection: Selection | null): TextPlace | null {
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!range.intersectsNode(root)) return null;
  let start: number | null = null;
  let text = "";
  for (const piece of root.querySelectorAll<HTMLElement>("[data-at]")) {
    if (!range.intersectsNode(piece)) continue;
    let at = Number(piece.dataset.at);
    const end = at + Number(piece.dataset.length);
    for (const node of textNodes(piece)) {
      // What follows the text of a piece is no part of the answer: a link says that it opens in a new tab.
      const own = sliceOf(node.data, 0, end - at);
      const from = node === range.startContainer ? range.startOffset : 0;
      const to = node === range.endContainer ? Math.min(range.endOffset, own.length) : own.length;
      if (range.intersectsNode(node) && from < to) {
        start ??= at + lengthOf(own.slice(0, from));
        text += own.slice(from, to);
      }
      at += lengthOf(own);
    }
  }
  if (start === null || text.trim() === "") return null;
  start += lengthOf(text) - lengthOf(text.trimStart());
  return { start, end: start + lengthOf(text.trim()) };
}

function* textNodes(element: Element): Generator<Text> {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) yield node as Text;
}

/** The text of a place, for announcements. */
export const quoteOf = (text: string, { start, end }: TextPlace): string => sliceOf(text, start, end);
