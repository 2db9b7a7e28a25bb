import { AutoScroller, Cursor, PreventSelection } from "@dnd-kit/dom";
import { DragDropProvider } from "@dnd-kit/react";
import type { VirtualItem } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import type { OutlineActions } from "./actions";
import classes from "./DragOutline.module.css";
import { type Drop, dropAt, isItem, type Row } from "./rows";
import { shownTitle } from "./titles";

// Without the library's drag preview and keyboard sensor: a line and a label at the pointer show the move, and the rows have keys.
const PLUGINS = [AutoScroller, Cursor, PreventSelection];
const EXPAND_AFTER_MS = 700;

interface Props {
  rows: readonly Row[];
  grid: RefObject<HTMLDivElement | null>;
  actions: OutlineActions;
  /** Start and end of every row, including rows that are not rendered. */
  offsets: () => readonly VirtualItem[];
  /** Origin of the offsets, in pixels from the top of the page. */
  margin: number;
  onDragging: (id: string | null) => void;
  children: ReactNode;
}

/** Moves rows with the pointer. A line shows the drop position, which depends only on the pointer and the rows. */
export function DragOutline({ rows, grid, actions, offsets, margin, onDragging, children }: Props) {
  const { t } = useTranslation();
  const [ids, setIds] = useState<readonly string[]>([]);
  const [drop, setDrop] = useState<Drop | null>(null);
  const chip = useRef<HTMLDivElement>(null);
  const pointer = useRef({ x: 0, y: 0 });
  const first = rows.find((row) => row.key === ids[0]);
  const dragging = ids.length > 0;

  const find = useEffectEvent(() => {
    const source = first;
    const box = grid.current?.getBoundingClientRect();
    if (!isItem(source) || !box) return;
    if (chip.current) {
      chip.current.style.transform = `translate(${pointer.current.x + 14}px, ${pointer.current.y + 10}px)`;
    }
    const y = pointer.current.y - box.top + margin;
    const all = offsets();
    const at = all.findIndex((item) => y < item.end);
    const item = all[at < 0 ? all.length - 1 : at];
    const next = item ? dropAt(rows, item.index, y < (item.start + item.end) / 2, source.kind) : null;
    // A row cannot be dropped into itself.
    const isInside = next !== null && ids.includes(next.position.parentId);
    setDrop((before) => (same(before, isInside ? null : next) ? before : isInside ? null : next));
  });
  // Auto-scrolling moves the rows under a resting pointer.
  useEffect(() => {
    if (!dragging) return;
    const onScroll = () => find();
    find();
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, [dragging]);
  // A collapsed row opens after the pointer rests on it.
  const into = drop?.into;
  const { setOpen } = actions;
  useEffect(() => {
    if (into === undefined) return;
    const timer = setTimeout(() => setOpen([into], true), EXPAND_AFTER_MS);
    return () => clearTimeout(timer);
  }, [into, setOpen]);

  const end = () => {
    setIds([]);
    setDrop(null);
    onDragging(null);
  };
  const line = drop && lineAt(offsets(), drop.line);
  return (
    <DragDropProvider
      plugins={PLUGINS}
      onDragStart={({ operation }) => {
        const id = String(operation.source?.id ?? "");
        pointer.current = operation.position.current;
        setIds(actions.idsWith(id));
        onDragging(id);
      }}
      onDragMove={({ to, operation }) => {
        pointer.current = to ?? operation.position.current;
        find();
      }}
      onDragEnd={({ canceled }) => {
        if (!canceled && drop) actions.move(ids, drop.position);
        end();
      }}
    >
      <div className={classes.box} data-dragging={dragging || undefined}>
        {children}
        {drop && line !== null && (
          <div
            className={classes.line}
            data-level={drop.level}
            data-into={drop.into !== undefined || undefined}
            style={{ transform: `translateY(${line - margin}px)` }}
          />
        )}
      </div>
      {dragging && isItem(first) && (
        <div ref={chip} className={classes.chip} aria-hidden="true">
          {ids.length === 1
            ? shownTitle(first, t)
            : t(`outline.selected.${first.kind}`, { count: ids.length })}
        </div>
      )}
    </DragDropProvider>
  );
}

function lineAt(all: readonly VirtualItem[], index: number): number | null {
  return all[index]?.start ?? all.at(-1)?.end ?? null;
}

function same(one: Drop | null, other: Drop | null): boolean {
  return (
    one?.line === other?.line &&
    one?.level === other?.level &&
    one?.into === other?.into &&
    one?.position.parentId === other?.position.parentId &&
    one?.position.before === other?.position.before
  );
}
