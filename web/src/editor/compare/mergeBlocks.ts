import type { ContentNode } from "../../content/model";
import { sameContent } from "../stored";
import { type Aligned, align } from "./align";
import { blocksOf } from "./diffBlocks";

/** A part of two changed texts: blocks that need no choice, or blocks that both texts changed. */
export type MergedPart =
  | { kind: "settled"; blocks: ContentNode[] }
  | { kind: "both"; mine: ContentNode[]; theirs: ContentNode[] };

/** A replacement of the base blocks from `from` up to, but not including, `to`; an insertion if both are equal. */
interface Edit {
  from: number;
  to: number;
  blocks: ContentNode[];
}

/**
 * Merges two texts derived from `base`, block by block. Takes the changes of each side, also in neighbouring blocks; keeps the blocks that both
 * sides inserted at the same place, theirs first; leaves only blocks that both sides changed differently to choose.
 */
export function mergeBlocks(base: unknown, mine: unknown, theirs: unknown): MergedPart[] {
  const original = blocksOf(base);
  const sides = { mine: editsOf(original, blocksOf(mine)), theirs: editsOf(original, blocksOf(theirs)) };
  const parts: MergedPart[] = [];
  const settle = (blocks: ContentNode[]) => {
    if (blocks.length === 0) return;
    const last = parts.at(-1);
    if (last?.kind === "settled") last.blocks.push(...blocks);
    else parts.push({ kind: "settled", blocks: [...blocks] });
  };
  let at = 0;
  for (let group = nextGroup(sides); group; group = nextGroup(sides)) {
    settle(original.slice(at, group.from));
    const before = original.slice(group.from, group.to);
    const [own, other] = [applied(before, group, group.mine), applied(before, group, group.theirs)];
    if (isSame(own, before) || isSame(own, other)) settle(other);
    else if (isSame(other, before)) settle(own);
    else if (before.length === 0) settle([...other, ...own]);
    else parts.push({ kind: "both", mine: own, theirs: other });
    at = group.to;
  }
  settle(original.slice(at));
  return parts;
}

/** Edits of both sides that overlap, and the blocks of the base that they replace. */
interface Group {
  from: number;
  to: number;
  mine: Edit[];
  theirs: Edit[];
}

/** Removes the first edit and all edits that overlap it; returns null if no edit is left. */
function nextGroup(sides: { mine: Edit[]; theirs: Edit[] }): Group | null {
  const [own, other] = [sides.mine[0], sides.theirs[0]];
  const first = own && (!other || isBefore(own, other)) ? own : other;
  if (!first) return null;
  const group: Group = { from: first.from, to: first.to, mine: [], theirs: [] };
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const side of ["mine", "theirs"] as const)
      for (let edit = sides[side][0]; edit && overlaps(edit, group); edit = sides[side][0]) {
        sides[side].shift();
        group[side].push(edit);
        group.to = Math.max(group.to, edit.to);
        isGrowing = true;
      }
  }
  return group;
}

/** An insertion comes before a replacement of the block at its place. */
const isBefore = (one: Edit, other: Edit): boolean =>
  one.from < other.from || (one.from === other.from && one.to <= other.to);

/** Adjacent edits do not overlap; two insertions at the same place do. */
function overlaps(edit: Edit, { from, to }: Pick<Group, "from" | "to">): boolean {
  if (edit.from === from && edit.to === to) return true;
  return edit.from < to && edit.to > from && (edit.from < edit.to || edit.from > from);
}

/** The blocks of a group with the edits of one side. */
function applied(before: readonly ContentNode[], { from }: Group, edits: readonly Edit[]): ContentNode[] {
  const blocks: ContentNode[] = [];
  let at = from;
  for (const edit of edits) {
    blocks.push(...before.slice(at - from, edit.from - from), ...edit.blocks);
    at = edit.to;
  }
  return [...blocks, ...before.slice(at - from)];
}

/**
 * Returns the edits of one side, in order. A changed block is one edit, and so is a block that was removed without replacement. A changed block and
 * the added or removed blocks beside it are one edit together, because the block may have been split or joined.
 */
function editsOf(base: readonly ContentNode[], text: readonly ContentNode[]): Edit[] {
  const edits: Edit[] = [];
  /** The aligned blocks since the last unchanged one. */
  let run: Aligned[] = [];
  let at = 0;
  const finish = () => {
    const isRemoval = run.every(({ kind }) => kind === "removed");
    for (const part of isRemoval ? run.map((one) => [one]) : [run]) {
      const to = at + part.filter(({ kind }) => kind !== "added").length;
      edits.push({ from: at, to, blocks: newBlocks(part) });
      at = to;
    }
    run = [];
  };
  for (const aligned of align(base, text)) {
    if (aligned.kind !== "same") {
      const last = run.at(-1);
      // Consecutive changed blocks are separate edits unless a block was added or removed beside one of them.
      if (aligned.kind === "pair" && last?.kind === "pair" && run.every(({ kind }) => kind === "pair"))
        finish();
      run.push(aligned);
      continue;
    }
    finish();
    at += 1;
  }
  finish();
  return edits;
}

const newBlocks = (run: readonly Aligned[]): ContentNode[] =>
  run.flatMap((one) => ("after" in one ? [one.after] : []));

function isSame(a: readonly ContentNode[], b: readonly ContentNode[]): boolean {
  return a.length === b.length && a.every((block, at) => sameContent(block, b[at] ?? block));
}
