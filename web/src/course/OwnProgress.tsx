import { useQuery } from "@apollo/client/react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { TextSkeleton } from "../ui/Skeletons";
import type { CourseTreeQuery } from "./CourseScreen.generated";
import { OwnProgressDocument, type OwnProgressQuery } from "./OwnProgress.generated";
import classes from "./OwnProgress.module.css";
import {
  DateEntry,
  DateList,
  DateTime,
  LessonPart,
  ModulePart,
  PageRow,
  ProgressFigures,
} from "./ProgressParts";
import { pageTitle } from "./pageTitle";
import {
  incompleteReason,
  isLocked,
  type Lesson,
  type Page,
  remainingInLesson,
  remainingPages,
  resumeAt,
} from "./remaining";
import { takesAttempts } from "./takesAttempts";
import { usePageHref, usePageLinks } from "./usePageLinks";

/** What a learner has done on a page. */
export type Facts = OwnProgressQuery["debugProgress"]["pages"][number];
type Attempt = Facts["page"]["attempts"][number];

/** The progress tab: the user's visits with their dates, and the results of quizzes. */
export default function OwnProgress({ course }: { course: CourseTreeQuery["course"] }) {
  // Progress must be current, so it is always fetched; the cached progress is shown meanwhile.
  const { data, error, refetch } = useQuery(OwnProgressDocument, {
    variables: { id: course.id },
    fetchPolicy: "cache-and-network",
  });
  if (!data) {
    return (
      <QueryState
        error={error}
        retry={() => void refetch()}
        heading="h2"
        loading={<TextSkeleton lines={10} />}
      />
    );
  }
  return <Progress course={course} enrollment={data.course.enrollment} pages={data.debugProgress.pages} />;
}

interface ProgressProps {
  course: CourseTreeQuery["course"];
  enrollment: OwnProgressQuery["course"]["enrollment"];
  /** Visits and attempts, at most one entry for each page. */
  pages: readonly Facts[];
}

/** A learner's progress as the learner sees it. */
export function Progress({ course, enrollment, pages }: ProgressProps) {
  const { t } = useTranslation();
  const links = usePageLinks();
  const facts = new Map(pages.map((one) => [one.page.id, one]));
  const isBegun = pages.some((one) => one.visitedAt || one.page.attempts.length > 0);
  const { next } = resumeAt(remainingPages(course.modules), undefined);
  return (
    <div {...links}>
      <ProgressFigures progress={course.progress} label={t("learning.progress.label")} />
      {enrollment && (
        <DateList>
          <DateEntry name={t("learning.progress.enrolled")} at={enrollment.enrolledAt} />
          <DateEntry name={t("learning.progress.active")} at={isBegun ? enrollment.lastActivityAt : null} />
          <DateEntry name={t("learning.progress.completed")} at={course.progress.completedAt} />
        </DateList>
      )}
      {!isBegun && (
        <div className={classes.begin}>
          <EmptyState
            title={t("learning.progress.empty")}
            heading="h2"
            action={
              next && (
                <ButtonLink to="/view-page/$pageId" params={{ pageId: next.id }}>
                  {t("learning.start")}
                </ButtonLink>
              )
            }
          >
            {t("learning.progress.emptyText")}
          </EmptyState>
        </div>
      )}
      {course.modules
        .filter((module) => module.lessons.some((lesson) => lesson.pages.length > 0))
        .map((module) => (
          <ModulePart key={module.id} title={module.title} heading="h2">
            {module.lessons.map((lesson) => (
              <OwnLesson key={lesson.id} lesson={lesson} facts={facts} />
            ))}
          </ModulePart>
        ))}
    </div>
  );
}

function OwnLesson({ lesson, facts }: { lesson: Lesson; facts: ReadonlyMap<string, Facts> }) {
  const { t, i18n } = useTranslation();
  const done = lesson.pages.filter((page) => page.isCompleted).length;
  // Lessons in progress and lessons with attempts are open at first.
  const isOfInterest = lesson.pages.some((page) => {
    const known = facts.get(page.id);
    return (known?.visitedAt && !lesson.isCompleted) || (known?.page.attempts.length ?? 0) > 0;
  });
  return (
    <LessonPart
      title={lesson.title}
      isCompleted={lesson.isCompleted}
      done={done}
      total={lesson.pages.length}
      missing={done > 0 ? remainingInLesson(lesson, i18n.language, t) : null}
      openAtFirst={isOfInterest}
    >
      {lesson.pages.map((page) => (
        <OwnPage key={page.id} page={page} facts={facts.get(page.id)} />
      ))}
    </LessonPart>
  );
}

function OwnPage({ page, facts }: { page: Page; facts: Facts | undefined }) {
  const { t } = useTranslation();
  const href = usePageHref();
  const title = pageTitle(page, t);
  const hasAttempts = takesAttempts(page.kind);
  const attempts = facts?.page.attempts ?? [];
  // A quiz can be submitted before the visit is recorded.
  const visitedAt = facts?.visitedAt ?? attempts[0]?.submittedAt;
  return (
    <PageRow
      title={isLocked(page) ? title : <a href={href(page.id)}>{title}</a>}
      kind={page.kind}
      isDone={page.isCompleted}
      visited={visitedAt ? <DateTime at={visitedAt} /> : !hasAttempts && t("learning.progress.notVisited")}
    >
      {hasAttempts && page.reason && !page.isCompleted && (
        <p className={classes.reason}>{incompleteReason(page.kind, page.reason, t)}</p>
      )}
      {attempts.length > 0 && (
        <ul className={classes.attempts} aria-label={t("learning.progress.attempts", { page: title })}>
          {attempts.map((attempt) => (
            <AttemptRow key={attempt.id} kind={page.kind} attempt={attempt} />
          ))}
        </ul>
      )}
    </PageRow>
  );
}

function AttemptRow({ kind, attempt }: { kind: Page["kind"]; attempt: Attempt }) {
  const { t } = useTranslation();
  const { attemptNo, percent, passed, waitingAnswers, isReturned, submittedAt } = attempt;
  return (
    <li className={classes.attempt} data-passed={passed || undefined}>
      <span>
        {t(kind === "ASSIGNMENT" ? "learning.progress.version" : "learning.progress.attempt", {
          number: attemptNo,
        })}
      </span>
      <span className={classes.score}>
        {isReturned ? t("learning.progress.returned") : t("learning.progress.score", { percent })}
        {passed && <span className={classes.passed}> · {t("learning.progress.passed")}</span>}
        {waitingAnswers > 0 && !isReturned && ` · ${t("learning.progress.waiting")}`}
      </span>
      <span className={classes.at}>
        <DateTime at={submittedAt} />
      </span>
    </li>
  );
}
