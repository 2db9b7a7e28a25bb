import { Link } from "@tanstack/react-router";
import { isStuck } from "../course/stuck";
import { useTranslation } from "../i18n/useTranslation";
import styles from "./EndOfPage.module.css";
import type { Page } from "./ReadingPage";

/** On the last page: how many pages are left. The link to the next page leads to the first of them. */
export function Remaining({ page }: { page: Page }) {
  const { t } = useTranslation();
  const { course } = page;
  const unread = course.enrollment?.nextPage;
  const left = course.progress.pagesTotal - course.progress.pagesDone;
  const isHere = unread?.id === page.id;
  if (!unread || (isHere && left === 1)) return null;
  return (
    <div className={styles.remaining}>
      <p>{t("learning.remaining", { count: left })}</p>
      {(isHere || isStuck(unread)) && (
        <Link to="/view-course/$courseId" params={{ courseId: course.id }}>
          {t("onPage.toCourse")}
        </Link>
      )}
    </div>
  );
}
