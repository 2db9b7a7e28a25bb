import { useQuery } from "@apollo/client/react";
import { Link, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { withTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { IconPencil } from "../ui/authorIcons";
import { Breadcrumbs } from "../ui/Breadcrumbs";
import { Button, ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { Screen } from "../ui/Screen";
import { ListSkeleton, TextSkeleton } from "../ui/Skeletons";
import { useOnline } from "../ui/useOnline";
import { AnnouncementArticle } from "./AnnouncementArticle";
import classes from "./AnnouncementsScreen.module.css";
import { DraftNote } from "./DraftNote";
import { IconMegaphone } from "./IconMegaphone";
import { type AnnouncementsSearch, elementId, idOf, NEW } from "./list";
import { useAnnouncements } from "./useAnnouncements";

/** The editor and its texts, loaded only for writing. */
const Writing = lazy(() => withTexts(import("./Writing"), "dates", "editor", "forms", "quiz"));

interface Props {
  courseId: string;
  search: AnnouncementsSearch;
}

/** The screen at /view-course/{courseId}/announcements: the announcements of a course, and writing one. */
export function AnnouncementsScreen({ courseId, search }: Props) {
  const { t } = useTranslation();
  const hash = useLocation({ select: (location) => location.hash });
  const wanted = idOf(hash);
  const userId = useQuery(MeDocument).data?.me.id;
  const list = useAnnouncements(
    courseId,
    search.write && search.write !== NEW ? String(search.write) : wanted,
  );
  const { course } = list;
  if (list.error)
    return (
      <Screen title={t("learning.announcements.heading")}>
        <LoadFailure error={list.error} retry={list.retry} notFound={t("learning.notFound")} heading="h2" />
      </Screen>
    );
  if (search.write && course && userId && list.items)
    return (
      <Suspense fallback={<Loading />}>
        <Writing
          key={String(search.write)}
          course={course}
          userId={userId}
          canWrite={list.canWrite}
          id={search.write === NEW ? null : String(search.write)}
          announcement={list.items.find(({ id }) => id === search.write)}
          isGone={list.isGone}
          onPublished={list.reload}
        />
      </Suspense>
    );
  if (!course || search.write) return <Loading />;
  return <List list={list} course={course} userId={userId} wanted={wanted} />;
}

function Loading() {
  const { t } = useTranslation();
  return (
    <Screen title={t("learning.announcements.heading")} trail={<TrailSkeleton />}>
      <div className={classes.list}>
        <ListSkeleton rows={3} height="11rem" />
      </div>
    </Screen>
  );
}

const TrailSkeleton = () => <TextSkeleton lines={1} />;

interface ListProps {
  list: ReturnType<typeof useAnnouncements>;
  course: NonNullable<ReturnType<typeof useAnnouncements>["course"]>;
  userId: string | undefined;
  /** The announcement that the address names. */
  wanted: string | undefined;
}

function List({ list, course, userId, wanted }: ListProps) {
  const { t } = useTranslation();
  const isOnline = useOnline();
  const [now] = useState(() => new Date());
  const root = useRef<HTMLDivElement>(null);
  const { items, canWrite } = list;
  const isThere = items?.some(({ id }) => id === wanted);
  useEffect(() => {
    if (!wanted || !isThere) return;
    const article = document.getElementById(elementId(wanted));
    article?.focus({ preventScroll: true });
    article?.scrollIntoView({ block: "start" });
  }, [wanted, isThere]);
  /** The focus moves to the neighbour of an announcement that is being deleted. */
  const leave = (id: string) => {
    const at = items?.findIndex((one) => one.id === id) ?? -1;
    const neighbour = items?.[at + 1] ?? items?.[at - 1];
    const target = neighbour
      ? document.getElementById(elementId(neighbour.id))
      : root.current?.querySelector("a");
    // The closing menu takes the focus first.
    setTimeout(() => (target as HTMLElement | null)?.focus());
  };
  const write = (variant: "filled" | "default") => (
    <ButtonLink
      to="/view-course/$courseId/announcements"
      params={{ courseId: course.id }}
      search={{ write: NEW }}
      variant={variant}
      icon={<IconPencil size={18} />}
    >
      {t("learning.announcements.write")}
    </ButtonLink>
  );
  return (
    <div ref={root}>
      <Screen
        title={t("learning.announcements.heading")}
        trail={
          <Breadcrumbs>
            <Link to="/view-course/$courseId" params={{ courseId: course.id }}>
              {course.title || t("learning.announcements.untitledCourse")}
            </Link>
          </Breadcrumbs>
        }
        action={canWrite && items && items.length > 0 && write("filled")}
      >
        <div className={classes.list}>
          {!isOnline && (
            <p className={classes.note} role="status">
              {t("learning.announcements.offline")}
            </p>
          )}
          {list.isGone && (
            <p className={classes.note} role="status">
              {t("learning.announcements.gone")}
            </p>
          )}
          {canWrite && userId && <DraftNote courseId={course.id} userId={userId} />}
          {items?.length === 0 ? (
            <EmptyState
              title={t("learning.announcements.empty.title")}
              heading="h2"
              icon={<IconMegaphone size={28} />}
              action={canWrite && write("filled")}
            >
              {t(
                `learning.announcements.empty.${canWrite ? "writer" : course.myRole === "LEARNER" ? "learner" : "reader"}`,
              )}
            </EmptyState>
          ) : (
            <div className={classes.articles}>
              {items?.map((announcement) => (
                <AnnouncementArticle
                  key={announcement.id}
                  announcement={announcement}
                  timeZone={course.timeZone}
                  now={now}
                  canWrite={canWrite}
                  onDelete={() => leave(announcement.id)}
                />
              ))}
            </div>
          )}
          {list.hasMore && (
            <Button
              variant="default"
              className={classes.more}
              loading={list.isLoadingMore}
              onClick={() => void list.more()}
            >
              {t("learning.announcements.more")}
            </Button>
          )}
        </div>
      </Screen>
    </div>
  );
}
