import type { ContentNode } from "../../content/model";
import { canonical } from "../stored";
import { diffBlocks } from "./diffBlocks";

/** A part of two changed texts: blocks that need no choice, or blocks that both texts changed. */
export type MergedPart =
  | { kind: "settled"; blocks: ContentNode[] }
  | { kind: "both"; mine: ContentNode[]; theirs: ContentNode[] };

/**
 * Merges two texts that were both made of `base`, block by block. What one of them changed is taken from it; blocks that both inserted at one
 * place are kept, theirs first; only what both changed differently is left to choose.
 */
export function mergeBlocks(base: unknown, mine: unknown, theirs: unknown): MergedPart[] {
  const [toMine, toTheirs] = [matches(base, mine), matches(base, theirs)];
  const parts: MergedPart[] = [];
  const settle = (blocks: ContentNode[]) => {
    if (blocks.length === 0) return;
    const last = parts.at(-1);
    if (last?.kind === "settled") last.blocks.push(...blocks);
    else parts.push({ kind: "settled", blocks: [...blocks] });
  };
  const push = (original: ContentNode[], own: ContentNode[], other: ContentNode[]) => {
    if (isSame(own, original) || isSame(own, other)) settle(other);
    else if (isSame(other, original)) settle(own);
    else if (original.length === 0) settle([...other, ...own]);
    else parts.push({ kind: "both", mine: own, theirs: other });
  };
  let [atBase, atMine, atTheirs] = [0, 0, 0];
  for (let index = 0; index <= toMine.base.length; index += 1) {
    const isEnd = index === toMine.base.length;
    const own = isEnd ? toMine.text.length : toMine.pairs.get(index);
    const other = isEnd ? toTheirs.text.length : toTheirs.pairs.get(index);
    // A block that both texts kept ends the part before it.
    if (own === undefined || other === undefined) continue;
    push(
      toMine.base.slice(atBase, index),
      toMine.text.slice(atMine, own),
      toTheirs.text.slice(atTheirs, other),
    );
    if (!isEnd) settle(toMine.base.slice(index, index + 1));
    [atBase, atMine, atTheirs] = [index + 1, own + 1, other + 1];
  }
  return parts;
}

/** Which block of `text` each kept block of `base` is, by index. */
function matches(base: unknown, text: unknown) {
  const pairs = new Map<number, number>();
  const blocks = { base: [] as ContentNode[], text: [] as ContentNode[] };
  for (const run of diffBlocks(base, text)) {
    if (run.kind === "same")
      for (const place of run.mine.keys()) pairs.set(blocks.base.length + place, blocks.text.length + place);
    blocks.base.push(...run.mine);
    blocks.text.push(...run.theirs);
  }
  return { ...blocks, pairs };
}

function isSame(a: readonly ContentNode[], b: readonly ContentNode[]): boolean {
  return (
    a.length === b.length &&
    a.every((block, at) => JSON.stringify(canonical(block)) === JSON.stringify(canonical(b[at] ?? block)))
  );
}
