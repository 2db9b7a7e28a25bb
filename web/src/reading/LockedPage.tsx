import { useQuery } from "@apollo/client/react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { pageTitle } from "../course/pageTitle";
import { isStuck } from "../course/stuck";
import { courseTime, needsText } from "../dates/times";
import { useAtMoment } from "../dates/useAtMoment";
import { useNow } from "../dates/useNow";
import { LoadFailure } from "../errors/LoadFailure";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { IconLock } from "../ui/laterIcons";
import { Breadcrumbs } from "./Breadcrumbs";
import { LockedPageDocument, type LockedPageQuery } from "./LockedPage.generated";
import classes from "./LockedPage.module.css";
import { Skeleton } from "./Skeleton";

interface Props {
  pageId: string;
  /** The id of the page shown before; null for the first one. If there is one, the title of the page that opens takes the focus. */
  lastShown: RefObject<string | null>;
  /** Called when the page has opened. */
  onOpen: () => void;
}

/** The waits between looks at a page that should have opened; after the last one only the reader looks again. */
const WAITS_MS = [5_000, 30_000, 120_000, 600_000];

/** In place of a page that is not open yet: why, when it opens, and where to go on. Shows the page as soon as it opens. */
export default function LockedPage({ pageId, lastShown, onOpen }: Props) {
  const { data, error, refetch } = useQuery(LockedPageDocument, {
    variables: { id: pageId },
    // What the cache knows of the times may have changed.
    fetchPolicy: "network-only",
  });
  const page = data?.page;
  const look = () => refetch().catch(() => undefined);
  const isOpen = page !== undefined && page.timeline.state !== "LOCKED";
  const show = useEffectEvent(() => {
    // The focus was on a link of this screen, or nowhere.
    if (document.activeElement === document.body) lastShown.current = "locked";
    onOpen();
  });
  useEffect(() => {
    if (isOpen) show();
  }, [isOpen]);
  // Counts the looks after the opening: the clock of the device may be fast.
  const [looks, setLooks] = useState(0);
  const lookOnTime = () => void look().then(() => setLooks((before) => before + 1));
  useAtMoment(page?.timeline.opensAt ?? null, lookOnTime);
  const lookLater = useEffectEvent(lookOnTime);
  useEffect(() => {
    const wait = looks > 0 ? WAITS_MS[looks - 1] : undefined;
    if (wait === undefined) return;
    const timer = setTimeout(() => lookLater(), wait);
    return () => clearTimeout(timer);
  }, [looks]);
  // A timer of a sleeping device is late, and the author may open the page earlier.
  const lookAgain = useEffectEvent(() => {
    if (!document.hidden) void look();
  });
  useEffect(() => {
    document.addEventListener("visibilitychange", lookAgain);
    return () => document.removeEventListener("visibilitychange", lookAgain);
  }, []);
  if (error && !data) return <LoadFailure error={error} retry={() => void refetch()} />;
  return page && !isOpen ? <Locked page={page} /> : <Skeleton />;
}

function Locked({ page }: { page: LockedPageQuery["page"] }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const heading = useRef<HTMLHeadingElement>(null);
  const { course, lesson, timeline } = page;
  const title = pageTitle(page, t);
  const next = course.enrollment?.nextPage;
  const there = courseTime(timeline.opensAt, course.timeZone, now, i18n.language, t);
  const opening = timeline.opensAt && momentOf(timeline.opensAt, now, i18n.language);
  const needed = needsText(timeline.needs, i18n.language, t);
  return (
    <article className={classes.page}>
      <title>{`${title} — ${course.title}`}</title>
      <Breadcrumbs course={course} module={lesson.module} lesson={lesson} />
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h1>
      <div className={classes.notice}>
        <IconLock size={28} className={classes.icon} />
        <div>
          <p className={classes.when}>
            {opening
              ? t("dates.locked.page", { ...opening, day: opening.day.replace(" ", "\u00a0") })
              : timeline.needs.length > 0
                ? needed
                : t(
                    timeline.reasons.includes("COURSE_OVER")
                      ? "dates.locked.courseOver"
                      : "dates.locked.never",
                  )}
          </p>
          {timeline.opensAt && timeline.needs.length > 0 && <p className={classes.more}>{needed}</p>}
          {there && <p className={classes.more}>{there}</p>}
          {timeline.opensAt && <p className={classes.more}>{t("dates.locked.self")}</p>}
        </div>
      </div>
      <div className={classes.ways}>
        {next && !isStuck(next) && (
          <ButtonLink to="/view-page/$pageId" params={{ pageId: next.id }} size="md">
            {t("dates.locked.continue", { page: pageTitle(next, t) })}
          </ButtonLink>
        )}
        <ButtonLink to="/view-course/$courseId" params={{ courseId: course.id }} size="md" variant="default">
          {t("dates.locked.contents")}
        </ButtonLink>
      </div>
    </article>
  );
}
