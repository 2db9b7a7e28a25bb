/** Finds words in the text of an element, across the elements that format parts of a word. */

/** Limit on the ranges of an element, which only bounds the work of the browser. */
const RANGES_MAX = 200;

/** Elements inside a line of text: the words around their borders may be one word. */
const INLINE = new Set(["A", "B", "CODE", "EM", "I", "MARK", "S", "SPAN", "STRONG", "SUB", "SUP", "U"]);

/** The ranges of the words in `root`, in order. Case and «ё» do not matter. */
export function wordRanges(root: Element, words: readonly string[]): Range[] {
  const { text, nodes } = textOf(root);
  const whole = rangesOf(text, nodes, words, "(?![\\p{L}\\p{N}])");
  // A term may be the beginning of a word.
  return whole.length > 0 ? whole : rangesOf(text, nodes, words, "");
}

/** The range of the words that follows `before`, a text without white space, most closely; the first of equal ones. */
export function rangeAfter(root: Element, ranges: readonly Range[], before: string): Range | undefined {
  const wanted = folded(before);
  let best = ranges[0];
  let most = 0;
  for (const range of ranges) {
    const lead = document.createRange();
    lead.setStart(root, 0);
    lead.setEnd(range.startContainer, range.startOffset);
    const text = folded(lead.toString().replace(/\s/g, ""));
    let common = 0;
    while (common < wanted.length && wanted.at(-1 - common) === text.at(-1 - common)) common += 1;
    if (common > most) {
      best = range;
      most = common;
    }
  }
  return best;
}

interface Piece {
  node: Text;
  /** Where the node begins in the whole text. */
  start: number;
}

function textOf(root: Element): { text: string; nodes: Piece[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Piece[] = [];
  let text = "";
  let last: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const block = blockOf(node);
    if (last && block !== last) text += "\n";
    last = block;
    nodes.push({ node: node as Text, start: text.length });
    text += folded((node as Text).data);
  }
  return { text, nodes };
}

function blockOf(node: Node): Element | null {
  let element = node.parentElement;
  while (element && INLINE.has(element.tagName)) element = element.parentElement;
  return element;
}

/** Folds case and «ё» like the server's search. The length stays the same, because the offsets are used. */
function folded(text: string): string {
  return text.replace(/[\p{Lu}\p{Lt}ё]/gu, (letter) => {
    const small = letter.toLowerCase().replace("ё", "е");
    return small.length === letter.length ? small : letter;
  });
}

function rangesOf(text: string, nodes: Piece[], words: readonly string[], end: string): Range[] {
  if (nodes.length === 0 || words.length === 0) return [];
  const longestFirst = words.map(folded).sort((a, b) => b.length - a.length);
  const anyWord = longestFirst.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");
  const ranges: Range[] = [];
  for (const found of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyWord})${end}`, "gu"))) {
    const range = document.createRange();
    range.setStart(...placeIn(nodes, found.index, false));
    range.setEnd(...placeIn(nodes, found.index + found[0].length, true));
    ranges.push(range);
    if (ranges.length === RANGES_MAX) break;
  }
  return ranges;
}

/** The node and the offset in it of an offset in the whole text; an end belongs to the node before it. */
function placeIn(nodes: Piece[], offset: number, isEnd: boolean): [Text, number] {
  const at = nodes.findLastIndex(({ start }) => (isEnd ? start < offset : start <= offset));
  const { node, start } = nodes[Math.max(at, 0)] as Piece;
  return [node, Math.min(Math.max(offset - start, 0), node.data.length)];
}
