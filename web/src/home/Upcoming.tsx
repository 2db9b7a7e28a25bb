import { Link } from "@tanstack/react-router";
import { type CSSProperties, lazy, Suspense, useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { withTexts } from "../i18n";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { IconCalendar, IconClock, IconOverdue } from "../ui/timeIcons";
import type { UpcomingQuery } from "./Upcoming.generated";
import classes from "./Upcoming.module.css";

const DueClock = lazy(() => import("./DueClock"));
/** Without it, the courses are still there. */
const ImportantChanges = lazy(() =>
  withTexts(import("./ImportantChanges"), "learning").catch(() => ({ default: () => <></> })),
);
const CourseTime = lazy(() => withTexts(import("../calendar/CourseTime"), "dates"));

type Due = UpcomingQuery["upcoming"]["next"][number];

/** The most important changes that are shown at once. */
const CHANGES = 3;

interface Props {
  /** Undefined when it could not be read. */
  data: UpcomingQuery | undefined;
  /** Reads it again. */
  reload: () => void;
}

/** The lists above the courses: upcoming deadlines, and important changes of pages that the user has read. */
export function Upcoming({ data, reload }: Props) {
  const changes = data?.importantChanges ?? [];
  // The last one has the button that shows the others.
  const rows = Math.min(changes.length, CHANGES + 1);
  return (
    <>
      <Due upcoming={data?.upcoming} reload={reload} />
      {changes.length > 0 && (
        // As high as the list, whose rows have one height.
        <div className={classes.changes} style={{ "--rows": rows } as CSSProperties}>
          <Suspense>
            <ImportantChanges changes={changes} shown={CHANGES} />
          </Suspense>
        </div>
      )}
    </>
  );
}

interface DueProps {
  upcoming: UpcomingQuery["upcoming"] | undefined;
  reload: () => void;
}

/** What is due next in the enrolled courses, below what is overdue, and a link to the calendar: the link alone when nothing is due. */
function Due({ upcoming, reload }: DueProps) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => new Date());
  const practice = (
    <Link to="/practice" className={classes.all}>
      {t("home.upcoming.practice")}
    </Link>
  );
  if (!upcoming || upcoming.overdue.length + upcoming.next.length === 0)
    return (
      <p className={classes.alone}>
        <IconCalendar size={18} />
        <Link to="/calendar" className={classes.all}>
          {t("home.upcoming.calendar")}
        </Link>
        {practice}
      </p>
    );
  const more = upcoming.overdueCount - upcoming.overdue.length;
  return (
    <section className={classes.upcoming} aria-labelledby="upcoming">
      <div className={classes.head}>
        <h2 className={classes.heading} id="upcoming">
          {t("home.upcoming.heading")}
        </h2>
        <Link to="/calendar" className={classes.all}>
          {t("home.upcoming.calendar")}
        </Link>
        {practice}
      </div>
      <ul className={classes.list}>
        {[...upcoming.overdue, ...upcoming.next].map((due) => (
          <DueRow key={due.uid} due={due} now={now} />
        ))}
      </ul>
      <Suspense>
        <DueClock
          dueDates={upcoming.next.map(({ at }) => at)}
          onChange={() => {
            setNow(new Date());
            // The server says what is overdue.
            reload();
          }}
        />
      </Suspense>
      {more > 0 && <p className={classes.more}>{t("home.upcoming.more", { count: more })}</p>}
    </section>
  );
}

function DueRow({ due, now }: { due: Due; now: Date }) {
  const { t, i18n } = useTranslation();
  const moment = momentOf(due.at, now, i18n.language);
  const ahead = (["today", "tomorrow"] as const)[moment.daysAhead] ?? "due";
  const Icon = due.isOverdue ? IconOverdue : IconClock;
  const title = pageTitle({ title: due.title, number: due.number ?? 1 }, t);
  return (
    <li className={classes.row} data-overdue={due.isOverdue || undefined}>
      <span className={classes.when}>
        <Icon size={18} />
        {t(`home.upcoming.${due.isOverdue ? "overdue" : ahead}`, { ...moment })}
      </span>
      <span className={classes.words}>
        {due.pageId ? (
          <Link to="/view-page/$pageId" params={{ pageId: due.pageId }}>
            {title}
          </Link>
        ) : (
          <Link to="/view-course/$courseId" params={{ courseId: due.courseId }}>
            {title}
          </Link>
        )}
        <span className={classes.course}>{due.courseTitle}</span>
        <Suspense>
          <CourseTime event={due} />
        </Suspense>
      </span>
    </li>
  );
}
