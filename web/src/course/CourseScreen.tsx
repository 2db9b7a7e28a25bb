import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { rememberCourseOfPages } from "../api/cache";
import { LoadFailure } from "../errors/LoadFailure";
import { pageTitle } from "../reading/pageTitle";
import { ButtonLink } from "../ui/links";
import { ProgressBar } from "../ui/ProgressBar";
import { CourseOutline } from "./CourseOutline";
import classes from "./CourseScreen.module.css";
import { CourseScreenSkeleton } from "./CourseScreenSkeleton";
import { CourseTreeDocument, type CourseTreeQuery } from "./CourseTree.generated";

const LeaveCourse = lazy(() => import("./LeaveCourse").then((module) => ({ default: module.LeaveCourse })));

type Course = CourseTreeQuery["course"];

/** The screen of /view-course/{courseId}. */
export function CourseScreen({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(CourseTreeDocument, { variables: { id: courseId } });
  if (data) return <LoadedCourse course={data.course} />;
  if (!error) return <CourseScreenSkeleton />;
  return (
    <div className={classes.screen}>
      <LoadFailure error={error} retry={() => void refetch()} notFound={t("errors.notFoundCourse")} />
    </div>
  );
}

function LoadedCourse({ course }: { course: Course }) {
  const { t } = useTranslation();
  useEffect(() => {
    const ids = pages(course).map((page) => page.id);
    rememberCourseOfPages(course.id, ids);
  }, [course]);
  return (
    <div className={classes.screen}>
      <title>{`${course.title} — Kurso`}</title>
      <Link to="/" className={classes.up}>
        {t("shell.myCourses")}
      </Link>
      <h1 className={classes.title}>{course.title}</h1>
      {course.description && <p className={classes.description}>{course.description}</p>}
      {course.owner.fullName && (
        <p className={classes.owner}>{t("home.by", { name: course.owner.fullName })}</p>
      )}
      {course.enrollment ? <Resume course={course} /> : <Preview course={course} />}
      {course.progress.pagesTotal === 0 ? (
        <div className={classes.empty}>
          <h2>{t("course.empty")}</h2>
          <p>{t("course.emptyText")}</p>
        </div>
      ) : (
        <CourseOutline
          modules={course.modules}
          nextPageId={course.enrollment?.nextPage?.id}
          expanded={course.progress.pagesTotal <= FEW_PAGES}
        />
      )}
      {/* Of several roles it is the highest that is left, so staff leave their team in the course's settings. */}
      {course.myRole === "LEARNER" && (
        <Suspense fallback={null}>
          <LeaveCourse course={course} />
        </Suspense>
      )}
    </div>
  );
}

/** Up to so many pages the whole outline is opened at first. */
const FEW_PAGES = 60;

function Resume({ course }: { course: Course }) {
  const { t } = useTranslation();
  const { percent, pagesDone, pagesTotal, lessonsDone, lessonsTotal } = course.progress;
  const next = course.enrollment?.nextPage;
  const first = pages(course)[0];
  return (
    <section className={classes.resume} aria-label={t("course.progress")}>
      <div className={classes.figures}>
        <span className={classes.percent}>{t("common.percent", { percent })}</span>
        <span className={classes.counts}>
          {t("common.pagesOf", { done: pagesDone, count: pagesTotal })}
          <span aria-hidden="true"> · </span>
          {t("common.lessonsOf", { done: lessonsDone, count: lessonsTotal })}
        </span>
      </div>
      <ProgressBar percent={percent} label={t("course.progress")} />
      <div className={classes.next}>
        {next && (
          <>
            <ButtonLink to="/view-page/$pageId" params={{ pageId: next.id }} size="md">
              {t(pagesDone === 0 ? "course.start" : "course.continue")}
            </ButtonLink>
            <span className={classes.nextPage}>{t("course.nextUp", { page: pageTitle(next, t) })}</span>
          </>
        )}
        {!next && first && (
          <>
            <ButtonLink to="/view-page/$pageId" params={{ pageId: first.id }} size="md" variant="default">
              {t("course.again")}
            </ButtonLink>
            <span className={classes.nextPage}>{t("course.finished")}</span>
          </>
        )}
      </div>
    </section>
  );
}

/** Staff who are not enrolled see what learners see; nothing of it is recorded. */
function Preview({ course }: { course: Course }) {
  const { t } = useTranslation();
  const first = pages(course)[0];
  return (
    <section className={classes.preview} aria-label={t("course.preview")}>
      <div>
        <p className={classes.previewTitle}>{t("course.preview")}</p>
        <p className={classes.previewText}>{t("course.previewText")}</p>
      </div>
      {first && (
        <ButtonLink to="/view-page/$pageId" params={{ pageId: first.id }} variant="default">
          {t("course.start")}
        </ButtonLink>
      )}
    </section>
  );
}

function pages(course: Course) {
  return course.modules.flatMap((module) => module.lessons.flatMap((lesson) => lesson.pages));
}
