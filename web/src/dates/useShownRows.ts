import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";

/** A table with more rows renders only those near the visible part of the page. */
const LONG = 150;
/** The height of a row in pixels until it is measured. */
const USUAL_HEIGHT = 37;

/** A row to render, with the height of the rows before it that are left out. */
export interface ShownRow {
  index: number;
  gap: number;
}

/**
 * Chooses the rows of a table to render: all of a short one; of a long one those near the visible part of the page, and `kept`, which has
 * the focus. `measure` is the ref of a row with its index in `data-index`.
 */
export function useShownRows(table: RefObject<HTMLElement | null>, count: number, kept: number) {
  const isLong = count > LONG;
  const [top, setTop] = useState(0);
  // Notices and the bar above the table change its position on the page.
  useLayoutEffect(() => {
    const body = table.current?.querySelector("tbody");
    if (isLong && body) setTop(Math.round(body.getBoundingClientRect().top + window.scrollY));
  });
  const virtualizer = useWindowVirtualizer({
    count,
    enabled: isLong,
    estimateSize: () => USUAL_HEIGHT,
    overscan: 12,
    scrollMargin: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    rangeExtractor: ({ startIndex, endIndex, overscan }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const range = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      return [...new Set([...range, Math.min(kept, count - 1)])].sort((one, other) => one - other);
    },
  });
  if (!isLong) {
    const rows: ShownRow[] = Array.from({ length: count }, (_, index) => ({ index, gap: 0 }));
    return { isLong, rows, rest: 0, measure: undefined };
  }
  let end = top;
  const rows = virtualizer.getVirtualItems().map((item): ShownRow => {
    const gap = Math.max(0, item.start - end);
    end = item.end;
    return { index: item.index, gap };
  });
  const rest = Math.max(0, top + virtualizer.getTotalSize() - end);
  return { isLong, rows, rest, measure: virtualizer.measureElement };
}
