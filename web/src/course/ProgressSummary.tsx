import { Link } from "@tanstack/react-router";
import { nextOpening } from "../dates/times";
import { useNow } from "../dates/useNow";
import { formatDateTime, momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { ProgressBar } from "../ui/ProgressBar";
import { Tick } from "../ui/Tick";
import type { CourseTreeQuery } from "./CourseScreen.generated";
import classes from "./CourseScreen.module.css";
import { pageTitle } from "./pageTitle";
import { type RemainingPage, resumeAt } from "./remaining";

type Course = CourseTreeQuery["course"];

interface Props {
  course: Course;
  left: readonly RemainingPage[];
  /** The first page, for reading the course again. */
  firstPageId: string | undefined;
  /** Whether its first button is the main one of the screen. It is not while the certificate can be claimed. */
  isMain: boolean;
}

/** The user's progress with a link to the next page or, after completion, to the other courses. */
export function ProgressSummary({ course, left, firstPageId, isMain }: Props) {
  const { t } = useTranslation();
  const { percent, pagesDone, pagesTotal, lessonsDone, lessonsTotal } = course.progress;
  if (pagesTotal > 0 && pagesDone === pagesTotal)
    return <Completed course={course} firstPageId={firstPageId} isMain={isMain} />;
  const { next, skipped } = resumeAt(left, course.enrollment?.nextPage?.id);
  const firstSkipped = skipped[0]?.page;
  return (
    <section className={classes.resume} aria-label={t("learning.progress.label")}>
      <div className={classes.figures}>
        <span className={classes.percent}>{t("common.percent", { percent })}</span>
        <span className={classes.counts}>
          {t("common.pagesOf", { done: pagesDone, count: pagesTotal })}
          <span aria-hidden="true"> · </span>
          {t("learning.lessonsOf", { done: lessonsDone, count: lessonsTotal })}
        </span>
      </div>
      <ProgressBar percent={percent} label={t("learning.progress.label")} />
      {next && (
        <div className={classes.next}>
          <ButtonLink
            to="/view-page/$pageId"
            params={{ pageId: next.id }}
            size="md"
            variant={isMain ? "filled" : "default"}
          >
            {t(pagesDone === 0 ? "learning.start" : "learning.continue")}
          </ButtonLink>
          <span className={classes.nextPage}>
            {t(next.reason?.isReturned ? "learning.left.returned" : "course.nextUp", {
              page: pageTitle(next, t),
            })}
          </span>
        </div>
      )}
      {firstSkipped && (
        <p className={classes.note}>
          {t("learning.left.skipped", { count: skipped.length })}{" "}
          <Link to="/view-page/$pageId" params={{ pageId: firstSkipped.id }}>
            {pageTitle(firstSkipped, t)}
          </Link>
        </p>
      )}
      {!next && left.length > 0 && <Stuck left={left} />}
      <EarlierCompletion course={course} />
    </section>
  );
}

/** Why no page can be completed now. */
function Stuck({ left }: Pick<Props, "left">) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const times = left.map(({ page }) => page.timeline);
  const opening = nextOpening(times);
  const isWaiting = left.some(({ page }) => page.reason?.isWaiting);
  const text = opening
    ? t("dates.left.locked", { ...momentOf(opening, now, i18n.language) })
    : isWaiting
      ? t("learning.left.waiting")
      : t(times.every(({ state }) => state === "OPEN") ? "learning.left.stuck" : "dates.left.closed");
  return <p className={classes.note}>{text}</p>;
}

/** The earlier completion of a course that has new pages or reset attempts since. */
function EarlierCompletion({ course }: { course: Course }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { completedAt } = course.progress;
  if (!completedAt) return null;
  return (
    <p className={classes.note}>
      {t("learning.done.before", { when: formatDateTime(completedAt, now, i18n.language, t) })}
    </p>
  );
}

function Completed({ course, firstPageId, isMain }: Omit<Props, "left">) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { completedAt, pagesTotal } = course.progress;
  return (
    <section className={classes.done} aria-labelledby="done">
      <Tick className={classes.tick} />
      <div className={classes.doneWords}>
        <h2 className={classes.doneTitle} id="done">
          {completedAt
            ? t("learning.done.at", { when: formatDateTime(completedAt, now, i18n.language, t) })
            : t("learning.done.title")}
        </h2>
        <p className={classes.doneText}>{t("learning.done.all", { count: pagesTotal })}</p>
        <div className={classes.ways}>
          <ButtonLink to="/" size="md" variant={isMain ? "filled" : "default"}>
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
              className={classes.again}
            >
              {t("learning.again")}
            </ButtonLink>
          )}
        </div>
      </div>
    </section>
  );
}
