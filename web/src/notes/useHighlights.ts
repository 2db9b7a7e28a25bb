import { useEffect, useEffectEvent } from "react";
import { type BlockWords, rangeOn, wordsOfBlock } from "./blockText";
import "./highlights.css";
import type { ContentNode } from "../content/model";
import { COLORS, highlightOf, type Note } from "./note";

/** How long the drawing waits after a change of the text: highlighted code and formulas replace what is shown first. */
const SOON_MS = 100;

const canDraw = () => typeof CSS !== "undefined" && "highlights" in CSS;

/** The range of a note on the screen; null if it has none. */
export type RangeOf = (note: Note) => Range | null;

/**
 * Finds the ranges of notes among the blocks of a text on the screen. Each block is read once. A place in another version of the text has none,
 * because other words may stand there.
 */
export function rangesIn(
  blocks: readonly ContentNode[],
  version: number,
  blockAt: (index: number) => Element | null,
): RangeOf {
  const read = new Map<number, BlockWords | null>();
  return ({ place }) => {
    if (place?.version !== version) return null;
    const block = blocks[place.block];
    const element = blockAt(place.block);
    if (!block || !element) return null;
    if (!read.has(place.block)) read.set(place.block, wordsOfBlock(block, element));
    const words = read.get(place.block);
    return words ? rangeOn(words, place) : null;
  };
}

/** Draws the notes of a page over its text, and opens the note that is clicked. */
export function useHighlights(
  holder: HTMLElement,
  notes: readonly Note[],
  /** The version of the text that is on the screen. */
  version: number,
  ranges: () => RangeOf,
  onOpen: (note: Note) => void,
) {
  const draw = useEffectEvent(() => {
    if (!canDraw()) return;
    const rangeOf = ranges();
    for (const color of COLORS) {
      const found = notes.flatMap((note) => (note.color === color ? (rangeOf(note) ?? []) : []));
      if (found.length > 0) CSS.highlights.set(highlightOf(color), new Highlight(...found));
      else CSS.highlights.delete(highlightOf(color));
    }
  });
  const openAt = useEffectEvent((event: MouseEvent) => {
    const isControl =
      event.target instanceof Element && event.target.closest("a, button, input, summary, video, audio");
    if (event.defaultPrevented || isControl || !getSelection()?.isCollapsed) return;
    const rangeOf = ranges();
    const isHit = ({ left, right, top, bottom }: DOMRect) =>
      event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    const hit = notes.findLast((note) => [...(rangeOf(note)?.getClientRects() ?? [])].some(isHit));
    if (hit) onOpen(hit);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: draws again when the notes or the text change
  useEffect(() => draw(), [notes, version]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changes = new MutationObserver(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        draw();
      }, SOON_MS);
    });
    changes.observe(holder, { childList: true, subtree: true, characterData: true });
    const click = (event: MouseEvent) => openAt(event);
    holder.addEventListener("click", click);
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      holder.removeEventListener("click", click);
      if (canDraw()) for (const color of COLORS) CSS.highlights.delete(highlightOf(color));
    };
  }, [holder]);
}
