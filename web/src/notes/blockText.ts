import codeClasses from "../content/blocks/CodeBlock.module.css";
import mathClasses from "../content/blocks/Math.module.css";
import { type ContentNode, childrenOf, isNode } from "../content/model";

/**
 * The text of a block in which notes are counted: that of its text nodes, with one space where a line, a cell, a formula or a paragraph parts them,
 * and for each run of white space. `core/formats/src/content/quote.rs` has the same rule.
 */
export function quotableText(block: ContentNode): string {
  const collect = (node: ContentNode): string => {
    if (!isNode(node)) return " ";
    if (node.type === "text") return node.text ?? "";
    return ` ${childrenOf(node).map(collect).join("")} `;
  };
  return collect(block)
    .split(/\p{White_Space}+/u)
    .filter((word) => word !== "")
    .join(" ");
}

/** What a block shows besides the text of its document: buttons, captions, formulas, and the ticks of a reader. */
const OTHER = [
  "button",
  "figcaption",
  "[aria-hidden=true]",
  "[hidden]",
  'a[href^="#"][aria-label]',
  "[data-kept]",
  ...[mathClasses.formula, mathClasses.pending, mathClasses.unreadable, codeClasses.bar].map(
    (name) => `.${name}`,
  ),
].join();

const isSpace = (letter: string) => /^\p{White_Space}$/u.test(letter);

/** A letter on the screen: its text node, and where it is in it. */
interface Letter {
  node: Text;
  at: number;
  letter: string;
}

function lettersOf(element: Element): Letter[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(OTHER) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const found: Letter[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    let at = 0;
    for (const letter of node.data) {
      if (!isSpace(letter)) found.push({ node, at, letter });
      at += letter.length;
    }
  }
  return found;
}

/** The words of a block on the screen: its letters without white space, which the screen may have in other places than the document. */
export interface BlockWords {
  text: string;
  /** For each letter of the screen, its index in the text. */
  places: readonly number[];
  letters: readonly Letter[];
}

/** Brings the text of a block and its element together; null if they do not say the same. */
export function wordsOfBlock(block: ContentNode, element: Element): BlockWords | null {
  const text = quotableText(block);
  const places: number[] = [];
  const said: string[] = [];
  let index = 0;
  for (const letter of text) {
    if (!isSpace(letter)) {
      places.push(index);
      said.push(letter);
    }
    index += 1;
  }
  let letters = lettersOf(element);
  // A callout begins with the name of its kind, which is no part of the document.
  if (letters.length > said.length && block.type === "callout")
    letters = letters.slice(letters.length - said.length);
  const isSame = letters.length === said.length && letters.every(({ letter }, at) => letter === said[at]);
  return isSame ? { text, places, letters } : null;
}

/** The range on the screen of a part of the text of a block. */
export function rangeOn(words: BlockWords, { start, end }: { start: number; end: number }): Range | null {
  const from = words.letters[words.places.findIndex((place) => place >= start)];
  const to = words.letters[words.places.findLastIndex((place) => place < end)];
  if (!from || !to) return null;
  const range = document.createRange();
  range.setStart(from.node, from.at);
  range.setEnd(to.node, to.at + to.letter.length);
  return range.collapsed ? null : range;
}

/** The part of the text of a block that a selection contains, with its words; null if it contains no letter of it. */
export function selectedPart(
  words: BlockWords,
  selected: Range,
): { start: number; end: number; quote: string } | null {
  const isIn = ({ node, at, letter }: Letter) =>
    selected.comparePoint(node, at) === 0 && selected.comparePoint(node, at + letter.length) === 0;
  const first = words.letters.findIndex(isIn);
  const last = words.letters.findLastIndex(isIn);
  const start = words.places[first];
  const end = words.places[last];
  if (start === undefined || end === undefined) return null;
  return { start, end: end + 1, quote: [...words.text].slice(start, end + 1).join("") };
}
