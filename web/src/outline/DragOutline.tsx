import { AutoScroller, Cursor, PreventSelection } from "@dnd-kit/dom";
import { DragDropProvider } from "@dnd-kit/react";
import type { VirtualItem } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./DragOutline.module.css";
import { type Drop, dropAt, isItem, type Row } from "./rows";
import { shownTitle } from "./titles";
import type { OutlineState } from "./useOutline";

// What the library draws of its own accord is left out: a line and a name at the pointer say enough, and the keyboard has
// its own moves.
const PLUGINS = [AutoScroller, Cursor, PreventSelection];
const OPENS_AFTER_MS = 700;

interface Props {
  rows: readonly Row[];
  grid: RefObject<HTMLDivElement | null>;
  outline: OutlineState;
  /** Where each row begins and ends, rows out of sight included. */
  offsets: () => readonly VirtualItem[];
  /** What the offsets are counted from, in pixels from the top of the page. */
  margin: number;
  onDragging: (id: string | null) => void;
  children: ReactNode;
}

/** Moves rows by the pointer: a line shows where they would go. Where that is follows from the pointer alone. */
export function DragOutline({ rows, grid, outline, offsets, margin, onDragging, children }: Props) {
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
    // Into itself is nowhere.
    const nowhere = next !== null && ids.includes(next.place.parentId);
    setDrop((before) => (same(before, nowhere ? null : next) ? before : nowhere ? null : next));
  });
  // Under a pointer that rests the rows move when the page scrolls by itself.
  useEffect(() => {
    if (!dragging) return;
    const onScroll = () => find();
    find();
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, [dragging]);
  // A closed row opens for who waits over it.
  const into = drop?.into;
  const { setOpen } = outline;
  useEffect(() => {
    if (into === undefined) return;
    const timer = setTimeout(() => setOpen([into], true), OPENS_AFTER_MS);
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
        setIds(outline.idsWith(id));
        onDragging(id);
      }}
      onDragMove={({ to, operation }) => {
        pointer.current = to ?? operation.position.current;
        find();
      }}
      onDragEnd={({ canceled }) => {
        if (!canceled && drop) outline.move(ids, drop.place);
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
    one?.place.parentId === other?.place.parentId &&
    one?.place.before === other?.place.before
  );
}
