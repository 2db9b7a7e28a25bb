import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import styles from "./EndOfPage.module.css";
import { pageTitle } from "./pageTitle";
import type { Page } from "./ReadingPage";

interface EndOfPageProps {
  page: Page;
  /** This visit completed the lesson. */
  lessonDone: boolean;
  /** All of the course is done, and this is the place to say so. */
  courseDone: boolean;
  visitUnsent: boolean;
}

/** What a page's end has to say, quietly: a lesson done, the course done, or what is left of it. */
export function EndOfPage({ page, lessonDone, courseDone, visitUnsent }: EndOfPageProps) {
  const { course, nextPage } = page;
  const isLast = course.enrollment !== null && nextPage === null;
  return (
    // Always here, so that a screen reader notices when something appears in it.
    <div role="status" className={styles.place}>
      {courseDone ? (
        <CourseDone course={course} />
      ) : lessonDone ? (
        <LessonDone title={page.lesson.title} />
      ) : (
        isLast && <Remaining course={course} />
      )}
      {visitUnsent && <Unsent />}
    </div>
  );
}

function LessonDone({ title }: { title: string }) {
  const { t } = useTranslation();
  return (
    <p className={styles.lesson}>
      <Tick />
      {t("reading.lessonDone", { title })}
    </p>
  );
}

function CourseDone({ course }: { course: Page["course"] }) {
  const { t } = useTranslation();
  return (
    <div className={styles.course}>
      <Tick />
      <h2>{t("reading.courseDone.title")}</h2>
      <p>{t("reading.courseDone.text", { title: course.title, count: course.progress.pagesTotal })}</p>
      <Link to="/view-course/$courseId" params={{ courseId: course.id }}>
        {t("reading.courseDone.back")}
      </Link>
    </div>
  );
}

function Remaining({ course }: { course: Page["course"] }) {
  const { t } = useTranslation();
  const unread = course.enrollment?.nextPage;
  if (!unread) return null;
  return (
    <div className={styles.remaining}>
      <p>{t("reading.remaining", { count: course.progress.pagesTotal - course.progress.pagesDone })}</p>
      <Link to="/view-page/$pageId" params={{ pageId: unread.id }}>
        {t("reading.toUnread", { title: pageTitle(unread, t) })}
      </Link>
    </div>
  );
}

function Unsent() {
  const { t } = useTranslation();
  return <p className={styles.unsent}>{t("reading.visitUnsent")}</p>;
}

function Tick() {
  return (
    <svg viewBox="0 0 24 24" className={styles.tick} aria-hidden="true">
      <circle cx="12" cy="12" r="10" />
      <path d="m7.5 12.5 3 3 6-6.5" />
    </svg>
  );
}
