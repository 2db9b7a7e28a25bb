import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { DragOutline } from "./DragOutline";
import classes from "./Outline.module.css";
import { OutlineDialogs } from "./OutlineDialogs";
import { OutlineRow } from "./OutlineRow";
import { outlineKey } from "./outlineKeys";
import type { Row } from "./rows";
import { SelectedActions } from "./SelectedActions";
import type { Tree } from "./tree";
import type { Outline as OutlineModel } from "./useOutline";

const HEIGHTS: Record<Row["kind"], number> = {
  module: 73,
  lesson: 44,
  page: 44,
  add: 44,
  draft: 68,
  saving: 44,
};

interface Props {
  tree: Tree;
  outline: OutlineModel;
  editable: boolean;
}

/** The tree of a course for its authors: a virtualized tree grid, so that a course of a thousand pages renders like one of ten. */
export function Outline({ tree, outline, editable }: Props) {
  const { t } = useTranslation();
  const { rows, state, actions } = outline;
  const { active, editing, refusal, selection, focusTarget } = state;
  const grid = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [dragged, setDragged] = useState<string | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const box = grid.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  // Rows that are focused, edited or dragged stay rendered at any scroll position.
  const kept = rows.flatMap((row, index) =>
    row.key === active || row.key === dragged || row.kind === "draft" ? [index] : [],
  );
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => HEIGHTS[rows[index]?.kind ?? "page"],
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: 80,
    scrollPaddingEnd: 96,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const range = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      return [...new Set([...range, ...kept])].filter((index) => index < count).sort((a, b) => a - b);
    },
  });

  const scrollTo = useCallback(
    (key: string) => {
      const index = rows.findIndex((row) => row.key === key);
      if (index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
      return index >= 0;
    },
    [rows, virtualizer],
  );
  useEffect(() => {
    if (focusTarget === null || !scrollTo(focusTarget)) return;
    const row = grid.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(focusTarget)}"]`);
    row?.focus({ preventScroll: true });
    if (row && document.activeElement === row) actions.focusReached();
  });
  // A field for a title is scrolled into view when it opens.
  const writing = state.draft ? "draft" : editing;
  useEffect(() => {
    if (writing) scrollTo(writing);
  }, [writing, scrollTo]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[role=row]");
    const key = row?.dataset.key;
    if (key && event.target === row && outlineKey(event, key, outline, editable)) event.preventDefault();
  };
  // Tab reaches the row that was focused last, or the first one.
  const entry = rows.some((row) => row.key === active) ? active : (rows[0]?.key ?? null);
  const items = virtualizer.getVirtualItems();
  return (
    <>
      <DragOutline
        rows={rows}
        grid={grid}
        actions={actions}
        offsets={() => virtualizer.measurementsCache}
        margin={top}
        onDragging={setDragged}
      >
        <div
          ref={grid}
          role="treegrid"
          aria-label={t("outline.label")}
          aria-multiselectable={editable || undefined}
          aria-rowcount={rows.length}
          className={classes.grid}
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            const key = (event.target as HTMLElement).closest<HTMLElement>("[role=row]")?.dataset.key;
            if (key && key !== "draft") actions.focused(key);
          }}
          onClick={(event) => {
            const row = (event.target as HTMLElement).closest<HTMLElement>("[role=row]");
            const key = row?.dataset.key;
            if (!key || !editable || !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
            if ((event.target as HTMLElement).closest("button, input")) return;
            event.preventDefault();
            actions.select(key, event.shiftKey ? "range" : "toggle");
          }}
        >
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            return (
              <div
                key={row.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                className={classes.line}
                role="presentation"
                style={{ transform: `translateY(${item.start - top}px)` }}
              >
                <OutlineRow
                  row={row}
                  active={row.key === entry}
                  selecting={selection !== null}
                  selected={selection?.ids.has(row.key) ?? false}
                  editing={editing === row.key}
                  refusal={editing === row.key || row.kind === "draft" ? refusal : null}
                  editable={editable}
                  actions={actions}
                />
              </div>
            );
          })}
        </div>
      </DragOutline>
      <VisuallyHidden>
        <span role="status" data-testid="outline-said">
          {state.announcement}
        </span>
      </VisuallyHidden>
      {editable && selection && <SelectedActions tree={tree} selection={selection} actions={actions} />}
      <OutlineDialogs tree={tree} dialog={state.dialog} actions={actions} />
    </>
  );
}
