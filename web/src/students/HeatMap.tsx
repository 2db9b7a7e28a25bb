import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { type CSSProperties, memo, useMemo, useState } from "react";
import type { PageKind } from "../api/schema.generated";
import { KindIcon } from "../course/KindIcon";
import { pageTitle } from "../course/pageTitle";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { type PageKinds, pageKindsOf } from "../outline/pageKinds";
import { ExtendDialog } from "../overrides/ExtendDialog";
import type { Aim } from "../overrides/overrides";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconPage } from "../ui/laterIcons";
import { Menu } from "../ui/Menu";
import { ListSkeleton } from "../ui/Skeletons";
import { AnalysisLink } from "./AnalysisLink";
import { HardestQuestions } from "./HardestQuestions";
import { CourseHeatMapDocument } from "./HeatMap.generated";
import classes from "./HeatMap.module.css";
import {
  type HeatModule,
  type HeatPage,
  heatOf,
  pagesOf,
  percentOf,
  shownModules,
  type HeatMap as WholeMap,
  worstPages,
} from "./heatMap";
import { NoStudents } from "./NoStudents";
import { mayGroup } from "./useGroups";

/** The course map: how many students reached each page, where they stopped, and the hardest questions. */
export function HeatMap({ course, group }: { course: Course; group: string | undefined }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(CourseHeatMapDocument, {
    variables: { id: course.id, groupId: group ?? null },
    fetchPolicy: "no-cache",
  });
  const [extending, setExtending] = useState<Extending | null>(null);
  const map = data?.courseHeatMap;
  const modules = useMemo(() => map && shownModules(map), [map]);
  const kinds = useMemo(() => pageKindsOf(course), [course]);
  if (error && !map) return <LoadFailure error={error} retry={() => void refetch()} heading="h2" />;
  if (map?.students === 0 && group) return <p className={classes.nobody}>{t("students.groups.nobody")}</p>;
  if (map?.students === 0) return <NoStudents courseId={course.id} />;
  if (modules?.length === 0) return <NothingToRead courseId={course.id} />;
  return (
    <div className={classes.columns}>
      <section className={classes.main} aria-label={t("students.views.map")}>
        {map && modules ? (
          <Loaded
            map={map}
            modules={modules}
            extend={mayGroup(course) ? setExtending : undefined}
            kinds={kinds}
            courseId={course.id}
            group={group}
          />
        ) : (
          <>
            <ListSkeleton rows={4} height="3.5rem" columns="repeat(auto-fit, minmax(7rem, 1fr))" />
            <div className={classes.rowsToCome}>
              <ListSkeleton rows={10} height="2.75rem" />
            </div>
          </>
        )}
      </section>
      <HardestQuestions courseId={course.id} group={group} />
      {extending && <ExtendDialog courseId={course.id} {...extending} onClose={() => setExtending(null)} />}
    </div>
  );
}

function NothingToRead({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      heading="h2"
      icon={<IconPage size={28} />}
      title={t("students.map.noPages")}
      action={
        <ButtonLink to="/edit-course/$courseId" params={{ courseId }} search={{}}>
          {t("students.map.toContents")}
        </ButtonLink>
      }
    >
      {t("students.map.noPagesText")}
    </EmptyState>
  );
}

/** The quiz for which a student or a group gets other dates or another attempt. */
interface Extending {
  partId: string;
  aim: Aim;
}

/** Opens the dialog; undefined for those who may not. */
type Extend = ((what: Extending) => void) | undefined;

interface LoadedProps extends Pick<ModuleProps, "extend" | "kinds" | "courseId" | "group"> {
  map: WholeMap;
  modules: HeatModule[];
}

function Loaded({ map, modules, ...shown }: LoadedProps) {
  const { t } = useTranslation();
  const { students, completed, notStarted } = map;
  const facts = [
    ["enrolled", students],
    ["completed", completed],
    ["onTheWay", students - completed - notStarted],
    ["notStarted", notStarted],
  ] as const;
  const worst = worstPages(modules);
  const most = worst[0]?.stopped ?? 0;
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([fact, count]) => (
          <div key={fact}>
            <dt>{t(`students.map.${fact}`, { count })}</dt>
            <dd>{t("students.map.number", { count })}</dd>
          </div>
        ))}
      </dl>
      {worst.length > 0 && (
        <section className={classes.worst} aria-labelledby="worst">
          <h2 id="worst" className={classes.heading}>
            {t("students.map.worst")}
          </h2>
          <ol>
            {worst.map((page) => (
              <li key={page.id}>
                <PageLink page={page} kind={shown.kinds.get(page.id)} />
                <span className={classes.dim}>
                  {t("students.map.stoppedHere", {
                    count: page.stopped,
                    percent: percentOf(page.stopped, students),
                  })}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <h2 className={classes.heading}>{t("students.map.pages")}</h2>
      <p className={classes.legend}>
        {t("students.map.legend")}
        <span className={classes.scale} aria-hidden="true">
          {[0, 1, 2, 3, 4].map((heat) => (
            <span key={heat} data-heat={heat} />
          ))}
        </span>
      </p>
      {modules.map((module) => (
        <ModulePart key={module.id} module={module} students={students} most={most} {...shown} />
      ))}
    </>
  );
}

interface ModuleProps {
  module: HeatModule;
  students: number;
  /** The highest number of students who stopped at one page. */
  most: number;
  extend: Extend;
  /** The kinds of the pages of the course by their ids. */
  kinds: PageKinds;
  courseId: string;
  /** The id of the group whose students are counted. */
  group: string | undefined;
}

/** A module as a table. `content-visibility` skips the layout of tables outside the viewport, because a course may have hundreds of pages. */
const ModulePart = memo(function ModulePart({ module, kinds, ...shown }: ModuleProps) {
  const { t } = useTranslation();
  const rows = 1 + module.lessons.length + pagesOf(module).length;
  return (
    <div className={classes.module} style={{ "--rows": rows } as CSSProperties}>
      <table className={classes.table}>
        <caption>{module.title}</caption>
        <thead>
          <tr>
            <th scope="col">{t("students.map.page")}</th>
            <th scope="col" className={classes.visited}>
              {t("students.map.visited")}
            </th>
            <th scope="col" className={classes.stopped}>
              {t("students.map.stopped")}
            </th>
          </tr>
        </thead>
        {module.lessons.map((lesson) => (
          <tbody key={lesson.id}>
            <tr>
              <th scope="rowgroup" colSpan={3} className={classes.lesson}>
                {lesson.title}
              </th>
            </tr>
            {lesson.pages.map((page) => (
              <Row key={page.id} page={page} kind={kinds.get(page.id)} {...shown} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
});

interface RowProps extends Omit<ModuleProps, "module" | "kinds"> {
  page: HeatPage;
  kind: PageKind | undefined;
}

function Row({ page, kind, students, most, extend, courseId, group }: RowProps) {
  const { t } = useTranslation();
  const { visited, stopped } = page;
  return (
    <tr className={classes.row}>
      <th scope="row" className={classes.page}>
        <PageLink page={page} kind={kind} />
        {page.quiz && <ResultsLine results={page.quiz} kind={kind} />}
        {page.quiz && page.quiz.tried > 0 && kind === "QUIZ" && (
          <AnalysisLink courseId={courseId} pageId={page.id} group={group} className={classes.quiz} />
        )}
        {page.quiz && extend && (
          <Menu
            className={classes.menu ?? ""}
            label={t("students.map.actions", {
              page: pageTitle({ title: page.title, number: page.position + 1 }, t),
            })}
            items={() => [
              { label: t("overrides.extend"), onSelect: () => extend({ partId: page.id, aim: "dates" }) },
              { label: t("overrides.grant"), onSelect: () => extend({ partId: page.id, aim: "attempts" }) },
            ]}
          />
        )}
      </th>
      <td className={classes.visited}>
        <Share count={visited} of={students} />
        <span className={classes.bar} aria-hidden="true">
          <span style={{ inlineSize: `${percentOf(visited, students)}%` }} />
        </span>
      </td>
      <td className={classes.stopped}>
        <span className={classes.heat} data-heat={heatOf(stopped, most)}>
          {stopped === 0 ? t("students.map.number", { count: 0 }) : <Share count={stopped} of={students} />}
        </span>
      </td>
    </tr>
  );
}

function Share({ count, of }: { count: number; of: number }) {
  const { t } = useTranslation();
  return (
    <>
      <span className={classes.number}>{t("students.map.number", { count })}</span>{" "}
      <span className={classes.percent}>{t("common.percent", { percent: percentOf(count, of) })}</span>
    </>
  );
}

function PageLink({ page, kind = "CONTENT" }: Pick<RowProps, "page"> & { kind: PageKind | undefined }) {
  const { t } = useTranslation();
  return (
    <Link to="/view-page/$pageId" params={{ pageId: page.id }} className={classes.link}>
      <KindIcon kind={kind} size={16} className={classes.kind} />
      {pageTitle({ title: page.title, number: page.position + 1 }, t)}
    </Link>
  );
}

interface ResultsLineProps {
  results: NonNullable<HeatPage["quiz"]>;
  kind: PageKind | undefined;
}

/** The results of a quiz or an assignment. */
function ResultsLine({ results, kind }: ResultsLineProps) {
  const { t } = useTranslation();
  const { tried, averagePercent, passedPercent, waiting } = results;
  const name = kind === "ASSIGNMENT" ? kind : "QUIZ";
  const said = [
    tried === 0 && t(`students.map.untried.${name}`),
    averagePercent !== null &&
      t(`students.map.results.${name}`, { percent: averagePercent, passed: passedPercent, count: tried }),
    waiting > 0 && t("students.map.quizWaiting", { count: waiting }),
  ];
  return <span className={classes.quiz}>{said.filter(Boolean).join(". ")}</span>;
}
