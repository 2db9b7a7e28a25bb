import { DragDropProvider } from "@dnd-kit/react";
import { isSortable, useSortable } from "@dnd-kit/react/sortable";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../../i18n/useTranslation";
import { IconButton } from "../IconButton";
import { IconDown, IconGrip, IconUp } from "../laterIcons";
import { VisuallyHidden } from "../VisuallyHidden";
import { plugins, sensors } from "./dragging";
import classes from "./Sortable.module.css";

interface SortableProps<T> {
  items: readonly T[];
  idOf: (item: T) => string;
  /** The name of the item in announcements. */
  nameOf: (item: T, index: number) => string;
  onMove: (from: number, to: number) => void;
  /** Content of the row beside its handle and its two buttons. */
  children: (item: T, index: number) => ReactNode;
  /** Content below the row, over the whole width. */
  below?: (item: T, index: number) => ReactNode;
  /** Label of the list for screen readers. */
  label: string;
  disabled?: boolean;
  className?: string;
}

/** A list that can be sorted by dragging, by buttons, or by arrow keys on the buttons. */
export function Sortable<T>(props: SortableProps<T>) {
  const { items, idOf, nameOf, onMove, children, below, label, disabled = false, className } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const [announcement, announce] = useState("");

  const move = (from: number, to: number, by: "pointer" | "key" = "pointer") => {
    const item = items[from];
    if (item === undefined || to < 0 || to >= items.length || from === to) return;
    const name = nameOf(item, from);
    flushSync(() => onMove(from, to));
    announce(t("quiz.sort.moved", { name, place: to + 1, count: items.length }));
    if (by === "key") focusRow(list.current, to, to > from ? "down" : "up");
  };

  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragEnd={({ operation: { source }, canceled }) => {
        if (!canceled && isSortable(source)) move(source.initialIndex, source.index);
      }}
    >
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so */}
      <ol ref={list} role="list" aria-label={label} className={`${classes.list} ${className ?? ""}`}>
        {items.map((item, index) => (
          <Row
            key={idOf(item)}
            id={idOf(item)}
            index={index}
            count={items.length}
            name={nameOf(item, index)}
            disabled={disabled}
            onMove={(to) => move(index, to, "key")}
            below={below?.(item, index)}
          >
            {children(item, index)}
          </Row>
        ))}
      </ol>
      <VisuallyHidden>
        <span role="status">{announcement}</span>
      </VisuallyHidden>
    </DragDropProvider>
  );
}

interface RowProps {
  id: string;
  index: number;
  count: number;
  name: string;
  disabled: boolean;
  onMove: (to: number) => void;
  children: ReactNode;
  below: ReactNode;
}

function Row({ id, index, count, name, disabled, onMove, children, below }: RowProps) {
  const { t } = useTranslation();
  const { ref, handleRef, isDragging } = useSortable({ id, index, disabled });
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onMove(to);
  };
  return (
    <li ref={ref} className={classes.row} data-dragging={isDragging || undefined}>
      <span ref={handleRef} className={classes.handle} aria-hidden="true" hidden={disabled}>
        <IconGrip />
      </span>
      <div className={classes.content}>{children}</div>
      {!disabled && (
        <span className={classes.buttons}>
          <IconButton
            data-move="up"
            // Not `disabled`, which would lose the focus when the item reaches the end of the list.
            aria-disabled={index === 0}
            aria-label={t("quiz.sort.up", { name })}
            onClick={() => onMove(index - 1)}
            onKeyDown={onKeyDown}
          >
            <IconUp size={18} />
          </IconButton>
          <IconButton
            data-move="down"
            aria-disabled={index === count - 1}
            aria-label={t("quiz.sort.down", { name })}
            onClick={() => onMove(index + 1)}
            onKeyDown={onKeyDown}
          >
            <IconDown size={18} />
          </IconButton>
        </span>
      )}
      {below && <div className={classes.below}>{below}</div>}
    </li>
  );
}

/** Moves the focus along with the item. */
function focusRow(list: HTMLOListElement | null, index: number, button: "up" | "down") {
  list?.children[index]?.querySelector<HTMLElement>(`:scope > span > [data-move=${button}]`)?.focus();
}
