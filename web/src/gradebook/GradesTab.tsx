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
import { cellAt, columnsOf, type Place } from "./grades";
import { useGradebook } from "./useGradebook";

const ORDERS = {
  name: { sort: "FULL_NAME", descending: false },
  best: { sort: "TOTAL", descending: true },
  worst: { sort: "TOTAL", descending: false },
} as const;
type Order = keyof typeof ORDERS;

/** The grade whose panel is open, and the digit that opened it. */
interface Opened {
  enrollmentId: string;
  /** Null: the grade of the course. */
  pageId: string | null;
  typed: string;
}

/** The tab with the gradebook of a course. */
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
  if (!book) {
    return error ? (
      <LoadFailure error={error} retry={reload} heading="h2" />
    ) : (
      <div className={classes.tab}>
        <TextSkeleton lines={10} />
      </div>
    );
  }
  const { settings, rows } = book;
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
  const isAll = search === "" && group === undefined;
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
  const open = ({ row, column }: Place, typed: string) => {
    const enrollmentId = rows[row]?.enrollmentId;
    if (enrollmentId) setOpened({ enrollmentId, pageId: columns[column - 1]?.pageId ?? null, typed });
  };
  const openRow = rows.find(({ enrollmentId }) => enrollmentId === opened?.enrollmentId);
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
        <p className={classes.hint}>{t("students.grades.nobody")}</p>
      ) : (
        <>
          <p className={classes.hint}>{t(editable ? "students.grades.keys" : "students.grades.keysView")}</p>
          <GradesTable settings={settings} columns={columns} rows={rows} onOpen={open} />
        </>
      )}
      {opened && openRow && (
        <GradePanel
          row={openRow}
          cell={cellAt(openRow, columns.findIndex(({ pageId }) => pageId === opened.pageId) + 1)}
          item={columns.find(({ pageId }) => pageId === opened.pageId) ?? null}
          pageId={opened.pageId}
          typed={editable ? opened.typed : ""}
          editable={editable}
          onStored={put}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}
