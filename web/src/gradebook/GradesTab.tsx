import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import type { Look } from "../outline/look";
import { REGRADES } from "../outline/tabs";
import { GroupFilter } from "../students/GroupFilter";
import { knownGroup, mayGroup, useGroups } from "../students/useGroups";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconChevron } from "../ui/icons";
import { IconList, IconPeople } from "../ui/laterIcons";
import { SearchField } from "../ui/SearchField";
import { Select } from "../ui/Select";
import { TextSkeleton } from "../ui/Skeletons";
import { ExportGrades } from "./ExportGrades";
import { GradePanel } from "./GradePanel";
import GradeSettingsView from "./GradeSettingsView";
import classes from "./GradesTab.module.css";
import { GradesTable } from "./GradesTable";
import { type Cell, cellAt, columnsOf, type Item, namesOf, type Place, type Row } from "./grades";
import ImportGrades from "./ImportGrades";
import RegradesView from "./RegradesView";
import { useGradebook } from "./useGradebook";
import { useGradeEdits } from "./useGradeEdits";

const ORDERS = {
  name: { sort: "FULL_NAME", descending: false },
  best: { sort: "TOTAL", descending: true },
  worst: { sort: "TOTAL", descending: false },
} as const;
type Order = keyof typeof ORDERS;
const isOrder = (order: string | undefined): order is Order => order !== undefined && order in ORDERS;

/** The grade whose panel is open. */
interface Opened {
  row: Row;
  cell: Cell;
  /** Null: the grade of the course. */
  item: Item | null;
  name: string;
}

interface Props {
  course: Course;
  /** What the address says: the search, the group, the order, and the view. */
  look: Look;
}

/** Whether the user may publish changes, and with them regrade results: the owner and editors. */
const mayRegrade = ({ myRole }: Course): boolean => myRole === "OWNER" || myRole === "EDITOR";

/** The tab with the gradebook of a course: the table, its settings, the import of a table, or the regrades. */
export default function GradesTab({ course, look }: Props) {
  const { t } = useTranslation();
  const { view, ...table } = look;
  const editable = mayGroup(course);
  const isRegrades = view === REGRADES && mayRegrade(course);
  if (view !== "settings" && !(view === "import" && editable) && !isRegrades)
    return <GradesView course={course} look={look} />;
  const back = (
    <Link
      className={classes.back}
      to="/edit-course/$courseId"
      params={{ courseId: course.id }}
      search={{ tab: "grades", ...table }}
    >
      <IconChevron size={16} className={classes.chevron} />
      {t("students.grades.settings.back")}
    </Link>
  );
  return (
    <div className={classes.tab}>
      {back}
      {isRegrades ? (
        <RegradesView courseId={course.id} />
      ) : view === "settings" ? (
        <GradeSettingsView courseId={course.id} editable={editable} />
      ) : (
        <ImportGrades courseId={course.id} />
      )}
    </div>
  );
}

/** The table with its tools. The panel of a grade keeps what was typed, whatever the table shows meanwhile. */
function GradesView({ course, look }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search = "" } = look;
  const order = isOrder(look.order) ? look.order : "name";
  const show = (changed: Pick<Look, "search" | "group" | "order">, replace = false) => {
    const { search, group, order } = { ...look, ...changed };
    void navigate({
      to: "/edit-course/$courseId",
      params: { courseId: course.id },
      search: {
        tab: "grades",
        ...(search && { search }),
        ...(group && { group }),
        ...(order && order !== "name" && { order }),
      },
      replace,
      resetScroll: false,
    });
  };
  const [opened, setOpened] = useState<Opened | null>(null);
  const { groups } = useGroups(
    course.id,
    useCallback(() => undefined, []),
  );
  const group = knownGroup(look.group, groups);
  // While a grade is typed, its row stays where it is.
  const isPaused = useRef(false);
  const { book, error, isWaiting, reload, put } = useGradebook(course.id, {
    search,
    group,
    ...ORDERS[order],
    isPaused,
  });
  const settings = book?.settings;
  const columns = useMemo(() => (settings ? columnsOf(settings) : []), [settings]);
  const editable = mayGroup(course);
  const edits = useGradeEdits(put);
  useEffect(() => {
    isPaused.current = edits.editing !== null;
  }, [edits.editing]);
  const open = ({ row: index, column }: Place) => {
    const row = book?.rows[index];
    const item = book && (columns[column - 1] ?? null);
    if (!row || item === undefined) return;
    const name = (item && namesOf(book.settings.items).get(item.pageId)) ?? "";
    setOpened({ row, cell: cellAt(row, column), item, name });
  };
  const toView = (view: string, label: string) => (
    <ButtonLink
      variant="default"
      to="/edit-course/$courseId"
      params={{ courseId: course.id }}
      search={{ tab: "grades", ...look, view }}
    >
      {label}
    </ButtonLink>
  );
  return (
    <>
      {contents()}
      {opened && (
        <GradePanel
          row={opened.row}
          cell={opened.cell}
          item={opened.item}
          name={opened.name}
          reason={edits.reason}
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
    const { settings, rows, total, isAll } = book;
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
            onSearch={(words) => show({ search: words }, true)}
          />
          {groups && groups.length > 0 && (
            <GroupFilter groups={groups} value={group} onChange={(group) => show({ group })} />
          )}
          <Select
            className={classes.order}
            aria-label={t("students.grades.sort")}
            value={order}
            onChange={(event) => show({ order: event.currentTarget.value })}
            options={(Object.keys(ORDERS) as Order[]).map((value) => ({
              value,
              label: t(`students.grades.sorts.${value}`),
            }))}
          />
          <div className={classes.actions}>
            <ExportGrades course={course} group={group} />
            {editable && toView("import", t("students.grades.table.open"))}
            {mayRegrade(course) && toView(REGRADES, t("students.regrades.open"))}
            {toView("settings", t("students.grades.settings.open"))}
          </div>
        </div>
        {error !== undefined && <LoadFailure error={error} retry={reload} heading="h2" />}
        {rows.length === 0 ? (
          <p className={classes.hint} role="status">
            {t("students.grades.nobody")}
          </p>
        ) : (
          <>
            {!editable && (
              <p className={`${classes.hint} ${classes.keys}`}>{t("students.grades.keysView")}</p>
            )}
            <GradesTable
              settings={settings}
              columns={columns}
              rows={rows}
              total={total}
              isWaiting={isWaiting}
              edits={editable ? edits : null}
              onOpen={open}
            />
          </>
        )}
      </div>
    );
  }
}
