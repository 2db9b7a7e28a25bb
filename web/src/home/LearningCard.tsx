import type { FragmentType } from "@apollo/client";
import { useFragment } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { isOutOfAttempts } from "../course/outOfAttempts";
import { pageTitle } from "../course/pageTitle";
import { formatDateTime } from "../i18n/formatDateTime";
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
  // The next page is a quiz without attempts left: the card links to the course, which shows the other pages.
  const isStuck = nextPage !== null && isOutOfAttempts(nextPage.reason);
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
              {nextPage
                ? t(isStuck ? "home.stuck" : "home.nextUp", { page: pageTitle(nextPage, t) })
                : t("home.finished")}
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
        {nextPage && !isStuck && (
          <ButtonLink to="/view-page/$pageId" params={{ pageId: nextPage.id }} className={classes.button}>
            {t(pagesDone === 0 ? "home.start" : "home.continue")}
          </ButtonLink>
        )}
        {isStuck && (
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
