import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { type ContentNode, stringAttr } from "../content/model";
import { blocksOf } from "../editor/compare/diffBlocks";
import { allText } from "../editor/compare/diffContent";

/** A text on the screen whose blocks have marks. */
export interface ShownText {
  root: HTMLElement;
  count: () => number;
  blockAt: (index: number) => HTMLElement | null;
  /** The words of a block. */
  wordsOf: (index: number) => string;
  /** The index of the block that contains a node; null outside of the text. */
  indexOf: (node: Node) => number | null;
}

/** The words of a block; those of its caption or description if it has no others. */
export const wordsIn = (block: ContentNode): string =>
  allText(block) || (stringAttr(block, "caption") ?? stringAttr(block, "alt") ?? "");

/** The text in an element that holds a `Document`. */
export function textIn(holder: HTMLElement, content: unknown): ShownText {
  const blocks = () => holder.firstElementChild?.children;
  return {
    root: holder,
    count: () => blocks()?.length ?? 0,
    blockAt: (index) => {
      const block = blocks()?.[index];
      return block instanceof HTMLElement ? block : null;
    },
    wordsOf: (index) => {
      const block = blocksOf(content)[index];
      return block ? wordsIn(block) : "";
    },
    indexOf: (node) => {
      const index = [...(blocks() ?? [])].findIndex((block) => block.contains(node));
      return index < 0 ? null : index;
    },
  };
}

/** Whether a text has nothing to be marked: a page that is only a quiz has one empty paragraph. */
export const isBlankText = (content: unknown): boolean =>
  blocksOf(content).every((block) => block.type === "paragraph" && allText(block).trim() === "");

export interface Box {
  top: number;
  height: number;
}

/** Where blocks are, in pixels from the top of the layer. */
export function useBoxes(
  layer: RefObject<HTMLElement | null>,
  text: ShownText,
  blocks: readonly number[],
): ReadonlyMap<number, Box> {
  const [boxes, setBoxes] = useState<ReadonlyMap<number, Box>>(new Map());
  const measure = useEffectEvent(() => {
    const top = layer.current?.getBoundingClientRect().top;
    if (top === undefined) return;
    const now = new Map<number, Box>();
    for (const block of blocks) {
      const box = text.blockAt(block)?.getBoundingClientRect();
      if (box) now.set(block, { top: Math.round(box.top - top), height: Math.round(box.height) });
    }
    setBoxes((before) => (isSame(before, now) ? before : now));
  });
  const key = blocks.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures when other blocks are wanted
  useLayoutEffect(() => measure(), [key, text]);
  useEffect(() => {
    let frame = 0;
    // A key press changes the text several times in a frame.
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => measure());
    };
    const sizes = new ResizeObserver(soon);
    sizes.observe(text.root);
    const changes = new MutationObserver(soon);
    changes.observe(text.root, { childList: true, subtree: true, characterData: true });
    text.root.addEventListener("load", soon, true);
    text.root.addEventListener("toggle", soon, true);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      changes.disconnect();
      text.root.removeEventListener("load", soon, true);
      text.root.removeEventListener("toggle", soon, true);
    };
  }, [text]);
  return boxes;
}

function isSame(one: ReadonlyMap<number, Box>, other: ReadonlyMap<number, Box>): boolean {
  return (
    one.size === other.size &&
    [...one].every(([block, { top, height }]) => {
      const now = other.get(block);
      return now?.top === top && now.height === height;
    })
  );
}
