import { useApolloClient } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { Document } from "../content/Document";
import { dateAndTime } from "../editor/dateAndTime";
import { useTranslation } from "../i18n/useTranslation";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { IconBell, IconEye } from "../ui/icons";
import { Menu, type MenuItem } from "../ui/Menu";
import { IconClock } from "../ui/timeIcons";
import { toastFailure, toastSuccess } from "../ui/toasts";
import classes from "./AnnouncementArticle.module.css";
import { deleteAnnouncement, publishNow, setPinned } from "./actions";
import { IconPin } from "./IconPin";
import { type Announcement, elementId, isScheduled } from "./list";
import { scheduledText } from "./times";
import { useRead } from "./useRead";

interface Props {
  announcement: Announcement;
  timeZone: string | null;
  now: Date;
  /** Whether the user changes announcements and sees who has read them. */
  canWrite: boolean;
  /** Moves the focus away from the announcement, which is being deleted. */
  onDelete: () => void;
}

/** An announcement with its whole text. It is marked as read after a while on the screen. */
export function AnnouncementArticle({ announcement, timeZone, now, canWrite, onDelete }: Props) {
  const { t, i18n } = useTranslation();
  const element = useRef<HTMLElement>(null);
  const { id, title, content, author, group, publishAt, publishedAt, isPinned } = announcement;
  const isNew = useRead(element, announcement, announcement.isRead || isScheduled(announcement));
  return (
    <article
      ref={element}
      id={elementId(id)}
      tabIndex={-1}
      aria-labelledby={`${elementId(id)}-title`}
      className={classes.article}
      data-scheduled={isScheduled(announcement) || undefined}
    >
      <header className={classes.header}>
        <div className={classes.words}>
          {(isNew || isPinned || isScheduled(announcement)) && (
            <p className={classes.marks}>
              {isScheduled(announcement) && (
                <Mark kind="scheduled" icon={<IconClock size={16} />}>
                  {publishAt
                    ? scheduledText(publishAt, timeZone, now, i18n.language, t)
                    : t("learning.announcements.publishing")}
                </Mark>
              )}
              {isPinned && (
                <Mark kind="pinned" icon={<IconPin size={16} />}>
                  {t("learning.announcements.pinned")}
                </Mark>
              )}
              {isNew && (
                <Mark kind="new" icon={<span className={classes.dot} />}>
                  {t("learning.announcements.new")}
                </Mark>
              )}
            </p>
          )}
          <h2 id={`${elementId(id)}-title`} className={classes.title}>
            {title}
          </h2>
          <p className={classes.facts}>
            {author?.fullName && <span>{author.fullName}</span>}
            {publishedAt && <time dateTime={publishedAt}>{dateAndTime(publishedAt, i18n.language, t)}</time>}
            {group && canWrite && <span>{t("learning.announcements.group", { group: group.title })}</span>}
          </p>
        </div>
        {canWrite && <Actions announcement={announcement} onDelete={onDelete} />}
      </header>
      <div className={classes.text}>
        <Document content={content} />
      </div>
      {canWrite && <Readers announcement={announcement} />}
    </article>
  );
}

interface MarkProps {
  kind: "scheduled" | "pinned" | "new";
  icon: ReactNode;
  children: string;
}

function Mark({ kind, icon, children }: MarkProps) {
  return (
    <span className={classes.mark} data-kind={kind}>
      {icon}
      {children}
    </span>
  );
}

function Readers({ announcement: { readers, receivers, publishedAt } }: Pick<Props, "announcement">) {
  const { t } = useTranslation();
  if (publishedAt === null || readers === null || receivers === null) return null;
  return (
    <p className={classes.readers}>
      <IconEye size={16} />
      {receivers === 0
        ? t("learning.announcements.noReceivers")
        : readers === 0
          ? t("learning.announcements.noReaders")
          : t("learning.announcements.readers", { count: readers, total: receivers })}
    </p>
  );
}

function Actions({ announcement, onDelete }: Pick<Props, "announcement" | "onDelete">) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const { id, courseId, title, isPinned } = announcement;
  const items = (): MenuItem[] => [
    {
      label: t("learning.announcements.edit"),
      icon: <IconPencil size={18} />,
      onSelect: () =>
        void navigate({
          to: "/view-course/$courseId/announcements",
          params: { courseId },
          search: { write: id },
        }),
    },
    {
      label: t(`learning.announcements.${isPinned ? "unpin" : "pin"}`),
      icon: <IconPin size={18} />,
      onSelect: () => void setPinned(client, announcement, !isPinned).catch(toastFailure),
    },
    ...(isScheduled(announcement)
      ? [
          {
            label: t("learning.announcements.publishNow"),
            icon: <IconBell size={18} />,
            onSelect: () => setAsking(true),
          },
        ]
      : []),
    {
      label: t("learning.announcements.delete"),
      icon: <IconTrash size={18} />,
      danger: true,
      apart: true,
      onSelect: () => {
        onDelete();
        deleteAnnouncement(client, announcement);
      },
    },
  ];
  return (
    <>
      <Menu label={t("learning.announcements.actions", { title })} items={items} />
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t("learning.announcements.ask.title", { title })}
        confirm={t("learning.announcements.form.publish")}
        onConfirm={async () => {
          await publishNow(client, announcement);
          toastSuccess(t("learning.announcements.form.published"));
        }}
      >
        <p>{t("learning.announcements.ask.text")}</p>
      </ConfirmDialog>
    </>
  );
}
