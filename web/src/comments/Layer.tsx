import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { IconPlus } from "../ui/icons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { IconComment } from "./IconComment";
import classes from "./Layer.module.css";
import { shortened } from "./openComments";
import type { Mark } from "./threads";

/** A text on the screen whose blocks have comments. */
export interface ShownText {
  root: HTMLElement;
  count: () => number;
  blockAt: (index: number) => HTMLElement | null;
  /** The words of a block. */
  wordsOf: (index: number) => string;
  /** The index of the block that contains a node; null outside of the text. */
  indexOf: (node: Node) => number | null;
}

interface Props {
  text: ShownText;
  marks: readonly Mark[];
  /** The block whose thread is open, or about which one is being started. */
  active: number | null;
  /** The block with the cursor; null in a text without one. */
  cursor: number | null;
  onOpen: (threads: readonly string[]) => void;
  /** Starts a thread about a block; missing for those who may not. */
  onStart?: (block: number) => void;
}

/** The marks beside the blocks of a text, and the button that comments on one of them. It lies over the text and takes no room in it. */
export function Layer({ text, marks, active, cursor, onOpen, onStart }: Props) {
  const { t } = useTranslation();
  const layer = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  /** The block that the arrow keys have chosen. */
  const [chosen, setChosen] = useState<number | null>(null);
  const marked = new Set(marks.map(({ block }) => block));
  const current = Math.min(chosen ?? pointed ?? cursor ?? 0, Math.max(0, text.count() - 1));
  const boxes = useBoxes(layer, text, [
    ...marked,
    ...(onStart ? [current] : []),
    ...(active === null ? [] : [active]),
  ]);
  useEffect(() => {
    const { root } = text;
    const point = (event: PointerEvent) => {
      const index = event.target instanceof Node ? text.indexOf(event.target) : null;
      if (index !== null) setPointed(index);
    };
    const leave = () => setPointed(null);
    root.addEventListener("pointerover", point);
    root.addEventListener("keydown", leave);
    return () => {
      root.removeEventListener("pointerover", point);
      root.removeEventListener("keydown", leave);
    };
  }, [text]);

  const words = (block: number) => shortened(text.wordsOf(block)).slice(0, 60);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: text.count() - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(to, text.count() - 1));
    setChosen(next);
    text.blockAt(next)?.scrollIntoView({ block: "nearest" });
  };
  const activeBox = active === null ? undefined : boxes.get(active);
  return (
    <div ref={layer} className={classes.layer}>
      {activeBox && <div className={classes.active} style={activeBox} />}
      {marks.map(({ block, threads }) => {
        const box = boxes.get(block);
        return (
          box && (
            <button
              key={block}
              type="button"
              className={classes.mark}
              style={{ top: box.top }}
              aria-label={t("comments.mark", { count: threads.length, number: block + 1 })}
              onClick={() => onOpen(threads)}
            >
              <IconComment size={16} />
              <span aria-hidden="true">{threads.length}</span>
            </button>
          )
        );
      })}
      {/* The button stays the same one, with the focus, while the block is measured that it moves to. */}
      {onStart && text.count() > 0 && (
        <button
          type="button"
          className={classes.add}
          style={{ top: boxes.get(current)?.top ?? 0 }}
          data-below={marked.has(current) || undefined}
          data-shown={pointed !== null || cursor !== null || undefined}
          aria-label={t("comments.addTo", { number: current + 1, words: words(current) })}
          title={t("comments.addKeys")}
          // The text keeps its selection.
          onMouseDown={(event) => event.preventDefault()}
          onKeyDown={onKeyDown}
          onBlur={() => setChosen(null)}
          onClick={() => onStart(current)}
        >
          <IconPlus size={16} />
        </button>
      )}
      <div role="status">
        {chosen !== null && (
          <VisuallyHidden>
            {t("comments.chosen", { number: chosen + 1, words: words(chosen) })}
          </VisuallyHidden>
        )}
      </div>
    </div>
  );
}

interface Box {
  top: number;
  height: number;
}

/** Where blocks are, in pixels from the top of the layer. */
function useBoxes(
  layer: { current: HTMLElement | null },
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
