import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LoadFailure } from "../errors/LoadFailure";
import { when } from "../i18n/when";
import { pageTitle } from "../reading/pageTitle";
import { EmptyState } from "../ui/EmptyState";
import { IconChevron, IconQuiz } from "../ui/icons";
import { ButtonLink } from "../ui/links";
import { ProgressBar } from "../ui/ProgressBar";
import { TextSkeleton } from "../ui/Skeletons";
import { Tick } from "../ui/Tick";
import type { CourseTreeQuery } from "./CourseTree.generated";
import { LessonMark } from "./LessonMark";
import { type Lesson, leftInLesson, type Page, resumeAt, whatIsLeft, whyNotDone } from "./left";
import { OwnProgressDocument, type OwnProgressQuery } from "./OwnProgress.generated";
import classes from "./OwnProgress.module.css";
import { pageHref, usePageLinks } from "./usePageLinks";

type Facts = OwnProgressQuery["debugProgress"]["pages"][number];
type Attempt = Facts["page"]["attempts"][number];

/** One's own way through a course: what was read and when, and what came of the quizzes. */
export default function OwnProgress({ course }: { course: CourseTreeQuery["course"] }) {
  // How somebody stands is what they come for; what was seen before is shown until it is known.
  const { data, error, refetch } = useQuery(OwnProgressDocument, {
    variables: { id: course.id },
    fetchPolicy: "cache-and-network",
  });
  if (!data) {
    return error ? (
      <LoadFailure error={error} retry={() => void refetch()} heading="h2" />
    ) : (
      <TextSkeleton lines={10} />
    );
  }
  return <Shown course={course} data={data} />;
}

function Shown({ course, data }: { course: CourseTreeQuery["course"]; data: OwnProgressQuery }) {
  const { t, i18n } = useTranslation();
  const [now] = useState(() => new Date());
  const links = usePageLinks();
  const { percent, pagesDone, pagesTotal, lessonsDone, lessonsTotal, completedAt } = course.progress;
  const facts = new Map(data.debugProgress.pages.map((one) => [one.page.id, one]));
  const isBegun = data.debugProgress.pages.some((one) => one.visitedAt || one.page.attempts.length > 0);
  const next = resumeAt(whatIsLeft(course.modules));
  const { enrollment } = data.course;
  return (
    <div {...links}>
      <div className={classes.figures}>
        <p className={classes.percent}>{t("common.percent", { percent })}</p>
        <div>
          <ProgressBar percent={percent} label={t("course.progress")} />
          <p className={classes.dim}>
            {t("common.pagesOf", { done: pagesDone, count: pagesTotal })}
            {" · "}
            {t("common.lessonsOf", { done: lessonsDone, count: lessonsTotal })}
          </p>
        </div>
      </div>
      {enrollment && (
        <dl className={classes.facts}>
          <Fact name={t("learning.progress.enrolled")} at={enrollment.enrolledAt} now={now} />
          {isBegun && <Fact name={t("learning.progress.active")} at={enrollment.lastActivityAt} now={now} />}
          {completedAt && <Fact name={t("learning.progress.completed")} at={completedAt} now={now} />}
        </dl>
      )}
      {!isBegun && (
        <div className={classes.begin}>
          <EmptyState
            title={t("learning.progress.empty")}
            heading="h2"
            action={
              next && (
                <ButtonLink to="/view-page/$pageId" params={{ pageId: next.id }}>
                  {t("course.start")}
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
          <section key={module.id} className={classes.module} aria-label={module.title}>
            <h2 className={classes.moduleTitle}>{module.title}</h2>
            {module.lessons.map((lesson) => (
              <LessonPart
                key={lesson.id}
                lesson={lesson}
                facts={facts}
                now={now}
                missing={leftInLesson(lesson, i18n.language, t)}
              />
            ))}
          </section>
        ))}
    </div>
  );
}

function Fact({ name, at, now }: { name: string; at: string; now: Date }) {
  const { t, i18n } = useTranslation();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{when(at, now, i18n.language, t)}</dd>
    </div>
  );
}

interface LessonProps {
  lesson: Lesson;
  facts: ReadonlyMap<string, Facts>;
  now: Date;
  /** Why it is not completed. */
  missing: string | null;
}

function LessonPart({ lesson, facts, now, missing }: LessonProps) {
  // Begun and not finished, or with quizzes taken: there is something to look at.
  const [open, setOpen] = useState(() =>
    lesson.pages.some((page) => {
      const known = facts.get(page.id);
      return (known?.visitedAt && !lesson.isCompleted) || (known?.page.attempts.length ?? 0) > 0;
    }),
  );
  const done = lesson.pages.filter((page) => page.isCompleted).length;
  return (
    <div className={classes.lesson}>
      <button
        type="button"
        className={classes.lessonButton}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <LessonMark completed={lesson.isCompleted} />
        <span className={classes.lessonTitle}>
          {lesson.title}
          {missing && done > 0 && <span className={classes.missing}>{missing}</span>}
        </span>
        <span className={classes.count}>
          {done}/{lesson.pages.length}
        </span>
        <IconChevron size={16} className={classes.chevron} />
      </button>
      {open && (
        <ul className={classes.pages}>
          {lesson.pages.map((page) => (
            <PageRow key={page.id} page={page} facts={facts.get(page.id)} now={now} />
          ))}
        </ul>
      )}
    </div>
  );
}

function PageRow({ page, facts, now }: { page: Page; facts: Facts | undefined; now: Date }) {
  const { t, i18n } = useTranslation();
  const title = pageTitle(page, t);
  const attempts = facts?.page.attempts ?? [];
  // Answers may have come before anybody has seen the end of the page.
  const visitedAt = facts?.visitedAt ?? attempts[0]?.submittedAt;
  return (
    <li className={classes.page}>
      <div className={classes.pageHead}>
        <span className={classes.mark}>{page.isCompleted && <Tick className={classes.tick} />}</span>
        <span className={classes.pageTitle}>
          {page.kind === "QUIZ" && <IconQuiz size={16} className={classes.kind} />}
          <a href={pageHref(page.id)}>{title}</a>
        </span>
        <span className={classes.visited}>
          {visitedAt ? when(visitedAt, now, i18n.language, t) : t("learning.progress.notVisited")}
        </span>
      </div>
      {page.kind === "QUIZ" && page.reason && !page.isCompleted && (
        <p className={classes.reason}>{whyNotDone(page.reason, t)}</p>
      )}
      {attempts.length > 0 && (
        <ul className={classes.attempts} aria-label={t("learning.progress.attempts", { page: title })}>
          {attempts.map((attempt) => (
            <AttemptRow key={attempt.id} attempt={attempt} now={now} />
          ))}
        </ul>
      )}
    </li>
  );
}

function AttemptRow({ attempt, now }: { attempt: Attempt; now: Date }) {
  const { t, i18n } = useTranslation();
  const { attemptNo, percent, passed, submittedAt } = attempt;
  return (
    <li className={classes.attempt} data-passed={passed || undefined}>
      <span>{t("learning.progress.attempt", { number: attemptNo })}</span>
      <span className={classes.score}>
        {t("learning.progress.score", { percent })}
        {passed && <span className={classes.passed}> · {t("learning.progress.passed")}</span>}
      </span>
      <span className={classes.visited}>{when(submittedAt, now, i18n.language, t)}</span>
    </li>
  );
}
