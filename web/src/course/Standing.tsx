import { useState } from "react";
import { useTranslation } from "react-i18next";
import { when } from "../i18n/when";
import { pageTitle } from "../reading/pageTitle";
import { ButtonLink } from "../ui/links";
import { ProgressBar } from "../ui/ProgressBar";
import { Tick } from "../ui/Tick";
import classes from "./CourseScreen.module.css";
import type { CourseTreeQuery } from "./CourseTree.generated";
import { type Left, resumeAt } from "./left";

type Course = CourseTreeQuery["course"];

interface Props {
  course: Course;
  left: readonly Left[];
  /** To read it all again from. */
  firstPageId: string | undefined;
}

/** How far somebody is, and the way on: to the next page that can be done, or out of a course that is completed. */
export function Standing({ course, left, firstPageId }: Props) {
  const { t } = useTranslation();
  const { percent, pagesDone, pagesTotal, lessonsDone, lessonsTotal } = course.progress;
  if (pagesTotal > 0 && pagesDone === pagesTotal) return <Done course={course} firstPageId={firstPageId} />;
  const next = resumeAt(left);
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
      {next && (
        <div className={classes.next}>
          <ButtonLink to="/view-page/$pageId" params={{ pageId: next.id }} size="md">
            {t(pagesDone === 0 ? "course.start" : "course.continue")}
          </ButtonLink>
          <span className={classes.nextPage}>{t("course.nextUp", { page: pageTitle(next, t) })}</span>
        </div>
      )}
      {!next && left.length > 0 && <p className={classes.note}>{t("learning.left.stuck")}</p>}
      <Before course={course} />
    </section>
  );
}

/** A course that was completed and has grown since, or whose attempts were reset. */
function Before({ course }: { course: Course }) {
  const { t, i18n } = useTranslation();
  const [now] = useState(() => new Date());
  const { completedAt } = course.progress;
  if (!completedAt) return null;
  return (
    <p className={classes.note}>
      {t("learning.done.before", { when: when(completedAt, now, i18n.language, t) })}
    </p>
  );
}

function Done({ course, firstPageId }: Omit<Props, "left">) {
  const { t, i18n } = useTranslation();
  const [now] = useState(() => new Date());
  const { completedAt, pagesTotal } = course.progress;
  return (
    <section className={classes.done} aria-labelledby="done">
      <Tick className={classes.tick} />
      <div className={classes.doneWords}>
        <h2 className={classes.doneTitle} id="done">
          {completedAt
            ? t("learning.done.at", { when: when(completedAt, now, i18n.language, t) })
            : t("learning.done.title")}
        </h2>
        <p className={classes.doneText}>{t("learning.done.all", { count: pagesTotal })}</p>
        <div className={classes.ways}>
          <ButtonLink to="/" size="md">
            {t("learning.done.courses")}
          </ButtonLink>
          <ButtonLink
            to="/view-course/$courseId"
            params={{ courseId: course.id }}
            search={{ tab: "progress" }}
            size="md"
            variant="default"
          >
            {t("learning.done.progress")}
          </ButtonLink>
          {firstPageId && (
            <ButtonLink
              to="/view-page/$pageId"
              params={{ pageId: firstPageId }}
              size="md"
              variant="subtle"
              px="xs"
            >
              {t("course.again")}
            </ButtonLink>
          )}
        </div>
      </div>
    </section>
  );
}
