// biome-ignore-all lint/a11y/useSemanticElements: elements of a table cannot be placed one by one, as those in sight are
import type { TFunction } from "i18next";
import { memo, type ReactNode } from "react";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import classes from "./GradesTable.module.css";
import type { CellEvents } from "./GridRow";
import { type Cell, shownDecimal } from "./grades";
import type { Draft } from "./useGradeEdits";

interface Props {
  cell: Cell;
  /** What the scheme makes of the grade of the course. */
  label: string | null;
  row: number;
  /** 0: the grade of the course. */
  column: number;
  left: number;
  width: number;
  isActive: boolean;
  on: CellEvents;
  /** From the row, so that no cell subscribes to the language. */
  t: TFunction;
  language: string;
  /** What was typed and is not stored. */
  draft: Draft | undefined;
  /** The field, while the cell is typed into. */
  children: ReactNode;
}

/** A grade in the table. Each state has a sign or a word besides its colour. */
export const GradeCell = memo(function GradeCell({
  cell,
  label,
  row,
  column,
  left,
  width,
  isActive,
  draft,
  children,
  on,
  t,
  language,
}: Props) {
  const isTotal = column === 0;
  const { source, dropped } = cell;
  const number = cell.points && shownDecimal(cell.points, language);
  const value =
    source === "excused" || source === "missing" || source === "waiting"
      ? t(`students.grades.cell.${source}`)
      : number === undefined
        ? "—"
        : isTotal
          ? `${number} %`
          : number;
  return (
    <div
      className={classes.cell}
      role="gridcell"
      aria-colindex={column + 2}
      tabIndex={isActive && !children ? 0 : -1}
      data-cell={`${row}-${column}`}
      data-source={source}
      data-total={isTotal || undefined}
      data-dropped={dropped}
      data-problem={draft?.problem ? true : undefined}
      aria-busy={(draft && !draft.problem && !children) || undefined}
      style={{ left, width }}
      onFocus={(event) => event.target === event.currentTarget && on.focus({ row, column })}
      onKeyDown={(event) => on.keyDown(event, { row, column })}
      onClick={() => on.open({ row, column })}
    >
      {children || (
        <>
          <span className={classes.value}>{draft ? draft.text : value}</span>
          {label !== null && <VisuallyHidden>, </VisuallyHidden>}
          {label !== null && (
            <span className={classes.scheme}>
              {label === "pass" || label === "fail" ? t(`students.grades.labels.${label}`) : label}
            </span>
          )}
          {source === "override" && (
            <span className={classes.mark} aria-hidden="true">
              ✎
            </span>
          )}
          {source !== "automatic" && (
            <VisuallyHidden>{`, ${t(`students.grades.signs.${source}`)}`}</VisuallyHidden>
          )}
          {dropped && <VisuallyHidden>{`, ${t("students.grades.signs.dropped")}`}</VisuallyHidden>}
        </>
      )}
    </div>
  );
});
