import { type RefObject, useEffect, useState } from "react";
import type { TextPlace } from "../quiz/pins/places";
import { placeOfSelection } from "../quiz/pins/selection";

interface Selected {
  place: TextPlace;
  /** Where the selection ends, in pixels from the start of the element. */
  left: number;
  top: number;
}

/** What is selected in the text of an answer, by mouse, touch or keys; null for nothing. */
export function useSelectedPlace(root: RefObject<HTMLElement | null>): Selected | null {
  const [selected, setSelected] = useState<Selected | null>(null);
  useEffect(() => {
    let frame = 0;
    const read = () => {
      const element = root.current;
      const selection = getSelection();
      const place = element && placeOfSelection(element, selection);
      if (!place || !selection) return setSelected(null);
      const box = element.getBoundingClientRect();
      const rects = selection.getRangeAt(0).getClientRects();
      const last = rects[rects.length - 1] ?? box;
      setSelected({ place, left: last.right - box.left, top: last.bottom - box.top });
    };
    // A drag changes the selection many times in a frame.
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(read);
    };
    document.addEventListener("selectionchange", soon);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("selectionchange", soon);
    };
  }, [root]);
  return selected;
}
