import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Tick } from "../ui/Tick";
import styles from "./EndOfPage.module.css";
import type { Page } from "./ReadingPage";

const load = () => withTexts(import("./CourseDone"), "learning");

/** Loaded before the last page is completed, so that it shows at once; when loading fails, a line of text replaces it. */
const CourseDone = lazy(() => load().catch(() => ({ default: CourseIsDone })));

/** Loaded on the last page alone; when loading fails, nothing is said. */
const Remaining = lazy(() =>
  withTexts(import("./Remaining"), "learning").catch(() => ({ default: () => null })),
);

export function preloadCourseDone() {
  load().catch(() => undefined);
}

/** The celebration after the last page of the course. */
export function CourseMoment({ course }: { course: Page["course"] }) {
  return (
    <Suspense fallback={null}>
      <CourseDone course={course} />
    </Suspense>
  );
}

interface EndOfPageProps {
  page: Page;
  /** Whether this visit completed the lesson. */
  lessonDone: boolean;
  /** Whether this visit completed the course and the page shows it here. */
  courseDone: boolean;
  /** Whether the course is completed, and this is the last page or the completion is shown above. */
  isDone: boolean;
  visitUnsent: boolean;
}

/** The status at the end of a page: lesson completed, course completed, or what is left of it. */
export function EndOfPage({ page, lessonDone, courseDone, isDone, visitUnsent }: EndOfPageProps) {
  const { course, nextPage } = page;
  const isLast = course.enrollment !== null && nextPage === null;
  return (
    // Always rendered: screen readers ignore a live region that appears together with its text.
    <div role="status" className={styles.place}>
      {courseDone ? (
        <CourseMoment course={course} />
      ) : isDone ? (
        <CourseIsDone course={course} />
      ) : lessonDone ? (
        <LessonDone title={page.lesson.title} />
      ) : (
        isLast && (
          <Suspense fallback={null}>
            <Remaining page={page} />
          </Suspense>
        )
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

function Unsent() {
  const { t } = useTranslation();
  return <p className={styles.unsent}>{t("reading.visitUnsent")}</p>;
}
