import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { hiddenItems } from "../ui/hiddenItems";
import { IconChevron } from "../ui/icons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import type { CourseAnnouncementsQuery } from "./CourseAnnouncements.generated";
import classes from "./CourseAnnouncements.module.css";
import { IconMegaphone } from "./IconMegaphone";
import { IconPin } from "./IconPin";
import { elementId, shownOnCourse } from "./list";

export type Announcements = CourseAnnouncementsQuery["course"]["announcements"];

interface Props {
  courseId: string;
  announcements: Announcements;
}

/** The pinned and the newest unread announcements of a course, with a link to all of them. */
export function CourseAnnouncements({ courseId, announcements: { items, unread, canWrite } }: Props) {
  const { t } = useTranslation();
  const hidden = useSelector(hiddenItems);
  const [now] = useState(() => new Date());
  const known = items.filter(({ id }) => !hidden.has(id));
  // Staff need the link to write the first one.
  if (known.length === 0 && !canWrite) return null;
  const shown = shownOnCourse(known);
  return (
    <section className={classes.section} aria-label={t("learning.announcements.heading")}>
      {shown.length > 0 && (
        <ul className={classes.list}>
          {shown.map((one) => (
            <Row key={one.id} courseId={courseId} announcement={one} now={now} />
          ))}
        </ul>
      )}
      <Link
        to="/view-course/$courseId/announcements"
        params={{ courseId }}
        search={{}}
        className={classes.all}
        aria-label={unread > 0 ? t("learning.announcements.allUnread", { count: unread }) : undefined}
      >
        <IconMegaphone size={18} />
        {t(`learning.announcements.${known.length > 0 ? "all" : "heading"}`)}
        {unread > shown.length && <span className={classes.count}>{unread}</span>}
        <IconChevron size={16} />
      </Link>
    </section>
  );
}

interface RowProps {
  courseId: string;
  announcement: Announcements["items"][number];
  now: Date;
}

function Row({ courseId, announcement, now }: RowProps) {
  const { t, i18n } = useTranslation();
  const { id, title, excerpt, author, publishedAt, isPinned, isRead } = announcement;
  return (
    <li>
      <Link
        to="/view-course/$courseId/announcements"
        params={{ courseId }}
        search={{}}
        hash={elementId(id)}
        className={classes.row}
        data-unread={!isRead || undefined}
      >
        <span className={classes.head}>
          {!isRead && (
            <>
              <span className={classes.dot} aria-hidden="true" />
              <VisuallyHidden>{t("learning.announcements.isUnread")} </VisuallyHidden>
            </>
          )}
          <span className={classes.title}>{title}</span>
          {isPinned && (
            <span className={classes.pin}>
              <IconPin size={16} />
              <VisuallyHidden>{t("learning.announcements.pinned")}</VisuallyHidden>
            </span>
          )}
        </span>
        <span className={classes.facts}>
          {[author?.fullName, publishedAt && formatDateTime(publishedAt, now, i18n.language, t)]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {excerpt && <span className={classes.excerpt}>{excerpt}</span>}
      </Link>
    </li>
  );
}
