import { useSubscription } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { onReconnect } from "../api/live";
import { pageTitle } from "../course/pageTitle";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./LiveActivity.module.css";
import { CourseActivityDocument, type CourseActivitySubscription } from "./Students.generated";

/** The number of events shown. */
const SHOWN = 30;

type Activity = CourseActivitySubscription["courseActivity"];

interface Props {
  courseId: string;
  /** Called when an event makes the class list stale. */
  onActivity: () => void;
}

/** The live feed of the students' actions in a course. */
export function LiveActivity({ courseId, onActivity }: Props) {
  const { t, i18n } = useTranslation();
  const [lines, setLines] = useState<readonly { key: number; activity: Activity }[]>([]);
  useSubscription(CourseActivityDocument, {
    variables: { courseId },
    fetchPolicy: "no-cache",
    onData: ({ data: { data } }) => {
      const activity = data?.courseActivity;
      if (!activity) return;
      setLines((before) => [{ key: (before[0]?.key ?? 0) + 1, activity }, ...before].slice(0, SHOWN));
      onActivity();
    },
  });
  // Events may have been missed during the disconnection, so the class list is fetched again.
  useEffect(() => onReconnect(onActivity), [onActivity]);
  const time = new Intl.DateTimeFormat(i18n.language, { hour: "2-digit", minute: "2-digit" });
  return (
    <section className={classes.live} aria-labelledby="live">
      <h2 className={classes.heading} id="live">
        <span className={classes.dot} aria-hidden="true" />
        {t("students.live.heading")}
      </h2>
      {lines.length === 0 ? (
        <p className={classes.none}>{t("students.live.none")}</p>
      ) : (
        <ol className={classes.lines}>
          {lines.map(({ key, activity }) => (
            <li key={key} className={classes.line}>
              <time dateTime={activity.at} className={classes.time}>
                {time.format(new Date(activity.at))}
              </time>
              <p>
                <Link
                  to="/edit-course/$courseId"
                  params={{ courseId }}
                  search={{ tab: "students", student: activity.student.id }}
                  className={classes.name}
                >
                  {activity.student.user.fullName || activity.student.user.email}
                </Link>
                <span className={classes.what}>
                  <What activity={activity} />
                </span>
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function What({ activity }: { activity: Activity }) {
  const { t } = useTranslation();
  const page = "page" in activity && activity.page ? pageTitle(activity.page, t) : t("students.live.gone");
  switch (activity.__typename) {
    case "StudentEnrolled":
      return t("students.live.enrolled");
    case "StudentReadPage":
      return t("students.live.read", { page });
    case "StudentSubmittedQuiz":
      return t(activity.passed ? "students.live.passed" : "students.live.submitted", {
        page,
        percent: activity.percent,
      });
    case "StudentCompletedCourse":
      return t("students.live.completed");
  }
}
