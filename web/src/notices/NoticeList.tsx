import { useApolloClient } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { type ComponentType, useId, useMemo, useState } from "react";
import { IconMegaphone } from "../announcements/IconMegaphone";
import { IconComment } from "../comments/IconComment";
import { useTranslation } from "../i18n/useTranslation";
import { IconUpload } from "../ui/authorIcons";
import { IconBell, IconBooks, IconCheck, IconPlus } from "../ui/icons";
import { IconHistory, IconPeople, IconReturn, IconWarning } from "../ui/laterIcons";
import { IconClock } from "../ui/timeIcons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { markRead } from "./actions";
import { type Day, grouped, type Notice, type OfCourse, type Row } from "./grouping";
import classes from "./NoticeList.module.css";
import { placeOf } from "./places";
import { isCovered, noticeState } from "./state";
import { dayOf, factsOf, quotedText, titleOf } from "./texts";

const ICONS: Record<Notice["kind"], ComponentType<{ size?: number }>> = {
  GRADED: IconCheck,
  RETURNED: IconReturn,
  RESULT_CHANGED: IconHistory,
  ATTEMPT_GIVEN: IconPlus,
  DEADLINE_NEAR: IconClock,
  IMPORTANT_CHANGE: IconWarning,
  MENTION: IconComment,
  COMMENT: IconComment,
  INVITED: IconPeople,
  IMPORT_DONE: IconUpload,
  COURSE_COMPLETED: IconBooks,
  ANNOUNCEMENT: IconMegaphone,
  NUDGE: IconBell,
  ANSWERED: IconComment,
  ASKED: IconComment,
  REPORTED: IconWarning,
};

interface Props {
  notices: readonly Notice[];
  /** The heading level of days; courses are one level below. */
  heading: "h2" | "h3";
  /** Called when a notice is opened here. */
  onOpen?: () => void;
}

/** Notices by day and course. Each links to its subject, and is marked as read when it is opened. */
export function NoticeList({ notices, heading, onOpen }: Props) {
  const days = useMemo(() => grouped(notices), [notices]);
  const [now] = useState(() => new Date());
  return days.map((day) => (
    <DayPart key={day.at.slice(0, 10)} day={day} now={now} heading={heading} onOpen={onOpen} />
  ));
}

interface DayProps extends Pick<Props, "heading" | "onOpen"> {
  day: Day;
  now: Date;
}

function DayPart({ day, now, heading: Heading, onOpen }: DayProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  return (
    <section className={classes.day} aria-labelledby={id}>
      <Heading id={id} className={classes.date}>
        {dayOf(day.at, now, i18n.language, t)}
      </Heading>
      {day.courses.map((ofCourse) => (
        <CoursePart
          key={ofCourse.course?.id ?? ""}
          ofCourse={ofCourse}
          now={now}
          heading={Heading === "h2" ? "h3" : "h4"}
          isShort={Heading === "h3"}
          onOpen={onOpen}
        />
      ))}
    </section>
  );
}

interface CourseProps extends Pick<Props, "onOpen"> {
  ofCourse: OfCourse;
  now: Date;
  heading: "h3" | "h4";
  /** Whether long texts are cut, as in the panel. */
  isShort: boolean;
}

function CoursePart({ ofCourse: { course, rows }, now, heading: Heading, isShort, onOpen }: CourseProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <Heading id={id} className={classes.course}>
        {course ? course.title || t("notices.untitledCourse") : t("notices.noCourse")}
      </Heading>
      <ul className={classes.list} aria-labelledby={id}>
        {rows.map((row) => (
          <NoticeRow key={row.key} row={row} now={now} isShort={isShort} onOpen={onOpen} />
        ))}
      </ul>
    </>
  );
}

interface RowProps extends Pick<CourseProps, "now" | "isShort" | "onOpen"> {
  row: Row;
}

function NoticeRow({ row, now, isShort, onOpen }: RowProps) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const readUpTo = useSelector(noticeState, (state) => state.readUpTo);
  const isUnread = row.notices.some((notice) => !notice.isRead && !isCovered(notice, readUpTo));
  const Icon = ICONS[row.notices[0].kind];
  const quoted = quotedText(row);
  const open = () => void markRead(client, row);
  return (
    <li>
      <Link
        {...placeOf(row)}
        className={classes.row}
        data-unread={isUnread || undefined}
        onClick={(event) => {
          open();
          // It opens in another tab.
          if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onOpen?.();
        }}
        onAuxClick={(event) => event.button === 1 && open()}
      >
        <span className={classes.icon}>
          <Icon size={18} />
        </span>
        <span className={classes.words}>
          {isUnread && <VisuallyHidden>{t("notices.isUnread")} </VisuallyHidden>}
          <span className={classes.title}>{titleOf(row, t)}</span>
          {quoted && (
            <span className={classes.quoted} data-short={isShort || undefined}>
              {quoted}
            </span>
          )}
          <span className={classes.facts}>{factsOf(row, now, i18n.language, t).join(" \u00b7\u00a0")}</span>
        </span>
        {isUnread && <span className={classes.mark} aria-hidden="true" />}
      </Link>
    </li>
  );
}
