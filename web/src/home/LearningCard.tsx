import type { FragmentType } from "@apollo/client";
import { useFragment } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import { pageTitle } from "../course/pageTitle";
import { isStuck } from "../course/stuck";
import { formatDateTime, momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { ProgressRing } from "../ui/ProgressRing";
import { CoursePicture } from "./CoursePicture";
import {
  type LearningCard_EnrollmentFragment,
  LearningCard_EnrollmentFragmentDoc,
} from "./LearningCard.generated";
import classes from "./LearningCard.module.css";

/** The card of an enrolled course: progress, last activity, and a link to the next page. */
export function LearningCard({
  enrollment: from,
}: {
  enrollment: FragmentType<LearningCard_EnrollmentFragment>;
}) {
  const { t, i18n } = useTranslation();
  const { data: enrollment, dataState } = useFragment({
    fragment: LearningCard_EnrollmentFragmentDoc,
    fragmentName: "LearningCard_enrollment",
    from,
  });
  if (dataState !== "complete") return null;
  const { course, nextPage, lastActivityAt } = enrollment;
  const { percent, pagesDone, pagesTotal } = course.progress;
  // The next page is locked, or a quiz that takes no attempts: the card links to the course, which shows the other pages.
  const waits = nextPage !== null && isStuck(nextPage);
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <CoursePicture course={course} />
        <div className={`${classes.words} ${classes.grows}`}>
          <h3 className={classes.title}>
            <Link to="/view-course/$courseId" params={{ courseId: course.id }} className={classes.link}>
              {course.title}
            </Link>
          </h3>
          <p className={classes.dim}>
            <span className={classes.percent}>{t("common.percent", { percent })}</span>
            {t("common.pagesOf", { done: pagesDone, count: pagesTotal })}
          </p>
        </div>
        <span className={classes.ring}>
          <ProgressRing
            size={52}
            percent={percent}
            label={t("course.progressOf", { percent, course: course.title })}
          />
        </span>
      </div>
      <div className={classes.foot}>
        <div className={classes.words}>
          {pagesTotal > 0 && (
            <p className={classes.next}>
              {nextPage ? nextText(nextPage, i18n.language, t) : t("home.finished")}
            </p>
          )}
          <p className={classes.dim}>
            {pagesDone === 0
              ? t("home.notStarted")
              : t("home.lastActivity", {
                  when: formatDateTime(lastActivityAt, new Date(), i18n.language, t),
                })}
          </p>
        </div>
        {nextPage && !waits && (
          <ButtonLink to="/view-page/$pageId" params={{ pageId: nextPage.id }} className={classes.button}>
            {t(pagesDone === 0 ? "home.start" : "home.continue")}
          </ButtonLink>
        )}
        {waits && (
          <ButtonLink
            to="/view-course/$courseId"
            params={{ courseId: course.id }}
            variant="default"
            className={classes.button}
          >
            {t("home.open")}
          </ButtonLink>
        )}
      </div>
    </li>
  );
}

type NextPage = NonNullable<LearningCard_EnrollmentFragment["nextPage"]>;

/** Where the learner continues, or why not: «Откроется 1 декабря в 10:00: Срезы». */
function nextText(next: NextPage, language: string, t: TFunction): string {
  const page = pageTitle(next, t);
  if (!isStuck(next)) return t(next.reason?.isReturned ? "home.returned" : "course.nextUp", { page });
  if (next.reason?.isWaiting) return t("home.waiting", { page });
  const { state, opensAt } = next.timeline;
  if (opensAt && state === "LOCKED")
    return t("home.opens", { page, ...momentOf(opensAt, new Date(), language) });
  return t(state === "OPEN" ? "home.stuck" : "home.closed", { page });
}
