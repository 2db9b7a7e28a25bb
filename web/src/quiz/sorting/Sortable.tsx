import { DragDropProvider } from "@dnd-kit/react";
import { isSortable, useSortable } from "@dnd-kit/react/sortable";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { IconDown, IconGrip, IconUp } from "../../ui/icons";
import { Unseen } from "../../ui/Unseen";
import { plugins, sensors } from "./dragging";
import classes from "./Sortable.module.css";

interface SortableProps<T> {
  items: readonly T[];
  idOf: (item: T) => string;
  /** How the thing is called where it is announced. */
  nameOf: (item: T, index: number) => string;
  onMove: (from: number, to: number) => void;
  /** What is in the row beside its handle and its two buttons. */
  children: (item: T, index: number) => ReactNode;
  /** What is below that, over the whole width. */
  below?: (item: T, index: number) => ReactNode;
  /** What the list is, for those who listen. */
  label: string;
  disabled?: boolean;
  className?: string;
}

/** A list put in order by dragging, by its buttons, or by the arrow keys on them. */
export function Sortable<T>(props: SortableProps<T>) {
  const { items, idOf, nameOf, onMove, children, below, label, disabled = false, className } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const [said, say] = useState("");

  const move = (from: number, to: number, by: "pointer" | "key" = "pointer") => {
    const item = items[from];
    if (item === undefined || to < 0 || to >= items.length || from === to) return;
    const name = nameOf(item, from);
    flushSync(() => onMove(from, to));
    say(t("quiz.sort.moved", { name, place: to + 1, count: items.length }));
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
      <Unseen>
        <span role="status">{said}</span>
      </Unseen>
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
          <button
            type="button"
            data-move="up"
            // Not `disabled`: the focus would be lost at the end of the way up.
            aria-disabled={index === 0}
            aria-label={t("quiz.sort.up", { name })}
            onClick={() => onMove(index - 1)}
            onKeyDown={onKeyDown}
          >
            <IconUp size={18} />
          </button>
          <button
            type="button"
            data-move="down"
            aria-disabled={index === count - 1}
            aria-label={t("quiz.sort.down", { name })}
            onClick={() => onMove(index + 1)}
            onKeyDown={onKeyDown}
          >
            <IconDown size={18} />
          </button>
        </span>
      )}
      {below && <div className={classes.below}>{below}</div>}
    </li>
  );
}

/** The focus goes along with what was moved. */
function focusRow(list: HTMLOListElement | null, index: number, button: "up" | "down") {
  list?.children[index]?.querySelector<HTMLElement>(`:scope > span > [data-move=${button}]`)?.focus();
}
