import { commonPairs } from "./sequence";

const WORD = /[\p{L}\p{M}\p{N}_]+|\s+|./gsu;

/** Bound on the differences that are looked for in one text. */
const MOST_DIFFERENCES = 400;

/** The words, spaces and signs of a text; together they are the text. */
export const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** A part of two texts. */
export interface Part {
  kind: "same" | "removed" | "added";
  text: string;
}

/** What two texts share and what they do not, word by word. */
export function diffWords(before: string, after: string): Part[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const parts: Part[] = [];
  const push = (kind: Part["kind"], words: readonly string[]) => {
    if (words.length > 0) parts.push({ kind, text: words.join("") });
  };
  for (const run of runsOf(wordPairs(a, b), a.length, b.length)) {
    if (run.kind === "same") push("same", b.slice(...run.after));
    else {
      push("removed", a.slice(...run.before));
      push("added", b.slice(...run.after));
    }
  }
  return parts;
}

/**
 * Returns the pairs of equal words. Spaces and punctuation between two changed words count as changed, because a single unchanged space
 * between "red fox" and "grey wolf" would make the change harder to read.
 */
export function wordPairs(a: readonly string[], b: readonly string[]): [number, number][] {
  const pairs = commonPairs(a, b, MOST_DIFFERENCES);
  const runs = runsOf(pairs, a.length, b.length);
  const dropped = new Set<number>();
  for (const [at, run] of runs.entries()) {
    if (run.kind === "changed" || at === 0 || at === runs.length - 1) continue;
    const words = a.slice(...run.before);
    if (words.every((word) => /^(?:\s+|[^\p{L}\p{N}]+)$/u.test(word)) && words.length < 3)
      for (let index = run.before[0]; index < run.before[1]; index += 1) dropped.add(index);
  }
  return pairs.filter(([index]) => !dropped.has(index));
}

/** Consecutive elements that both sequences share, or that they do not; as bounds in both. */
export interface Span {
  kind: "same" | "changed";
  before: [from: number, to: number];
  after: [from: number, to: number];
}

export function runsOf(pairs: readonly [number, number][], lengthA: number, lengthB: number): Span[] {
  const runs: Span[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...pairs, [lengthA, lengthB] as const]) {
    if (nextI > i || nextJ > j) runs.push({ kind: "changed", before: [i, nextI], after: [j, nextJ] });
    const last = runs.at(-1);
    if (nextI < lengthA && nextJ < lengthB) {
      if (last?.kind === "same") {
        last.before[1] += 1;
        last.after[1] += 1;
      } else runs.push({ kind: "same", before: [nextI, nextI + 1], after: [nextJ, nextJ + 1] });
    }
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return runs;
}
