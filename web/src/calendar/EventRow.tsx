import { Link } from "@tanstack/react-router";
import { pageTitle } from "../course/pageTitle";
import { useTranslation } from "../i18n/useTranslation";
import { Tag } from "../ui/Rows";
import type { CalendarEvent_EventFragment } from "./Calendar.generated";
import CourseTime from "./CourseTime";
import { EventKind } from "./EventKind";
import classes from "./EventRow.module.css";

interface Props {
  event: CalendarEvent_EventFragment;
  /** Whether the row is one of what is overdue: it shows the date as well, and leaves the word to the heading. */
  isOverdue?: boolean;
}

/** An event of an agenda: when, what, and in which course. */
export function EventRow({ event, isOverdue = false }: Props) {
  const { t, i18n } = useTranslation();
  const date = isOverdue ? ({ day: "numeric", month: "short" } as const) : {};
  const when = new Intl.DateTimeFormat(i18n.language, { ...date, hour: "2-digit", minute: "2-digit" });
  return (
    <li className={classes.row} data-overdue={event.isOverdue || undefined}>
      <time className={classes.time} dateTime={event.at}>
        {when.format(new Date(event.at))}
      </time>
      <div className={classes.words}>
        <p className={classes.name}>
          <EventLink event={event} />
          {event.myRole !== "LEARNER" && <Tag quiet>{t("calendar.teaching")}</Tag>}
        </p>
        <p className={classes.facts}>
          {!isOverdue && <EventKind event={event} />}
          {event.part !== "COURSE" && <span>{event.courseTitle}</span>}
          <CourseTime event={event} />
        </p>
      </div>
    </li>
  );
}

/** The title of an event, as a link to its page or its course. */
export function EventLink({ event }: { event: CalendarEvent_EventFragment }) {
  const { t } = useTranslation();
  const title = pageTitle({ title: event.title, number: event.number ?? 1 }, t);
  if (event.pageId)
    return (
      <Link to="/view-page/$pageId" params={{ pageId: event.pageId }}>
        {title}
      </Link>
    );
  return (
    <Link
      to={event.myRole === "LEARNER" ? "/view-course/$courseId" : "/edit-course/$courseId"}
      params={{ courseId: event.courseId }}
    >
      {title}
    </Link>
  );
}
