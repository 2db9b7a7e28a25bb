import { useCallback, useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { GroupFilter } from "../students/GroupFilter";
import { knownGroup, mayGroup, useGroups } from "../students/useGroups";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconList, IconPeople } from "../ui/laterIcons";
import { SearchField } from "../ui/SearchField";
import { Select } from "../ui/Select";
import { TextSkeleton } from "../ui/Skeletons";
import { GradePanel } from "./GradePanel";
import classes from "./GradesTab.module.css";
import { GradesTable } from "./GradesTable";
import { type Cell, cellAt, columnsOf, type Item, type Place, type Row } from "./grades";
import { useGradebook } from "./useGradebook";

const ORDERS = {
  name: { sort: "FULL_NAME", descending: false },
  best: { sort: "TOTAL", descending: true },
  worst: { sort: "TOTAL", descending: false },
} as const;
type Order = keyof typeof ORDERS;

/** The grade whose panel is open, and the digit that opened it. */
interface Opened {
  row: Row;
  cell: Cell;
  /** Null: the grade of the course. */
  item: Item | null;
  typed: string;
}

/** The tab with the gradebook of a course. The panel of a grade keeps what was typed, whatever the table shows meanwhile. */
export default function GradesTab({ course }: { course: Course }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState("");
  const [wanted, setWanted] = useState<string>();
  const [order, setOrder] = useState<Order>("name");
  const [opened, setOpened] = useState<Opened | null>(null);
  const { groups } = useGroups(
    course.id,
    useCallback(() => undefined, []),
  );
  const group = knownGroup(wanted, groups);
  const { book, error, reload, put } = useGradebook(course.id, { search, group, ...ORDERS[order] });
  const editable = mayGroup(course);
  const open = ({ row: index, column }: Place, typed: string) => {
    const row = book?.rows[index];
    const item = book && (columnsOf(book.settings)[column - 1] ?? null);
    if (row && item !== undefined) setOpened({ row, cell: cellAt(row, column), item, typed });
  };
  return (
    <>
      {contents()}
      {opened && (
        <GradePanel
          row={opened.row}
          cell={opened.cell}
          item={opened.item}
          typed={editable ? opened.typed : ""}
          editable={editable}
          onStored={put}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );

  function contents() {
    if (!book) {
      return error ? (
        <LoadFailure error={error} retry={reload} heading="h2" />
      ) : (
        <div className={classes.tab}>
          <TextSkeleton lines={10} />
        </div>
      );
    }
    const { settings, rows, isAll } = book;
    const columns = columnsOf(settings);
    if (columns.length === 0) {
      return (
        <EmptyState
          title={t("students.grades.noItems")}
          heading="h2"
          icon={<IconList size={28} />}
          action={
            <ButtonLink to="/edit-course/$courseId" params={{ courseId: course.id }} search={{}}>
              {t("students.grades.toContents")}
            </ButtonLink>
          }
        >
          {t("students.grades.noItemsText")}
        </EmptyState>
      );
    }
    if (rows.length === 0 && isAll) {
      return (
        <EmptyState
          title={t("students.grades.noLearners")}
          heading="h2"
          icon={<IconPeople size={28} />}
          action={
            <ButtonLink
              to="/edit-course/$courseId"
              params={{ courseId: course.id }}
              search={{ tab: "settings" }}
            >
              {t("students.grades.toCode")}
            </ButtonLink>
          }
        >
          {t("students.grades.noLearnersText")}
        </EmptyState>
      );
    }
    return (
      <div className={classes.tab}>
        <div className={classes.tools}>
          <SearchField
            className={classes.search}
            label={t("students.grades.search")}
            value={search}
            onSearch={setSearch}
          />
          {groups && groups.length > 0 && <GroupFilter groups={groups} value={group} onChange={setWanted} />}
          <Select
            className={classes.order}
            aria-label={t("students.grades.sort")}
            value={order}
            onChange={(event) => setOrder(event.currentTarget.value as Order)}
            options={(Object.keys(ORDERS) as Order[]).map((value) => ({
              value,
              label: t(`students.grades.sorts.${value}`),
            }))}
          />
        </div>
        {error !== undefined && <LoadFailure error={error} retry={reload} heading="h2" />}
        {rows.length === 0 ? (
          <p className={classes.hint} role="status">
            {t("students.grades.nobody")}
          </p>
        ) : (
          <>
            <p className={`${classes.hint} ${classes.keys}`}>
              {t(editable ? "students.grades.keys" : "students.grades.keysView")}
            </p>
            <GradesTable settings={settings} columns={columns} rows={rows} onOpen={open} />
          </>
        )}
      </div>
    );
  }
}
