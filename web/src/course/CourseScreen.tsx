import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { type Announcements, CourseAnnouncements } from "../announcements/CourseAnnouncements";
import { CourseAnnouncementsDocument } from "../announcements/CourseAnnouncements.generated";
import { rememberCourseOfPages } from "../api/cache";
import { isGuest } from "../api/session";
import { MyCertificateDocument } from "../certificates/MyCertificate.generated";
import { courseText, nextOpening } from "../dates/times";
import { useAtMoment } from "../dates/useAtMoment";
import { useNow } from "../dates/useNow";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { usePreview } from "../preview/context";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { optional } from "../ui/optional";
import { TextSkeleton } from "../ui/Skeletons";
import { Tabs } from "../ui/Tabs";
import { CourseOutline } from "./CourseOutline";
import { CourseTreeDocument, type CourseTreeQuery } from "./CourseScreen.generated";
import classes from "./CourseScreen.module.css";
import { CourseScreenSkeleton } from "./CourseScreenSkeleton";
import { ProgressSummary } from "./ProgressSummary";
import { MAX_REMAINING_SHOWN, RemainingPages } from "./RemainingPages";
import { remainingPages, resumeAt } from "./remaining";

const LeaveCourse = lazy(() => import("./LeaveCourse").then((module) => ({ default: module.LeaveCourse })));
const MyCertificate = optional(() =>
  import("../certificates/MyCertificate").then((module) => module.MyCertificate),
);
const PreviewButton = lazy(() =>
  import("../preview/PreviewButton").then((module) => ({ default: module.PreviewButton })),
);
const OwnProgress = lazy(() => import("./OwnProgress"));
const OwnGrades = lazy(() => import("../gradebook/OwnGrades"));
const PreviewedProgress = lazy(() => import("../preview/PreviewedProgress"));

type Course = CourseTreeQuery["course"];

/** The open tab; left out of the address for the contents. */
export type CourseTab = "progress" | "grades";

const TABS: readonly (CourseTab | undefined)[] = [undefined, "progress", "grades"];

interface Props {
  courseId: string;
  tab?: CourseTab | undefined;
}

/** The course screen at /view-course/{courseId}. */
export function CourseScreen({ courseId, tab }: Props) {
  const { t } = useTranslation();
  const variables = { id: courseId };
  const { data, error, refetch } = useQuery(CourseTreeDocument, { variables });
  const announced = useQuery(CourseAnnouncementsDocument, { variables, skip: usePreview() !== null });
  const opening = useMemo(() => data && nextOpening(partsOf(data.course)), [data]);
  // A failure changes nothing: the screen is right again when it is opened the next time.
  useAtMoment(opening ?? null, () => void refetch().catch(() => undefined));
  // Waits for both, so that the outline does not move when the announcements arrive. Without them, the course is shown all the same.
  if (data && !announced.loading)
    return (
      <LoadedCourse
        course={asLearnersSeeIt(data.course)}
        announcements={announced.data?.course.announcements ?? null}
        tab={tab}
      />
    );
  if (!error) return <CourseScreenSkeleton />;
  return (
    <div className={classes.screen}>
      <LoadFailure error={error} retry={() => void refetch()} notFound={t("learning.notFound")} />
    </div>
  );
}

/** The times of the course and of all its parts. */
function partsOf(course: Course) {
  const below = course.modules.flatMap((module) => [module, ...module.lessons, ...pagesOf(module)]);
  return [course, ...below].map(({ timeline }) => timeline);
}

/** The course without drafts, which the server sends to staff. */
function asLearnersSeeIt(course: Course): Course {
  if (course.myRole === "LEARNER") return course;
  const modules = course.modules.map((module) => ({
    ...module,
    lessons: module.lessons.map((lesson) => ({
      ...lesson,
      pages: lesson.pages.filter(({ published }) => published),
    })),
  }));
  return { ...course, modules };
}

const mayEdit = ({ myRole }: Course) => myRole === "OWNER" || myRole === "EDITOR";

interface LoadedProps extends Pick<Props, "tab"> {
  course: Course;
  /** Null in a preview, and if they could not be loaded. */
  announcements: Announcements | null;
}

function LoadedCourse({ course, announcements, tab }: LoadedProps) {
  const { t } = useTranslation();
  useEffect(() => {
    const ids = pages(course).map((page) => page.id);
    rememberCourseOfPages(course.id, ids);
  }, [course]);
  const isPreview = usePreview() !== null;
  const Progress = isPreview ? PreviewedProgress : OwnProgress;
  // A preview has no grades: teachers see them in the gradebook.
  const tabs = isPreview ? TABS.slice(0, 2) : TABS;
  // Staff without enrollment have no progress.
  const shown = course.enrollment && tabs.includes(tab) ? tab : undefined;
  return (
    <div className={classes.screen}>
      <title>{`${shown ? `${t(`learning.tabs.${shown}`)} — ` : ""}${course.title} — Kurso`}</title>
      <Link to="/" className={classes.up}>
        {t("shell.myCourses")}
      </Link>
      <h1 className={classes.title}>{course.title}</h1>
      {course.description && <p className={classes.description}>{course.description}</p>}
      {course.owner.fullName && (
        <p className={classes.owner}>{t("home.by", { name: course.owner.fullName })}</p>
      )}
      {course.enrollment?.groupTitle && (
        <p className={classes.owner}>{t("learning.group", { group: course.enrollment.groupTitle })}</p>
      )}
      <CourseTimes course={course} />
      {!isPreview && (
        <p className={classes.owner}>
          <Link to="/view-course/$courseId/notes" params={{ courseId: course.id }}>
            {t("learning.myNotes")}
          </Link>
        </p>
      )}
      {course.enrollment && (
        <div className={classes.tabs}>
          <Tabs label={t("learning.tabs.label")}>
            {tabs.map((one) => (
              <Link
                key={one ?? "contents"}
                to="/view-course/$courseId"
                params={{ courseId: course.id }}
                search={one ? { tab: one } : {}}
                activeOptions={{ exact: true }}
                aria-current={one === shown ? "page" : undefined}
              >
                {t(`learning.tabs.${one ?? "contents"}`)}
              </Link>
            ))}
          </Tabs>
        </div>
      )}
      {shown ? (
        <Suspense fallback={<TextSkeleton lines={10} />}>
          {shown === "grades" ? <OwnGrades course={course} /> : <Progress course={course} />}
        </Suspense>
      ) : (
        <>
          {announcements && <CourseAnnouncements courseId={course.id} announcements={announcements} />}
          <Contents course={course} />
        </>
      )}
    </div>
  );
}

/** Tells that the course is not open yet, or has ended. */
function CourseTimes({ course: { timeline, timeZone } }: { course: Course }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  if (timeline.state === "OPEN") return null;
  return <p className={classes.times}>{courseText(timeline, timeZone, now, i18n.language, t)}</p>;
}

/** For how long, in milliseconds, the rest of the tab waits for the certificate. */
const CERTIFICATE_WAIT = 1000;

/** The contents tab: the progress, the certificate, the remaining pages and the outline. */
function Contents({ course }: { course: Course }) {
  const { t } = useTranslation();
  const { pagesTotal, pagesDone, completedAt } = course.progress;
  const left = remainingPages(course.modules);
  const next = course.enrollment ? resumeAt(left, course.enrollment.nextPage?.id).next?.id : undefined;
  const mayWrite = mayEdit(course);
  const isPreview = usePreview() !== null;
  const hasCertificate = course.enrollment !== null && !isPreview;
  // `MyCertificate` asks the server. What is below it waits for the answer, so that it does not move, but not for long.
  const claim = useQuery(MyCertificateDocument, {
    variables: { courseId: course.id },
    fetchPolicy: "cache-only",
    skip: !hasCertificate,
  }).data?.myCertificate;
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), CERTIFICATE_WAIT);
    return () => clearTimeout(timer);
  }, []);
  const isWaiting = hasCertificate && !claim && !isLate;
  const canClaim = claim?.state === "AVAILABLE" && claim.name !== null && !isGuest();
  const certificate = hasCertificate && <MyCertificate courseId={course.id} />;
  const waiting = isWaiting && <TextSkeleton lines={8} />;
  // A learner who completed the course before its pages were unpublished can still claim the certificate.
  if (pagesTotal === 0 && pages(course).length === 0) {
    return (
      <>
        {certificate}
        {waiting || (
          <>
            <EmptyState
              title={t("learning.empty")}
              heading="h2"
              action={
                mayWrite && (
                  <ButtonLink to="/edit-course/$courseId" params={{ courseId: course.id }}>
                    {t("learning.toEditor")}
                  </ButtonLink>
                )
              }
            >
              {t(mayWrite ? "learning.emptyForAuthors" : "learning.emptyText")}
            </EmptyState>
            <Leave course={course} />
          </>
        )}
      </>
    );
  }
  return (
    <>
      {course.enrollment ? (
        // After completion, whether its button is the main one depends on the certificate.
        !(isWaiting && completedAt) && (
          <ProgressSummary
            course={course}
            left={left}
            firstPageId={pages(course)[0]?.id}
            isMain={!canClaim}
          />
        )
      ) : (
        <Preview course={course} />
      )}
      {certificate}
      {waiting || (
        <>
          {course.enrollment && pagesDone > 0 && left.length > 0 && left.length <= MAX_REMAINING_SHOWN && (
            <RemainingPages left={left} zone={course.timeZone} />
          )}
          <CourseOutline
            modules={course.modules}
            times={course.timeline}
            zone={course.timeZone}
            nextPageId={next}
            expanded={pagesTotal <= FEW_PAGES}
            isEnrolled={course.enrollment !== null}
          />
          <Leave course={course} />
        </>
      )}
    </>
  );
}

/** Leaving removes the highest role, so staff leave their team in the course settings instead. A preview changes nothing. */
function Leave({ course }: { course: Course }) {
  const isPreview = usePreview() !== null;
  if (course.myRole !== "LEARNER" || isPreview) return null;
  return (
    <Suspense fallback={null}>
      <LeaveCourse course={course} />
    </Suspense>
  );
}

/** Up to this number of pages the whole outline is expanded at first. */
const FEW_PAGES = 60;

/** The notice for staff who are not enrolled: they see the learner's view, and no progress is recorded. */
function Preview({ course }: { course: Course }) {
  const { t } = useTranslation();
  const first = pages(course)[0];
  return (
    <section className={classes.preview} aria-label={t("learning.preview.title")}>
      <div>
        <p className={classes.previewTitle}>{t("learning.preview.title")}</p>
        <p className={classes.previewText}>{t("learning.preview.text")}</p>
      </div>
      <div className={classes.ways}>
        {mayEdit(course) && (
          <ButtonLink to="/edit-course/$courseId" params={{ courseId: course.id }} variant="default">
            {t("learning.preview.backToEditing")}
          </ButtonLink>
        )}
        {course.myRole !== "LEARNER" && (
          <Suspense fallback={null}>
            <PreviewButton courseId={course.id}>{t("learning.preview.as")}</PreviewButton>
          </Suspense>
        )}
        {first && (
          <ButtonLink to="/view-page/$pageId" params={{ pageId: first.id }} variant="default">
            {t("learning.start")}
          </ButtonLink>
        )}
      </div>
    </section>
  );
}

function pages(course: Course) {
  return course.modules.flatMap(pagesOf);
}

function pagesOf(module: Course["modules"][number]) {
  return module.lessons.flatMap((lesson) => lesson.pages);
}
