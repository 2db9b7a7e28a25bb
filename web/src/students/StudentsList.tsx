import { lazy, Suspense, useEffect, useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { ExtendDialog } from "../overrides/ExtendDialog";
import type { Aim, Target } from "../overrides/overrides";
import { Button } from "../ui/Button";
import { IconDown, IconUp } from "../ui/laterIcons";
import { SearchField } from "../ui/SearchField";
import { ListSkeleton } from "../ui/Skeletons";
import { useBurst } from "../ui/useBurst";
import { useDebouncedValue } from "../ui/useDebouncedValue";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { ChosenBar } from "./ChosenBar";
import { ExportClass } from "./ExportClass";
import { LiveActivity } from "./LiveActivity";
import { NoStudents } from "./NoStudents";
import type { Nudged } from "./NudgeDialog";
import { candidateOf } from "./nudge";
import type { Column, Order } from "./order";
import { StateFilter } from "./StateFilter";
import { StudentRow } from "./StudentRow";
import classes from "./StudentsList.module.css";
import type { StudentsSearch } from "./StudentsTab";
import { columnOf, isDescending, pressed } from "./sorting";
import { STATES } from "./state";
import { ROWS, type Student, useClass } from "./useClass";
import { type Group, mayGroup } from "./useGroups";
import { useMove } from "./useMove";

const NudgeDialog = lazy(() => withTexts(import("./NudgeDialog"), "forms"));

const COLUMNS = ["name", "percent", "active"] as const satisfies Column[];

/** The search appears for classes with more rows than this. */
const FEW = 8;

interface Props {
  course: Course;
  look: StudentsSearch;
  groups: readonly Group[];
  /** The group whose students are shown; undefined for all. */
  group: string | undefined;
  /** Rises when the groups of the course change. */
  changes: number;
  show: (changed: StudentsSearch, replace?: boolean) => void;
}

/** The class list: the students of a course with their progress, and the live feed of their actions. */
export function StudentsList({ course, look, groups, group, changes, show }: Props) {
  const { t } = useTranslation();
  const { search = "", order = "name", state } = look;
  const words = useDebouncedValue(search);
  const { students, total, error, waiting, isPrevious, reload, page, pages, next, previous } = useClass(
    course.id,
    words,
    order,
    group,
    state && STATES[state],
  );
  // Events arrive in bursts, so the list is fetched again once per burst; in a large class they never pause.
  const reloadSoon = useBurst(reload, 1500, 2000);
  useEffect(() => {
    if (changes > 0) reloadSoon();
  }, [changes, reloadSoon]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [extending, setExtending] = useState<{ aim: Aim; target: Target } | null>(null);
  const moveStudents = useMove(course.id, reload);
  const [nudged, setNudged] = useState<Nudged | null>(null);
  const mayChange = mayGroup(course);
  // Students who are not shown any more are neither moved nor nudged.
  const selected = students?.filter(({ id }) => chosen.has(id)) ?? [];
  const select = (ids: readonly string[], isSelected: boolean) =>
    setChosen((before) => {
      const after = new Set(before);
      for (const id of ids) isSelected ? after.add(id) : after.delete(id);
      return after;
    });
  const move = async (ids: readonly string[], to: Group | null) => {
    const chosen = students?.filter(({ id }) => ids.includes(id)) ?? [];
    const members = chosen.map(({ id, user, group }) => ({ id, name: user.fullName || user.email, group }));
    if (!(await moveStudents(members, to))) return;
    select(ids, false);
    reload();
  };
  if (error && !students) return <LoadFailure error={error} retry={reload} heading="h2" />;
  // A previous result may belong to another search, so it does not show whether the class is empty.
  const isKnown = words === search && !isPrevious;
  const isNew = isKnown && total === 0 && search === "" && group === undefined && state === undefined;
  return (
    <div className={classes.columns}>
      <section className={classes.list} aria-label={t("students.heading")}>
        {isNew ? (
          <NoStudents courseId={course.id} />
        ) : (
          <>
            <div className={classes.tools}>
              {mayChange && <StateFilter value={state} onChange={(state) => show({ state })} />}
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
              {mayChange && state && total !== undefined && total > 0 && isKnown && (
                <Button
                  onClick={() =>
                    setNudged({
                      kind: "filter",
                      variables: {
                        id: course.id,
                        search: words.trim() || null,
                        groupId: group ?? null,
                        state: STATES[state],
                      },
                    })
                  }
                >
                  {t("students.nudge.all", { count: total })}
                </Button>
              )}
              <ExportClass course={course} group={group} />
            </div>
            {!students && <ListSkeleton rows={8} height="3.75rem" />}
            {students && total === 0 && words !== "" && (
              <p className={classes.nothing}>{t("students.nothingFound", { words })}</p>
            )}
            {students && total === 0 && words === "" && (
              <p className={classes.nothing}>
                {t(
                  state === undefined
                    ? "students.groups.nobody"
                    : group === undefined
                      ? `students.nudge.none.${state}`
                      : "students.nudge.noneHere",
                )}
              </p>
            )}
            {mayChange && selected.length > 0 && (
              <ChosenBar
                count={selected.length}
                groups={groups}
                onMove={(to) =>
                  void move(
                    selected.map(({ id }) => id),
                    to,
                  )
                }
                onNudge={() => setNudged({ kind: "chosen", students: selected.map(candidateOf) })}
                onClear={() => setChosen(new Set())}
              />
            )}
            {students && students.length > 0 && (
              <table className={classes.table} aria-busy={waiting}>
                <caption>
                  <VisuallyHidden>{t("students.heading")}</VisuallyHidden>
                </caption>
                <thead>
                  <tr>
                    {mayChange && (
                      <td className={classes.select}>
                        <label>
                          {" "}
                          <input
                            type="checkbox"
                            checked={selected.length === students.length}
                            onChange={(event) =>
                              select(
                                students.map(({ id }) => id),
                                event.currentTarget.checked,
                              )
                            }
                            aria-label={t("students.groups.selectAll")}
                          />
                        </label>
                      </td>
                    )}
                    {COLUMNS.map((column) => (
                      <Heading
                        key={column}
                        column={column}
                        order={order}
                        onPress={() => show({ order: pressed(order, column) })}
                      />
                    ))}
                    <td className={classes.actions} />
                  </tr>
                </thead>
                <tbody>
                  {students.map((student) => (
                    <StudentRow
                      key={student.id}
                      student={student}
                      courseId={course.id}
                      look={look}
                      now={new Date()}
                      groups={groups}
                      {...(mayChange && {
                        actions: {
                          isSelected: chosen.has(student.id),
                          select: (isSelected: boolean) => select([student.id], isSelected),
                          move: (to: Group | null) => void move([student.id], to),
                          extend: (aim: Aim) => setExtending({ aim, target: targetOfStudent(student) }),
                          nudge: () => setNudged({ kind: "chosen", students: [candidateOf(student)] }),
                        },
                      })}
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
      {nudged && (
        <Suspense fallback={null}>
          <NudgeDialog
            course={course}
            nudged={nudged}
            state={state}
            onDone={() => {
              setChosen(new Set());
              reload();
            }}
            onClose={() => setNudged(null)}
          />
        </Suspense>
      )}
      {extending && <ExtendDialog courseId={course.id} {...extending} onClose={() => setExtending(null)} />}
      <LiveActivity key={group ?? ""} courseId={course.id} group={group} onActivity={reloadSoon} />
    </div>
  );
}

const targetOfStudent = ({ id, user }: Student): Target => ({
  kind: "student",
  id,
  name: user.fullName || user.email,
});

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
