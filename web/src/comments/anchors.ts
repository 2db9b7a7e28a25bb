import type { Node } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { diffBlocks } from "../editor/compare/diffBlocks";
import type { Places } from "./threads";

interface Anchor {
  /** A position within the block, or before a block without content; null while the block is gone. */
  at: number | null;
  /** The block as it was last, with something in it, by which it is found again when it comes back. */
  block: Node;
}

/** Follows blocks with threads through the changes of a document: to where they move, and back when their deletion is undone. */
export class AnchorKeeper {
  #anchors = new Map<string, Anchor>();
  #doc: Node;

  constructor(doc: Node) {
    this.#doc = doc;
  }

  /** Takes the places of threads in `doc`. */
  place(doc: Node, places: Places): void {
    this.#doc = doc;
    this.#anchors = new Map();
    for (const [id, index] of places) {
      if (index === null || index < 0 || index >= doc.childCount) continue;
      this.#anchors.set(id, { at: positionOf(doc, index), block: doc.child(index) });
    }
  }

  /** Takes a change of the document. */
  apply({
    doc,
    docs,
    mapping,
    docChanged,
  }: Pick<Transaction, "doc" | "docs" | "mapping" | "docChanged">): void {
    if (!docChanged) return;
    const before = docs[0] ?? this.#doc;
    this.#doc = doc;
    for (const anchor of this.#anchors.values()) {
      const was =
        anchor.at === null ? null : before.resolve(Math.min(anchor.at, before.content.size)).index(0);
      if (anchor.at !== null) {
        const { pos, deletedAcross, deletedAfter } = mapping.mapResult(anchor.at, 1);
        const isGone = anchor.block.isLeaf ? deletedAfter : deletedAcross;
        anchor.at = isGone ? null : pos;
      }
      anchor.at ??= again(doc, anchor.block) ?? (was === null ? null : replaced(before, doc, was));
      const index = indexAt(doc, anchor.at);
      const block = index === null ? null : doc.child(index);
      // An empty block looks like any other one.
      if (block && (block.isLeaf || block.content.size > 0)) anchor.block = block;
    }
  }

  /** The index of each thread's block; null while it is gone. */
  places(): Map<string, number | null> {
    return new Map([...this.#anchors].map(([id, { at }]) => [id, indexAt(this.#doc, at)]));
  }
}

function positionOf(doc: Node, index: number): number {
  let at = 0;
  for (let before = 0; before < index; before += 1) at += doc.child(before).nodeSize;
  return doc.child(index).isLeaf ? at : at + 1;
}

function indexAt(doc: Node, at: number | null): number | null {
  if (at === null || at > doc.content.size) return null;
  const index = doc.resolve(at).index(0);
  return index < doc.childCount ? index : null;
}

/** The position of the same block elsewhere: moved, or put back. */
function again(doc: Node, block: Node): number | null {
  const children = doc.children;
  const same = children.indexOf(block);
  const index = same >= 0 ? same : children.findIndex((child) => child.content.size > 0 && child.eq(block));
  return index < 0 ? null : positionOf(doc, index);
}

/** The position of the block that was put in the place of another one, such as an image with another description. */
function replaced(before: Node, after: Node, index: number): number | null {
  const isReplaced =
    before.childCount === after.childCount &&
    before.maybeChild(index)?.type === after.maybeChild(index)?.type;
  return isReplaced ? positionOf(after, index) : null;
}

/** The indexes of blocks of `from` in `to`, a later text; blocks that were changed stay in their order between those that were not. */
export function carried(places: Places, from: unknown, to: unknown): Map<string, number | null> {
  const target: (number | null)[] = [];
  let end = 0;
  for (const { mine, theirs } of diffBlocks(from, to)) {
    for (const index of mine.keys()) target.push(index < theirs.length ? end + index : null);
    end += theirs.length;
  }
  return new Map([...places].map(([id, index]) => [id, index === null ? null : (target[index] ?? null)]));
}
