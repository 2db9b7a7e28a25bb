import { useEffect, useState } from "react";
import { Button } from "../ui/Button";
import { IconComment } from "./IconComment";
import { type Place, shortened } from "./openComments";
import classes from "./SelectionButton.module.css";
import type { ShownText } from "./shownText";

export interface Selected extends Place {
  range: Range;
  /** Where the selection ends, in pixels of the window, with room for a button. */
  left: number;
  top: number;
}

interface Props {
  text: ShownText;
  label: string;
  onStart: (place: Place) => void;
}

/** The words of one block that are selected; a second value forgets them. */
export function useSelected(text: ShownText): [Selected | null, () => void] {
  const [selected, setSelected] = useState<Selected | null>(null);
  useEffect(() => {
    let frame = 0;
    // While the button of the mouse is down, the selection still changes.
    let isDown = false;
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setSelected(isDown ? null : selectedIn(text)));
    };
    const down = () => {
      isDown = true;
    };
    const up = () => {
      isDown = false;
      soon();
    };
    const away = () => setSelected(null);
    document.addEventListener("selectionchange", soon);
    document.addEventListener("pointerdown", down);
    document.addEventListener("pointerup", up);
    document.addEventListener("pointercancel", up);
    window.addEventListener("scroll", away, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("selectionchange", soon);
      document.removeEventListener("pointerdown", down);
      document.removeEventListener("pointerup", up);
      document.removeEventListener("pointercancel", up);
      window.removeEventListener("scroll", away);
    };
  }, [text]);
  return [selected, () => setSelected(null)];
}

/** The button beside selected words that starts a comment or a question about them. */
export function SelectionButton({ text, label, onStart }: Props) {
  const [selected, forget] = useSelected(text);
  if (!selected) return null;
  return (
    <Button
      variant="default"
      size="compact"
      icon={<IconComment size={16} />}
      className={classes.float}
      style={{ left: selected.left, top: selected.top }}
      // The button must not take the selection away before it is used.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        forget();
        onStart({ block: selected.block, quote: selected.quote });
      }}
    >
      {label}
    </Button>
  );
}

/** Room that the button needs, in pixels. */
const WIDTH = 190;
const HEIGHT = 34;

/** The words of one block that are selected now. */
export function selectedIn(text: ShownText): Selected | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!text.root.contains(range.commonAncestorContainer)) return null;
  const block = text.indexOf(range.startContainer);
  const element = block === null ? null : text.blockAt(block);
  if (!element) return null;
  // The words of one block, by which it is found again.
  const words = range.cloneRange();
  if (!element.contains(range.endContainer)) words.setEndAfter(element);
  const quote = shortened(words.toString());
  if (block === null || quote === "") return null;
  const rects = range.getClientRects();
  const last = rects[rects.length - 1] ?? range.getBoundingClientRect();
  return {
    range: words,
    block,
    quote,
    left: Math.max(8, Math.min(last.right, window.innerWidth - WIDTH)),
    top: Math.min(last.bottom + 6, window.innerHeight - HEIGHT),
  };
}
