import { type ContentNode, childrenOf, isNode, stringAttr } from "../../content/model";
import { keyOf } from "./diffBlocks";
import { commonPairs } from "./sequence";
import { wordsOf } from "./words";

/** A block of two aligned lists of blocks. */
export type Aligned =
  | { kind: "same"; before: ContentNode; after: ContentNode }
  /** The same block with another content. */
  | { kind: "pair"; before: ContentNode; after: ContentNode }
  | { kind: "removed"; before: ContentNode }
  | { kind: "added"; after: ContentNode };

/** Blocks of one kind are one changed block if they share this much of their words. */
const LEAST_SIMILAR = 0.34;
/** Bound on the pairs of blocks that are compared between two equal blocks. */
const MOST_COMPARED = 10_000;
/** Only the beginning of a long block decides which block it is. */
const MOST_WORDS = 400;

/** Aligns two lists of blocks: equal blocks first, and between them the blocks that are most alike. Keeps the order of both lists. */
export function align(before: readonly ContentNode[], after: readonly ContentNode[]): Aligned[] {
  const aligned: Aligned[] = [];
  let [i, j] = [0, 0];
  const equal = commonPairs(before.map(keyOf), after.map(keyOf));
  for (const [nextI, nextJ] of [...equal, [before.length, after.length] as const]) {
    aligned.push(...alignChanged(before.slice(i, nextI), after.slice(j, nextJ)));
    const [one, other] = [before[nextI], after[nextJ]];
    if (one && other) aligned.push({ kind: "same", before: one, after: other });
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return aligned;
}

function alignChanged(before: ContentNode[], after: ContentNode[]): Aligned[] {
  const aligned: Aligned[] = [];
  let [i, j] = [0, 0];
  const end = [before.length, after.length] as const;
  for (const [nextI, nextJ] of [...mostAlike(before, after), end]) {
    aligned.push(...before.slice(i, nextI).map((block) => ({ kind: "removed", before: block }) as const));
    aligned.push(...after.slice(j, nextJ).map((block) => ({ kind: "added", after: block }) as const));
    const [one, other] = [before[nextI], after[nextJ]];
    if (one && other) aligned.push({ kind: "pair", before: one, after: other });
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return aligned;
}

/** The pairs with the greatest sum of similarities that keep the order of both lists. */
function mostAlike(before: readonly ContentNode[], after: readonly ContentNode[]): [number, number][] {
  if (before.length * after.length > MOST_COMPARED) return samePlaces(before, after);
  const width = after.length + 1;
  const alike = new Float64Array(before.length * after.length);
  const best = new Float64Array((before.length + 1) * width);
  const at = (values: Float64Array, index: number) => values[index] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const [one, other] = [before[i], after[j]];
      const value = one && other ? similarity(one, other) : 0;
      alike[i * after.length + j] = value >= LEAST_SIMILAR ? value : 0;
      const paired = value >= LEAST_SIMILAR ? value + at(best, (i + 1) * width + j + 1) : 0;
      best[i * width + j] = Math.max(paired, at(best, (i + 1) * width + j), at(best, i * width + j + 1));
    }
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < before.length && j < after.length; ) {
    const value = at(alike, i * after.length + j);
    if (value > 0 && at(best, i * width + j) === value + at(best, (i + 1) * width + j + 1)) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(best, (i + 1) * width + j) >= at(best, i * width + j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Pairs the similar blocks of two long lists of the same length by their indexes. Such lists result from replacing a word in a whole text. */
function samePlaces(before: readonly ContentNode[], after: readonly ContentNode[]): [number, number][] {
  if (before.length !== after.length) return [];
  return before.flatMap((one, at): [number, number][] => {
    const other = after[at];
    return other && similarity(one, other) >= LEAST_SIMILAR ? [[at, at]] : [];
  });
}

/** How much two blocks are alike, from 0 to 1. */
function similarity(before: ContentNode, after: ContentNode): number {
  if (before.type !== after.type) return 0;
  const [one, other] = [bagOf(before), bagOf(after)];
  if (one.count + other.count === 0) return stringAttr(before, "src") === stringAttr(after, "src") ? 1 : 0.5;
  let shared = 0;
  for (const [word, count] of one.words) shared += Math.min(count, other.words.get(word) ?? 0);
  const words = (2 * shared) / (one.count + other.count);
  // A picture, a formula or a video that stands at the place of another replaces it.
  return childrenOf(before).length === 0 && childrenOf(after).length === 0 ? Math.max(words, 0.5) : words;
}

interface Bag {
  words: Map<string, number>;
  count: number;
}

const bags = new WeakMap<ContentNode, Bag>();

function bagOf(block: ContentNode): Bag {
  const known = bags.get(block);
  if (known) return known;
  const words = new Map<string, number>();
  const list = [...wordsIn(block)].slice(0, MOST_WORDS);
  for (const word of list) words.set(word, (words.get(word) ?? 0) + 1);
  const bag = { words, count: list.length };
  bags.set(block, bag);
  return bag;
}

/** Yields the words of a block and its descendants in lower case. */
function* wordsIn(node: ContentNode): Generator<string> {
  if (typeof node.text === "string")
    for (const word of wordsOf(node.text)) if (/[\p{L}\p{N}]/u.test(word)) yield word.toLowerCase();
  for (const name of ["caption", "filename", "latex"]) {
    const value = stringAttr(node, name);
    if (value) yield* wordsOf(value).filter((word) => word.trim() !== "");
  }
  for (const child of childrenOf(node)) if (isNode(child)) yield* wordsIn(child);
}
