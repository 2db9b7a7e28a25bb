import { Link } from "@tanstack/react-router";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { Tick } from "../ui/Tick";
import classes from "./CourseDone.module.css";
import type { Page } from "./ReadingPage";

/** The celebration when the last page of a course is completed; later visits do not show it. */
export default function CourseDone({ course }: { course: Page["course"] }) {
  const { t } = useTranslation();
  return (
    <section className={classes.done} aria-labelledby="course-done">
      <Tick className={classes.tick} />
      <h2 id="course-done">{t("learning.done.moment")}</h2>
      <p>{t("learning.done.momentText", { title: course.title, count: course.progress.pagesTotal })}</p>
      <div className={classes.actions}>
        <ButtonLink
          to="/view-course/$courseId"
          params={{ courseId: course.id }}
          search={{ tab: "progress" }}
          size="md"
        >
          {t("learning.done.progress")}
        </ButtonLink>
        <Link to="/">{t("learning.done.courses")}</Link>
      </div>
    </section>
  );
}
