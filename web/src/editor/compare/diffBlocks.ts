import { type ContentNode, childrenOf, isNode } from "../../content/model";
import { canonical } from "../stored";
import { commonPairs } from "./sequence";

/** A run of consecutive blocks that are equal in both texts, or differ. */
export interface Run {
  kind: "same" | "changed";
  mine: ContentNode[];
  theirs: ContentNode[];
}

/** Compares two texts block by block, by their longest common subsequence. */
export function diffBlocks(mine: unknown, theirs: unknown): Run[] {
  const [a, b] = [blocksOf(mine), blocksOf(theirs)];
  const runs: Run[] = [];
  const push = (kind: Run["kind"], mine: ContentNode[], theirs: ContentNode[]) => {
    if (mine.length + theirs.length === 0) return;
    const last = runs.at(-1);
    if (last?.kind === kind) {
      last.mine.push(...mine);
      last.theirs.push(...theirs);
    } else runs.push({ kind, mine: [...mine], theirs: [...theirs] });
  };
  let [i, j] = [0, 0];
  for (const [atA, atB] of [...commonPairs(a.map(keyOf), b.map(keyOf)), [a.length, b.length] as const]) {
    push("changed", a.slice(i, atA), b.slice(j, atB));
    if (atA < a.length) push("same", a.slice(atA, atA + 1), b.slice(atB, atB + 1));
    [i, j] = [atA + 1, atB + 1];
  }
  return runs;
}

export function blocksOf(content: unknown): ContentNode[] {
  return isNode(content) ? childrenOf(content).filter(isNode) : [];
}

/** Equal for blocks that mean the same. */
export const keyOf = (block: ContentNode) => JSON.stringify(canonical(block));
