// biome-ignore-all lint/a11y/useFocusableInteractive: only the cells of the grid are focusable
// biome-ignore-all lint/a11y/useSemanticElements: elements of a table cannot be placed one by one, as those in sight are
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLeaveGuard } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { TextField } from "../ui/TextField";
import { useMediaQuery } from "../ui/useMediaQuery";
import classes from "./GradesTable.module.css";
import { type CellEvents, COLUMN, GridRow, HEADER, type Move, ROW } from "./GridRow";
import {
  cellAt,
  type Item,
  moved,
  namesOf,
  type Place,
  type Row,
  type Settings,
  shownDecimal,
} from "./grades";
import { cellKey, type Draft, type GradeEdits } from "./useGradeEdits";

const NO_DRAFTS: ReadonlyMap<string, Draft> = new Map();

interface Props {
  settings: Settings;
  columns: readonly Item[];
  /** The first ones while the others are still being read. */
  rows: readonly Row[];
  /** The number of all rows. */
  total: number;
  /** Rows of another search or order are on their way. */
  isWaiting: boolean;
  /** Null for those who only look. */
  edits: GradeEdits | null;
  /** Opens the panel of a grade. */
  onOpen: (place: Place) => void;
}

/** The gradebook: a row for each learner, a column for each item. Only what is in sight is rendered, and the cell with the focus. */
export function GradesTable({ settings, columns, rows, total, isWaiting, edits, onOpen }: Props) {
  const { t, i18n } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setActive] = useState<Place>({ row: 0, column: 0 });
  const names = useMemo(() => namesOf(settings.items), [settings]);
  const nameOf = (item: Item | null | undefined) =>
    item ? (names.get(item.pageId) ?? item.lessonTitle) : t("students.grades.total");
  const size = { rows: total, columns: columns.length + 1 };
  const isPartial = rows.length < total;
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
    overscan: 5,
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
    const isDigit = /^\d$/.test(event.key);
    if (event.key !== "Enter" && event.key !== "F2" && !(isDigit && edits)) return;
    event.preventDefault();
    const row = rows[place.row];
    const item = itemAt(place.column);
    const isRefused = row && edits?.drafts.get(cellKey(row, item))?.problem;
    if (edits && row && (isDigit || isRefused))
      edits.open(row, item, cellAt(row, place.column), isDigit ? event.key : undefined);
    else onOpen(place);
  };
  const itemAt = (column: number) => columns[column - 1] ?? null;
  const root = useRef<HTMLDivElement>(null);
  const reasonField = useRef<HTMLInputElement>(null);
  /** The cell that is typed into. */
  const editedPlace = (): Place | null => {
    const draft = edits?.editing ? edits.drafts.get(edits.editing) : undefined;
    const row = rows.findIndex(({ enrollmentId }) => enrollmentId === draft?.row.enrollmentId);
    if (!draft || row < 0) return null;
    const column = columns.findIndex(({ pageId }) => pageId === draft.item?.pageId);
    return { row, column: column + 1 };
  };
  /** Where the edit goes when it is stored; the field of the reason repeats it. */
  const wanted = useRef<Move>("down");
  const save = (move: Move) => {
    if (!edits?.editing) return;
    wanted.current = move;
    const place = editedPlace();
    const problem = edits.save(edits.editing);
    if (problem === "reason") reasonField.current?.focus();
    if (problem !== null || !place) return;
    const key = move === "down" ? "ArrowDown" : move === "right" ? "ArrowRight" : "ArrowLeft";
    focus(moved(place, { key, isControl: false }, size) ?? place);
  };
  /** The pointer goes elsewhere, and the focus with it. */
  const leave = (key: string) => {
    if (edits?.isComplete(key)) edits.save(key);
    else edits?.leave(key);
  };
  const cancel = () => {
    const place = editedPlace();
    if (edits?.editing) edits.cancel(edits.editing);
    if (place) focus(place);
  };
  useLeaveGuard({
    name: "grade-cells",
    subject: settings.courseId,
    element: root,
    isUnsaved: edits?.isUnsaved ?? false,
    isReady: !isPartial,
    discard: () => flushSync(() => edits?.discard()),
    values: () => ({ reason: edits?.reason, cells: edits?.typed() }),
    restore: ({ reason, cells }) => {
      if (typeof reason === "string") edits?.setReason(reason);
      const texts = new Map(Object.entries((cells ?? {}) as Record<string, unknown>));
      const kept = rows.flatMap((row) =>
        [null, ...columns].flatMap((item, column) => {
          const { text, version } = keptOf(texts.get(cellKey(row, item)));
          if (text === undefined) return [];
          return [{ row, item, text, version: version ?? cellAt(row, column).version ?? 0 }];
        }),
      );
      if (kept.length > 0) edits?.restore(kept);
    },
  });
  const refused = [...(edits?.drafts.values() ?? [])].filter(({ problem }) => problem !== null);
  const shownRows = indexes(rowsInSight.getVirtualItems(), active.row);
  const columnsNow = indexes(columnsInSight.getVirtualItems(), active.column);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one list as long as its numbers are the same
  const shownColumns = useMemo(() => columnsNow, [columnsNow.join()]);
  const withDrafts = new Set([...(edits?.drafts.values() ?? [])].map(({ row }) => row.enrollmentId));
  const latest = useRef<CellEvents>(null);
  useLayoutEffect(() => {
    latest.current = {
      focus: setActive,
      keyDown: onKeyDown,
      open: onOpen,
      type: (key, text) => edits?.type(key, text),
      save,
      cancel,
      leave,
    };
  });
  const on = useMemo<CellEvents>(
    () => ({
      focus: (place) => latest.current?.focus(place),
      keyDown: (event, place) => latest.current?.keyDown(event, place),
      open: (place) => latest.current?.open(place),
      type: (key, text) => latest.current?.type(key, text),
      save: (move) => latest.current?.save(move),
      cancel: () => latest.current?.cancel(),
      leave: (key) => latest.current?.leave(key),
    }),
    [],
  );
  const width = nameWidth + size.columns * COLUMN;
  return (
    <div ref={root} className={classes.whole}>
      {edits && (
        <TextField
          ref={reasonField}
          className={edits.editing === null ? `${classes.reason} ${classes.idle}` : classes.reason}
          label={t("students.grades.edit.reason")}
          description={t("students.grades.edit.keys")}
          descriptionBelow
          autoComplete="off"
          data-reason
          value={edits.reason}
          error={edits.reasonProblem ?? undefined}
          onChange={(event) => edits.setReason(event.currentTarget.value)}
          onBlur={(event) => {
            // The edit of a cell ends here, too, unless the focus returns to the cell.
            const isCell = event.relatedTarget?.closest("[role=grid] input");
            if (edits.editing && !isCell && document.hasFocus()) leave(edits.editing);
          }}
          onKeyDown={(event) => {
            if (!edits.editing || event.nativeEvent.isComposing) return;
            if (event.key === "Enter") {
              event.preventDefault();
              save(wanted.current);
            } else if (event.key === "Escape") {
              event.preventDefault();
              scroller.current?.querySelector("input")?.focus();
            }
          }}
        />
      )}
      {refused.map(({ row, item, problem }) => (
        <p key={cellKey(row, item)} className={classes.refused} role="alert">
          {t("students.grades.edit.refused", {
            name: row.user.fullName || row.user.email,
            item: nameOf(item),
            problem,
          })}
        </p>
      ))}
      <div ref={scroller} className={classes.scroller} data-waiting={isWaiting || undefined}>
        <div
          role="grid"
          aria-label={t("students.grades.label")}
          aria-busy={isWaiting || isPartial || undefined}
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
            <div
              className={classes.corner}
              role="columnheader"
              aria-colindex={1}
              style={{ width: nameWidth }}
            >
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
            const isEdited = edits?.editing?.startsWith(`${row.enrollmentId} `);
            return (
              <GridRow
                key={row.enrollmentId}
                row={row}
                index={index}
                columns={columns}
                names={names}
                shown={shownColumns}
                nameWidth={nameWidth}
                active={active.row === index ? active.column : null}
                editing={(isEdited && edits?.editing) || null}
                drafts={withDrafts.has(row.enrollmentId) && edits ? edits.drafts : NO_DRAFTS}
                on={on}
              />
            );
          })}
        </div>
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
        <span className={classes.title} title={nameOf(item)}>
          {nameOf(item)}
        </span>
        {sign && <span className={classes.about}>{sign}</span>}
        <span className={classes.about}>
          {item.extraCredit ? `${points}, ${t("students.grades.extra")}` : points}
        </span>
      </>
    );
  }
}

/** What was kept of a cell when the session ended: its text, and the version that was seen with it. */
function keptOf(value: unknown): { text?: string; version?: number } {
  if (typeof value !== "object" || value === null) return {};
  const { text, version } = value as Record<string, unknown>;
  return { ...(typeof text === "string" && { text }), ...(typeof version === "number" && { version }) };
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
