// biome-ignore-all lint/a11y/useFocusableInteractive: only the cells of the grid are focusable
// biome-ignore-all lint/a11y/useSemanticElements: elements of a table cannot be placed one by one, as those in sight are
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { useMediaQuery } from "../ui/useMediaQuery";
import { GradeCell } from "./GradeCell";
import classes from "./GradesTable.module.css";
import { cellAt, type Item, moved, type Place, type Row, type Settings, shownDecimal } from "./grades";

/** Sizes in pixels; the style sheet has the same. */
const ROW = 44;
const COLUMN = 132;
const HEADER = 88;

interface Props {
  settings: Settings;
  columns: readonly Item[];
  rows: readonly Row[];
  /** Opens a grade; `typed` is the digit that was typed on its cell. */
  onOpen: (place: Place, typed: string) => void;
}

/** The gradebook: a row for each learner, a column for each item. Only what is in sight is rendered, and the cell with the focus. */
export function GradesTable({ settings, columns, rows, onOpen }: Props) {
  const { t, i18n } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setActive] = useState<Place>({ row: 0, column: 0 });
  const size = { rows: rows.length, columns: columns.length + 1 };
  // A search may have shortened the table.
  const active = {
    row: Math.min(chosen.row, size.rows - 1),
    column: Math.min(chosen.column, size.columns - 1),
  };
  const nameWidth = useMediaQuery("(max-width: 600px)") ? 136 : 240;
  const rowsInSight = useVirtualizer({
    count: size.rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    paddingStart: HEADER,
    scrollPaddingStart: HEADER,
    initialRect: { width: 1000, height: 600 },
  });
  const columnsInSight = useVirtualizer({
    horizontal: true,
    count: size.columns,
    getScrollElement: () => scroller.current,
    estimateSize: () => COLUMN,
    overscan: 3,
    paddingStart: nameWidth,
    scrollPaddingStart: nameWidth,
    initialRect: { width: 1000, height: 600 },
  });
  const focus = (to: Place) => {
    rowsInSight.scrollToIndex(to.row);
    columnsInSight.scrollToIndex(to.column);
    // A cell that is far away is rendered first.
    flushSync(() => setActive(to));
    scroller.current?.querySelector<HTMLElement>(`[data-cell="${to.row}-${to.column}"]`)?.focus();
  };
  // In a table sorted by total, a decision moves its learner away, and the focused cell with them: the focus stays at its place.
  const hasFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows change
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body)
      scroller.current
        ?.querySelector<HTMLElement>("[data-cell][tabindex='0']")
        ?.focus({ preventScroll: true });
  }, [rows]);
  const onKeyDown = (event: KeyboardEvent, place: Place) => {
    if (event.altKey || event.nativeEvent.isComposing) return;
    const isControl = event.ctrlKey || event.metaKey;
    const to = moved(place, { key: event.key, isControl }, size);
    if (to) {
      event.preventDefault();
      return focus(to);
    }
    if (isControl) return;
    if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      onOpen(place, "");
    } else if (/^\d$/.test(event.key)) {
      event.preventDefault();
      onOpen(place, event.key);
    }
  };
  const shownRows = indexes(rowsInSight.getVirtualItems(), active.row);
  const shownColumns = indexes(columnsInSight.getVirtualItems(), active.column);
  const width = nameWidth + size.columns * COLUMN;
  return (
    <div ref={scroller} className={classes.scroller}>
      <div
        role="grid"
        aria-label={t("students.grades.label")}
        onFocus={() => {
          hasFocus.current = true;
        }}
        onBlur={(event) => {
          hasFocus.current = event.currentTarget.contains(event.relatedTarget);
        }}
        aria-rowcount={size.rows + 1}
        aria-colcount={size.columns + 1}
        className={classes.grid}
        style={{ width, height: HEADER + size.rows * ROW }}
      >
        <div className={classes.header} role="row" aria-rowindex={1} style={{ height: HEADER }}>
          <div className={classes.corner} role="columnheader" aria-colindex={1} style={{ width: nameWidth }}>
            {t("students.grades.learner")}
          </div>
          {shownColumns.map((column) => (
            <Heading key={column} left={nameWidth + column * COLUMN} index={column}>
              {headingOf(columns[column - 1])}
            </Heading>
          ))}
        </div>
        {shownRows.map((index) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div
              key={row.enrollmentId}
              className={classes.row}
              role="row"
              aria-rowindex={index + 2}
              style={{ top: HEADER + index * ROW, height: ROW }}
            >
              <div className={classes.name} role="rowheader" aria-colindex={1} style={{ width: nameWidth }}>
                <span className={classes.person}>{row.user.fullName || row.user.email}</span>
                {row.group && <span className={classes.group}>{row.group.title}</span>}
              </div>
              {shownColumns.map((column) => (
                <GradeCell
                  key={column}
                  cell={cellAt(row, column)}
                  label={column === 0 ? row.total.label : null}
                  isTotal={column === 0}
                  place={`${index}-${column}`}
                  left={nameWidth + column * COLUMN}
                  width={COLUMN}
                  isActive={active.row === index && active.column === column}
                  onFocus={() => setActive({ row: index, column })}
                  onKeyDown={(event) => onKeyDown(event, { row: index, column })}
                  onOpen={() => onOpen({ row: index, column }, "")}
                />
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );

  function headingOf(item: Item | undefined): ReactNode {
    if (!item) return <span className={classes.title}>{t("students.grades.total")}</span>;
    const category = settings.categories.find(({ id }) => id === item.categoryId)?.title;
    const sign = item.isExcluded
      ? t("students.grades.excluded")
      : settings.categories.length > 0 && !category
        ? t("students.grades.noCategory")
        : (category ?? "");
    const points = `${shownDecimal(item.points, i18n.language)} ${t("students.grades.pointsShort")}`;
    return (
      <>
        <span className={classes.title} title={item.title ?? item.lessonTitle}>
          {item.title ?? item.lessonTitle}
        </span>
        {sign && <span className={classes.about}>{sign}</span>}
        <span className={classes.about}>
          {item.extraCredit ? `${points}, ${t("students.grades.extra")}` : points}
        </span>
      </>
    );
  }
}

/** The indexes to render, in order: those in sight and the one that is kept because it may have the focus. */
function indexes(items: readonly { index: number }[], kept: number): number[] {
  return [...new Set([...items.map(({ index }) => index), kept])].sort((one, other) => one - other);
}

function Heading({ left, index, children }: { left: number; index: number; children: ReactNode }) {
  return (
    <div
      className={classes.heading}
      role="columnheader"
      aria-colindex={index + 2}
      style={{ left, width: COLUMN }}
    >
      {children}
    </div>
  );
}
