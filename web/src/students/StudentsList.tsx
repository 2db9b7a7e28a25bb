import { useApolloClient } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { IconUpload } from "../ui/icons";
import { IconDown, IconUp } from "../ui/laterIcons";
import { useMenu } from "../ui/Menu";
import { ProgressBar } from "../ui/ProgressBar";
import { SearchField } from "../ui/SearchField";
import { ListSkeleton } from "../ui/Skeletons";
import { toastFailure } from "../ui/toasts";
import { useDebouncedCallback } from "../ui/useDebouncedCallback";
import { useDebouncedValue } from "../ui/useDebouncedValue";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import type { Separator } from "./csv";
import { classAsCsv, fileName, saveFile } from "./exportClass";
import { LiveActivity } from "./LiveActivity";
import { NoStudents } from "./NoStudents";
import type { Column, Order } from "./order";
import classes from "./StudentsList.module.css";
import type { StudentsSearch } from "./StudentsTab";
import { columnOf, isDescending, pressed } from "./sorting";
import { ROWS, type Student, useClass } from "./useClass";

const COLUMNS = ["name", "percent", "active"] as const satisfies Column[];

/** The search appears for classes with more rows than this. */
const FEW = 8;

interface Props {
  course: Course;
  look: StudentsSearch;
  show: (changed: StudentsSearch, replace?: boolean) => void;
}

/** The class list: the students of a course with their progress, and the live feed of their actions. */
export function StudentsList({ course, look, show }: Props) {
  const { t, i18n } = useTranslation();
  const { search = "", order = "name" } = look;
  const words = useDebouncedValue(search);
  const { students, total, error, waiting, isPrevious, reload, page, pages, next, previous } = useClass(
    course.id,
    words,
    order,
  );
  // Events arrive in bursts, so the list is fetched again once per burst.
  const reloadSoon = useDebouncedCallback(reload, 1500);
  if (error && !students) return <LoadFailure error={error} retry={reload} heading="h2" />;
  // A previous result may belong to another search, so it does not show whether the class is empty.
  const isKnown = words === search && !isPrevious;
  const isNew = isKnown && total === 0 && search === "";
  return (
    <div className={classes.columns}>
      <section className={classes.list} aria-label={t("students.heading")}>
        {isNew ? (
          <NoStudents courseId={course.id} />
        ) : (
          <>
            <div className={classes.tools}>
              {(search !== "" || !isKnown || (total ?? FEW) >= FEW) && (
                <SearchField
                  className={classes.search}
                  label={t("students.search")}
                  value={search}
                  onSearch={(words) => show({ search: words })}
                />
              )}
              <p className={classes.count} role="status">
                {total !== undefined && t("common.students", { count: total })}
              </p>
              <Export course={course} />
            </div>
            {!students && <ListSkeleton rows={8} height="3.75rem" />}
            {students && total === 0 && words !== "" && (
              <p className={classes.nothing}>{t("students.nothingFound", { words })}</p>
            )}
            {students && students.length > 0 && (
              <table className={classes.table} aria-busy={waiting}>
                <caption>
                  <VisuallyHidden>{t("students.heading")}</VisuallyHidden>
                </caption>
                <thead>
                  <tr>
                    {COLUMNS.map((column) => (
                      <Heading
                        key={column}
                        column={column}
                        order={order}
                        onPress={() => show({ order: pressed(order, column) })}
                      />
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {students.map((student) => (
                    <Row
                      key={student.id}
                      student={student}
                      courseId={course.id}
                      look={look}
                      now={new Date()}
                      language={i18n.language}
                    />
                  ))}
                </tbody>
              </table>
            )}
            {pages != null && (pages > 1 || page > 1) && (
              <nav className={classes.pages} aria-label={t("students.pages")}>
                <Button variant="default" disabled={!previous || waiting} onClick={previous}>
                  {t("students.previous")}
                </Button>
                <span className={classes.count}>
                  {t("students.shown", {
                    from: (page - 1) * ROWS + 1,
                    to: Math.min(page * ROWS, total ?? 0),
                    count: total,
                  })}
                </span>
                <Button variant="default" disabled={!next || waiting} onClick={next}>
                  {t("students.next")}
                </Button>
              </nav>
            )}
          </>
        )}
      </section>
      <LiveActivity courseId={course.id} onActivity={reloadSoon} />
    </div>
  );
}

interface HeadingProps {
  column: Column;
  order: Order;
  onPress: () => void;
}

function Heading({ column, order, onPress }: HeadingProps) {
  const { t } = useTranslation();
  const isSorted = columnOf(order) === column;
  const Arrow = isDescending(order) ? IconDown : IconUp;
  return (
    <th
      scope="col"
      data-column={column}
      aria-sort={isSorted ? (isDescending(order) ? "descending" : "ascending") : undefined}
    >
      <button type="button" className={classes.heading} onClick={onPress}>
        {t(`students.column.${column}`)}
        <span className={classes.arrow} aria-hidden="true">
          {isSorted && <Arrow size={14} />}
        </span>
      </button>
    </th>
  );
}

interface RowProps {
  student: Student;
  courseId: string;
  look: StudentsSearch;
  now: Date;
  language: string;
}

function Row({ student, courseId, look, now, language }: RowProps) {
  const { t } = useTranslation();
  const { user, percent, pagesDone, pagesTotal, completedAt } = student;
  return (
    <tr className={classes.row}>
      <th scope="row" className={classes.person}>
        <Link
          to="/edit-course/$courseId"
          params={{ courseId }}
          search={{ tab: "students", ...look, student: student.id }}
          className={classes.name}
        >
          {user.fullName || user.email}
        </Link>
        {user.fullName && <span className={classes.email}>{user.email}</span>}
      </th>
      <td className={classes.progress}>
        <span className={classes.percent}>{t("common.percent", { percent })}</span>
        <span className={classes.small}>
          {completedAt
            ? t("students.completed")
            : t("common.pagesOf", { done: pagesDone, count: pagesTotal })}
        </span>
        <ProgressBar
          percent={percent}
          label={t("students.progressOf", { name: user.fullName || user.email })}
        />
      </td>
      <td className={classes.active}>{formatDateTime(student.lastActivityAt, now, language, t)}</td>
    </tr>
  );
}

/** The button that downloads the results of the whole class as CSV, in one of two forms. */
function Export({ course }: { course: Course }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [busy, setBusy] = useState(false);
  const save = async (separator: Separator) => {
    setBusy(true);
    try {
      const text = await classAsCsv(client, course.id, separator);
      saveFile(`${fileName(course.title)}.csv`, "text/csv;charset=utf-8", text);
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const { button, menu } = useMenu({
    label: t("students.exportLabel"),
    align: "end",
    items: () => [
      { label: t("students.exportSemicolons"), onSelect: () => void save(";") },
      { label: t("students.exportCommas"), onSelect: () => void save(",") },
    ],
  });
  return (
    <>
      <Button
        {...button}
        variant="default"
        loading={busy}
        icon={<IconUpload size={18} className={classes.down} />}
      >
        {t("students.export")}
      </Button>
      {menu}
    </>
  );
}
