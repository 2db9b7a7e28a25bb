import { type ContentNode, childrenOf, isNode } from "../../content/model";
import { canonical } from "../stored";

/** A run of consecutive blocks that are equal in both texts, or differ. */
export interface Run {
  kind: "same" | "changed";
  mine: ContentNode[];
  theirs: ContentNode[];
}

/** Limit on the size of the comparison table; beyond it the whole middle of the texts counts as changed. */
const MOST_PAIRS = 4_000_000;

/** Compares two texts block by block, by their longest common subsequence. */
export function diffBlocks(mine: unknown, theirs: unknown): Run[] {
  const [a, b] = [blocksOf(mine), blocksOf(theirs)];
  const [keysA, keysB] = [a.map(keyOf), b.map(keyOf)];
  let start = 0;
  while (start < a.length && start < b.length && keysA[start] === keysB[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && keysA.at(-1 - end) === keysB.at(-1 - end))
    end += 1;

  const runs: Run[] = [];
  const push = (kind: Run["kind"], mine: ContentNode[], theirs: ContentNode[]) => {
    if (mine.length + theirs.length === 0) return;
    const last = runs.at(-1);
    if (last?.kind === kind) {
      last.mine.push(...mine);
      last.theirs.push(...theirs);
    } else runs.push({ kind, mine: [...mine], theirs: [...theirs] });
  };
  push("same", a.slice(0, start), b.slice(0, start));
  const [midA, midB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (midA.length * midB.length > MOST_PAIRS) push("changed", midA, midB);
  else {
    const common = longestCommon(keysA.slice(start, a.length - end), keysB.slice(start, b.length - end));
    let [i, j] = [0, 0];
    for (const [atA, atB] of [...common, [midA.length, midB.length] as const]) {
      push("changed", midA.slice(i, atA), midB.slice(j, atB));
      if (atA < midA.length) push("same", midA.slice(atA, atA + 1), midB.slice(atB, atB + 1));
      [i, j] = [atA + 1, atB + 1];
    }
  }
  push("same", a.slice(a.length - end), b.slice(b.length - end));
  return runs;
}

function blocksOf(content: unknown): ContentNode[] {
  return isNode(content) ? childrenOf(content).filter(isNode) : [];
}

const keyOf = (block: ContentNode) => JSON.stringify(canonical(block));

/** Index pairs of a longest common subsequence. */
function longestCommon(a: string[], b: string[]): [number, number][] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}
