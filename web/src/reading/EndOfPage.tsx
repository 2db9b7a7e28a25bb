import { Link } from "@tanstack/react-router";
import { useTranslation } from "../i18n/useTranslation";
import { Tick } from "../ui/Tick";
import CourseDone from "./CourseDone";
import styles from "./EndOfPage.module.css";
import type { Page } from "./ReadingPage";
import { Remaining } from "./Remaining";

interface Props {
  page: Page;
  lessonDone: boolean;
  courseDone: boolean;
  isDone: boolean;
  visitUnsent: boolean;
}

/** The status at the end of a page: lesson completed, course completed, or what is left of it. */
export function EndOfPage({ page, lessonDone, courseDone, isDone, visitUnsent }: Props) {
  const { t } = useTranslation();
  const { course, nextPage } = page;
  const isLast = course.enrollment !== null && nextPage === null;
  return (
    <>
      {courseDone ? (
        <CourseDone course={course} />
      ) : isDone ? (
        <CourseIsDone course={course} />
      ) : lessonDone ? (
        <p className={styles.lesson}>
          <Tick className={styles.tick} />
          {t("onPage.lessonDone", { title: page.lesson.title })}
        </p>
      ) : (
        isLast && <Remaining page={page} />
      )}
      {visitUnsent && <p className={styles.unsent}>{t("onPage.visitUnsent")}</p>}
    </>
  );
}

function CourseIsDone({ course }: { course: Page["course"] }) {
  const { t } = useTranslation();
  return (
    <p className={styles.lesson}>
      <Tick className={styles.tick} />
      {t("onPage.courseDone")}{" "}
      <Link to="/view-course/$courseId" params={{ courseId: course.id }}>
        {t("onPage.toCourse")}
      </Link>
    </p>
  );
}
