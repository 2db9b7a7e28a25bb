import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { isOutOfAttempts } from "../course/left";
import { Tick } from "../ui/Tick";
import styles from "./EndOfPage.module.css";
import { pageTitle } from "./pageTitle";
import type { Page } from "./ReadingPage";

const load = () => import("./CourseDone");

/** Loaded before the last page is done, so that the moment does not wait; where even that fails, it is said in a line. */
const CourseDone = lazy(() => load().catch(() => ({ default: CourseIsDone })));

export function preloadCourseDone() {
  load().catch(() => undefined);
}

/** The celebration, in the place that the page gives it: once the last page of the course is done. */
export function CourseMoment({ course }: { course: Page["course"] }) {
  return (
    <Suspense fallback={null}>
      <CourseDone course={course} />
    </Suspense>
  );
}

interface EndOfPageProps {
  page: Page;
  /** This visit completed the lesson. */
  lessonDone: boolean;
  /** This visit completed the course, and the page has no better place to say so. */
  courseDone: boolean;
  /** All of the course is done, and this is the last page or it has just been said above. */
  isDone: boolean;
  visitUnsent: boolean;
}

/** What a page's end has to say, quietly: a lesson done, the course done, or what is left of it. */
export function EndOfPage({ page, lessonDone, courseDone, isDone, visitUnsent }: EndOfPageProps) {
  const { course, nextPage } = page;
  const isLast = course.enrollment !== null && nextPage === null;
  return (
    // Always here, so that a screen reader notices when something appears in it.
    <div role="status" className={styles.place}>
      {courseDone ? (
        <CourseMoment course={course} />
      ) : isDone ? (
        <CourseIsDone course={course} />
      ) : lessonDone ? (
        <LessonDone title={page.lesson.title} />
      ) : (
        isLast && <Remaining page={page} />
      )}
      {visitUnsent && <Unsent />}
    </div>
  );
}

function LessonDone({ title }: { title: string }) {
  const { t } = useTranslation();
  return (
    <p className={styles.lesson}>
      <Tick className={styles.tick} />
      {t("reading.lessonDone", { title })}
    </p>
  );
}

function CourseIsDone({ course }: { course: Page["course"] }) {
  const { t } = useTranslation();
  return (
    <p className={styles.lesson}>
      <Tick className={styles.tick} />
      {t("reading.courseDone")}{" "}
      <Link to="/view-course/$courseId" params={{ courseId: course.id }}>
        {t("reading.toCourse")}
      </Link>
    </p>
  );
}

function Remaining({ page }: { page: Page }) {
  const { t } = useTranslation();
  const { course } = page;
  const unread = course.enrollment?.nextPage;
  // The way on is not where one is.
  if (!unread || unread.id === page.id) return null;
  return (
    <div className={styles.remaining}>
      <p>{t("reading.remaining", { count: course.progress.pagesTotal - course.progress.pagesDone })}</p>
      {isOutOfAttempts(unread.reason) ? (
        <Link to="/view-course/$courseId" params={{ courseId: course.id }}>
          {t("reading.toCourse")}
        </Link>
      ) : (
        <Link to="/view-page/$pageId" params={{ pageId: unread.id }}>
          {t("reading.toUnread", { title: pageTitle(unread, t) })}
        </Link>
      )}
    </div>
  );
}

function Unsent() {
  const { t } = useTranslation();
  return <p className={styles.unsent}>{t("reading.visitUnsent")}</p>;
}
