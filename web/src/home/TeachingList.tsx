import type { FragmentType } from "@apollo/client";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { TeachingCard } from "./TeachingCard";
import type { TeachingCard_CourseFragment } from "./TeachingCard.generated";
import classes from "./TeachingList.module.css";

const PER_PAGE = 20;

interface Props {
  courses: readonly ({ id: string } & FragmentType<TeachingCard_CourseFragment>)[];
  page: number;
}

/** The courses one teaches, twenty at a time. */
export function TeachingList({ courses, page }: Props) {
  const { t } = useTranslation();
  const pages = Math.ceil(courses.length / PER_PAGE);
  const shown = Math.min(page, pages);
  return (
    <>
      <ul className={classes.list}>
        {courses.slice((shown - 1) * PER_PAGE, shown * PER_PAGE).map((course) => (
          <TeachingCard key={course.id} course={course} />
        ))}
      </ul>
      {pages > 1 && (
        <nav className={classes.pages} aria-label={t("home.pagination")}>
          {shown > 1 && (
            <Link to="/" search={{ page: shown - 1 }} rel="prev">
              {t("home.previousPage")}
            </Link>
          )}
          <span className={classes.count}>{t("home.pageOf", { page: shown, pages })}</span>
          {shown < pages && (
            <Link to="/" search={{ page: shown + 1 }} rel="next">
              {t("home.nextPage")}
            </Link>
          )}
        </nav>
      )}
    </>
  );
}
