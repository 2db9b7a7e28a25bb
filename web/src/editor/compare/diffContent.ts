import { type ContentNode, childrenOf, isNode } from "../../content/model";
import { type Aligned, align } from "./align";
import { type AttributeChange, attributeChanges } from "./attributes";
import { blocksOf, keyOf } from "./diffBlocks";
import type { OneSided } from "./merged";
import { mergeNodes } from "./mergeNodes";
import { wordsOf } from "./words";

/** A part of two documents. The parts in order make both of them. */
export type Change =
  | { kind: "same"; blocks: ContentNode[] }
  | { kind: OneSided; blocks: ContentNode[] }
  /** A block that both texts have at different places, at its place in the text after. */
  | { kind: "moved"; block: ContentNode; to: "up" | "down" }
  /** The same block at its place in the text before. */
  | { kind: "left"; block: ContentNode; to: "up" | "down" }
  | {
      kind: "changed";
      before: ContentNode;
      after: ContentNode;
      /** Both blocks in one; null if they can only be shown one beside the other. */
      merged: ContentNode | null;
      attributes: AttributeChange[];
    };

/** The least number of words of a block that is reported as moved; shorter blocks are too common to be the same block. */
const LEAST_WORDS_MOVED = 4;

/** What has changed from one document to another, block by block. */
export function diffContent(before: unknown, after: unknown): Change[] {
  const aligned = align(blocksOf(before), blocksOf(after));
  const moves = movesOf(aligned);
  const changes: Change[] = [];
  for (const [at, one] of aligned.entries()) {
    const to = moves.get(at);
    if (one.kind === "pair") changes.push(changed(one.before, one.after));
    else if (to && one.kind === "removed") changes.push({ kind: "left", block: one.before, to });
    else if (to && one.kind === "added") changes.push({ kind: "moved", block: one.after, to });
    else {
      const block = one.kind === "removed" ? one.before : one.after;
      const last = changes.at(-1);
      if (last?.kind === one.kind && "blocks" in last) last.blocks.push(block);
      else changes.push({ kind: one.kind, blocks: [block] });
    }
  }
  return changes;
}

function changed(before: ContentNode, after: ContentNode): Change {
  const merged = mergeNodes(before, after);
  return { kind: "changed", before, after, merged, attributes: attributeChanges(before, after, merged) };
}

/** Which of the aligned blocks moved, and where to: one that was removed and one that was added, and that are equal. */
function movesOf(aligned: readonly Aligned[]): Map<number, "up" | "down"> {
  const removed = new Map<string, number[]>();
  for (const [at, one] of aligned.entries()) {
    if (one.kind !== "removed" || !isLandmark(one.before)) continue;
    const key = keyOf(one.before);
    removed.set(key, [...(removed.get(key) ?? []), at]);
  }
  const moves = new Map<number, "up" | "down">();
  if (removed.size === 0) return moves;
  for (const [at, one] of aligned.entries()) {
    const from = one.kind === "added" ? removed.get(keyOf(one.after))?.shift() : undefined;
    if (from === undefined) continue;
    const to = at < from ? "up" : "down";
    moves.set(at, to).set(from, to);
  }
  return moves;
}

function isLandmark(block: ContentNode): boolean {
  if (block.type === "horizontalRule" || (block.type === "paragraph" && !block.content?.length)) return false;
  const text = allText(block);
  return (
    childrenOf(block).length === 0 || wordsOf(text).filter((word) => word.trim()).length >= LEAST_WORDS_MOVED
  );
}

export const allText = (node: ContentNode): string =>
  node.text ?? childrenOf(node).filter(isNode).map(allText).join(" ");
