// biome-ignore-all lint/a11y/useFocusableInteractive: only the cells of the grid are focusable
// biome-ignore-all lint/a11y/useSemanticElements: elements of a table cannot be placed one by one, as those in sight are
import { type KeyboardEvent, memo, useMemo } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { CellInput } from "./CellInput";
import { GradeCell } from "./GradeCell";
import classes from "./GradesTable.module.css";
import { cellsOf, type Item, type Place, type Row, totalCell } from "./grades";
import { cellKey, type Draft } from "./useGradeEdits";

/** Sizes in pixels; the style sheet has the same. */
export const ROW = 44;
export const COLUMN = 132;
export const HEADER = 88;

export type Move = "down" | "right" | "left";

/** What happens in the cells. It stays one object, so that scrolling renders only what comes into sight. */
export interface CellEvents {
  focus: (place: Place) => void;
  keyDown: (event: KeyboardEvent, place: Place) => void;
  open: (place: Place) => void;
  type: (key: string, text: string) => void;
  save: (move: Move) => void;
  cancel: () => void;
  leave: (key: string) => void;
}

interface Props {
  row: Row;
  index: number;
  columns: readonly Item[];
  names: ReadonlyMap<string, string>;
  /** The indexes of the columns to render. */
  shown: readonly number[];
  nameWidth: number;
  /** The column of the active cell; null in the other rows. */
  active: number | null;
  /** The key of the cell that is typed into; null in the other rows. */
  editing: string | null;
  /** What is not stored; empty in rows without any. */
  drafts: ReadonlyMap<string, Draft>;
  on: CellEvents;
}

const NO_CELL = { source: "none" } as const;

/** The row of a learner. */
export const GridRow = memo(function GridRow({
  row,
  index,
  columns,
  names,
  shown,
  nameWidth,
  active,
  editing,
  drafts,
  on,
}: Props) {
  const { t, i18n } = useTranslation();
  const total = useMemo(() => totalCell(row), [row]);
  const learner = row.user.fullName || row.user.email;
  const nameOf = (item: Item | null) =>
    item ? (names.get(item.pageId) ?? item.lessonTitle) : t("students.grades.total");
  return (
    <div
      className={classes.row}
      role="row"
      aria-rowindex={index + 2}
      style={{ top: HEADER + index * ROW, height: ROW }}
    >
      <div className={classes.name} role="rowheader" aria-colindex={1} style={{ width: nameWidth }}>
        <span className={classes.person}>{learner}</span>
        {row.group && <span className={classes.group}>{row.group.title}</span>}
      </div>
      {shown.map((column) => {
        const item = columns[column - 1] ?? null;
        const key = editing !== null || drafts.size > 0 ? cellKey(row, item) : null;
        const draft = key === null ? undefined : drafts.get(key);
        return (
          <GradeCell
            key={column}
            cell={column === 0 ? total : (cellsOf(row)[column - 1] ?? NO_CELL)}
            label={column === 0 ? row.total.label : null}
            row={index}
            column={column}
            left={nameWidth + column * COLUMN}
            width={COLUMN}
            isActive={active === column}
            draft={draft}
            on={on}
            t={t}
            language={i18n.language}
          >
            {key !== null && editing === key && (
              <CellInput
                text={draft?.text ?? ""}
                isWrong={Boolean(draft?.problem)}
                label={`${nameOf(item)}, ${learner}`}
                onType={(text) => on.type(key, text)}
                onSave={on.save}
                onCancel={on.cancel}
                onLeave={() => on.leave(key)}
              />
            )}
          </GradeCell>
        );
      })}
    </div>
  );
});
