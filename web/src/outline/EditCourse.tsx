import { useQuery } from "@apollo/client/react";
import { Link, Navigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { lazy, Suspense, useEffect, useMemo, useRef } from "react";
import { HasQuestionSwitch } from "../course-questions/hasQuestionSwitch";
import { useQuestionCounts } from "../course-questions/useQuestionCounts";
import { mayModerate } from "../discussions/roles";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { IconTrash } from "../ui/authorIcons";
import { hiddenItems } from "../ui/hiddenItems";

import { IconHistory } from "../ui/laterIcons";
import { TextSkeleton } from "../ui/Skeletons";
import { Tabs } from "../ui/Tabs";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { ContentsTab } from "./ContentsTab";
import { CourseHeader } from "./CourseHeader";
import { EditCourseDocument, type EditCourseQuery } from "./EditCourse.generated";
import classes from "./EditCourse.module.css";
import { EditCourseSkeleton } from "./EditCourseSkeleton";
import { type CourseSearch, type Look, lookOf } from "./look";
import { tabScreens } from "./tabScreens";
import { TABS, type Tab, UNPUBLISHED } from "./tabs";
import { type Tree, withoutItems } from "./tree";

const CommentsTab = lazy(tabScreens.comments);
const CourseSettings = lazy(tabScreens.settings);
const DatesTab = lazy(tabScreens.dates);
const GradesTab = lazy(tabScreens.grades);
const GradingTab = lazy(tabScreens.grading);
const QuestionsTab = lazy(tabScreens.questions);
const SnapshotsTab = lazy(tabScreens.snapshots);
const StudentsTab = lazy(tabScreens.students);
const TrashTab = lazy(tabScreens.trash);
const UnpublishedList = lazy(tabScreens.unpublished);

export type Course = EditCourseQuery["course"] & Tree;

/** Whether the user grades answers: the owner and teachers. */
const mayGrade = ({ myRole }: Course): boolean => myRole === "OWNER" || myRole === "TEACHER";

/** The tabs that links below the contents open. */
const BELOW = ["trash", "snapshots"] as const;
const isBelow = (tab: Tab): boolean => BELOW.some((one) => one === tab);

interface Props {
  courseId: string;
  search: CourseSearch;
}

/** The screen of /edit-course/{courseId}. */
export function EditCourse({ courseId, search }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(EditCourseDocument, { variables: { id: courseId } });
  if (data?.course.myRole === "LEARNER")
    return <Navigate to="/view-course/$courseId" params={{ courseId }} replace />;
  if (data)
    return <LoadedCourse course={data.course as Course} {...lookOf(search as Record<string, unknown>)} />;
  if (!error) return <EditCourseSkeleton />;
  return (
    <div className={classes.screen}>
      <LoadFailure error={error} retry={() => void refetch()} notFound={t("outline.notFound")} />
    </div>
  );
}

interface LoadedProps {
  course: Course;
  tab: Tab;
  look: Look;
}

function LoadedCourse({ course, tab: wanted, look }: LoadedProps) {
  const { t } = useTranslation();
  const hidden = useSelector(hiddenItems);
  const { id, modules } = course;
  const tree = useMemo(() => withoutItems({ id, modules }, hidden), [id, modules, hidden]);
  // Others may read the queue but not grade, and this screen is made for grading.
  const editable = course.myRole === "OWNER" || course.myRole === "EDITOR";
  // Reviewers see neither learners nor what learners have done.
  const isReviewer = course.myRole === "REVIEWER";
  // Only those who answer questions see the tab.
  const hasQuestions = editable || course.myRole === "TEACHER";
  const counts = useQuestionCounts(course.id, hasQuestions);
  const may: Partial<Record<Tab, boolean>> = {
    students: !isReviewer,
    grades: !isReviewer,
    grading: mayGrade(course),
    questions: hasQuestions,
    comments: course.myRole !== "ADMIN",
    trash: editable,
    snapshots: editable,
  };
  const tab = may[wanted] === false ? TABS[0] : wanted;
  // The trash and the snapshots are rarely needed: links below the contents open them.
  const tabs = TABS.filter((one) => may[one] !== false && (!isBelow(one) || one === tab));
  const strip = useRef<HTMLDivElement>(null);
  // On a phone the last tabs are out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the tab changes
  useEffect(() => {
    const link = strip.current?.querySelector<HTMLElement>("[aria-current=page]");
    const nav = link?.parentElement;
    if (nav) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - 48;
  }, [tab]);
  return (
    <div className={classes.screen}>
      <title>{`${course.title} — Kurso`}</title>
      <CourseHeader course={course} tree={tree} editable={editable} isReviewer={isReviewer} />
      <div ref={strip} className={classes.tabs}>
        <Tabs label={t("outline.tabs.label")}>
          {tabs.map((one) => (
            <Link
              key={one}
              to="/edit-course/$courseId"
              params={{ courseId: course.id }}
              search={one === TABS[0] ? {} : { tab: one }}
              // The address of the first tab is a prefix of all others.
              activeOptions={{ exact: true }}
              aria-current={one === tab ? "page" : undefined}
            >
              {t(`outline.tabs.${one}`)}
              {one === "questions" && <Unanswered count={counts?.unanswered} />}
            </Link>
          ))}
        </Tabs>
      </div>
      {tab === "contents" ? (
        editable && look.view === UNPUBLISHED ? (
          <Suspense fallback={<TextSkeleton lines={8} />}>
            <UnpublishedList courseId={course.id} />
          </Suspense>
        ) : (
          <>
            <HasQuestionSwitch value={editable && mayModerate(course.myRole)}>
              <ContentsTab tree={tree} editable={editable} isReviewer={isReviewer} />
            </HasQuestionSwitch>
            {editable && (
              <nav className={classes.below} aria-label={t("outline.below.label")}>
                {BELOW.map((one) => (
                  <Link
                    key={one}
                    to="/edit-course/$courseId"
                    params={{ courseId: course.id }}
                    search={{ tab: one }}
                  >
                    {one === "trash" ? <IconTrash size={18} /> : <IconHistory size={18} />}
                    {t(`outline.below.${one}`)}
                  </Link>
                ))}
              </nav>
            )}
          </>
        )
      ) : (
        <Suspense fallback={<TextSkeleton lines={8} />}>
          {tab === "settings" ? (
            <CourseSettings course={course} />
          ) : tab === "dates" ? (
            <DatesTab
              courseId={course.id}
              editable={editable}
              mayExtend={course.myRole === "OWNER" || course.myRole === "TEACHER"}
            />
          ) : tab === "comments" ? (
            <CommentsTab courseId={course.id} look={look} />
          ) : tab === "grading" ? (
            <GradingTab course={course} look={look} />
          ) : tab === "questions" ? (
            <QuestionsTab course={course} look={look} counts={counts} />
          ) : tab === "trash" ? (
            <TrashTab course={course} />
          ) : tab === "snapshots" ? (
            <SnapshotsTab course={course} look={look} />
          ) : tab === "grades" ? (
            <GradesTab course={course} look={look} />
          ) : (
            <StudentsTab course={course} look={look} />
          )}
        </Suspense>
      )}
    </div>
  );
}

/** How many questions wait for an answer. Its place is there before the number, so that the tabs do not move. */
function Unanswered({ count }: { count: number | undefined }) {
  const { t, i18n } = useTranslation();
  return (
    <span className={classes.unanswered}>
      {count ? (
        <>
          <span aria-hidden="true">{count.toLocaleString(i18n.language)}</span>
          <VisuallyHidden>{`, ${t("outline.unanswered", { count })}`}</VisuallyHidden>
        </>
      ) : null}
    </span>
  );
}
