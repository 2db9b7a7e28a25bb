import { useQuery, useSubscription } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { onReconnect } from "../api/live";
import { pageTitle } from "../course/pageTitle";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./LiveActivity.module.css";
import {
  CourseActivityDocument,
  type CourseActivitySubscription,
  RecentStudentsDocument,
} from "./Students.generated";

/** Students who were active within this time before the screen opened are shown. */
const RECENT_MS = 15 * 60_000;

/** The number of events shown. */
const SHOWN = 30;

type Activity = CourseActivitySubscription["courseActivity"];

interface Props {
  courseId: string;
  /** The group whose students are shown; undefined for all. */
  group: string | undefined;
  /** Called when an event makes the class list stale. */
  onActivity: () => void;
}

/** The live feed of the students' actions in a course. */
export function LiveActivity({ courseId, group, onActivity }: Props) {
  const { t } = useTranslation();
  const [lines, setLines] = useState<readonly { key: number; activity: Activity }[]>([]);
  const [opened] = useState(() => Date.now());
  const { data: before } = useQuery(RecentStudentsDocument, {
    variables: { id: courseId, groupId: group ?? null },
    fetchPolicy: "no-cache",
  });
  const recent = (before?.course.students?.nodes ?? []).filter(
    ({ id, lastActivityAt }) =>
      opened - Date.parse(lastActivityAt) < RECENT_MS &&
      !lines.some(({ activity }) => activity.student.id === id),
  );
  useSubscription(CourseActivityDocument, {
    variables: { courseId, groupId: group ?? null },
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
  return (
    <section className={classes.live} aria-labelledby="live">
      <h2 className={classes.heading} id="live">
        <span className={classes.dot} aria-hidden="true" />
        {t("students.live.heading")}
      </h2>
      {lines.length === 0 && recent.length === 0 ? (
        <p className={classes.none}>{t("students.live.none")}</p>
      ) : (
        <ol className={classes.lines}>
          {lines.map(({ key, activity }) => (
            <Line key={key} courseId={courseId} student={activity.student} at={activity.at}>
              <What activity={activity} />
            </Line>
          ))}
          {recent.map((student) => (
            <Line key={student.id} courseId={courseId} student={student} at={student.lastActivityAt}>
              {t("students.live.recent")}
            </Line>
          ))}
        </ol>
      )}
    </section>
  );
}

interface LineProps {
  courseId: string;
  student: Pick<Activity["student"], "id" | "user">;
  at: string;
  children: ReactNode;
}

function Line({ courseId, student, at, children }: LineProps) {
  const { i18n } = useTranslation();
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "short" });
  return (
    <li className={classes.line}>
      <time dateTime={at} className={classes.time}>
        {time.format(new Date(at))}
      </time>
      <p>
        <Link
          to="/edit-course/$courseId"
          params={{ courseId }}
          search={{ tab: "students", student: student.id }}
          className={classes.name}
        >
          {student.user.fullName || student.user.email}
        </Link>
        <span className={classes.what}>{children}</span>
      </p>
    </li>
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
      if (activity.isWaiting && !activity.passed) return t("students.live.waiting", { page });
      return t(activity.passed ? "students.live.passed" : "students.live.submitted", {
        page,
        percent: activity.percent,
      });
    case "StudentCompletedCourse":
      return t("students.live.completed");
  }
}
