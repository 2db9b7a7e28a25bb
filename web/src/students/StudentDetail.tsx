import { useMutation, useQuery } from "@apollo/client/react";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LessonMark } from "../course/LessonMark";
import { LoadFailure } from "../errors/LoadFailure";
import { when } from "../i18n/when";
import type { Course } from "../outline/EditCourse";
import { pageTitle } from "../reading/pageTitle";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { IconCheck, IconChevron, IconQuiz } from "../ui/icons";
import { ProgressBar } from "../ui/ProgressBar";
import { TextSkeleton } from "../ui/Skeletons";
import { toastSuccess } from "../ui/toasts";
import { AttemptDialog } from "./AttemptDialog";
import classes from "./StudentDetail.module.css";
import {
  RemoveStudentDocument,
  ResetAttemptsDocument,
  StudentDetailDocument,
  type StudentDetailQuery,
} from "./Students.generated";

interface Props {
  course: Course;
  enrollmentId: string;
  onBack: () => void;
}

type Lesson = StudentDetailQuery["enrollment"]["modules"][number]["lessons"][number];
type Page = Lesson["pages"][number];

/** One student's way through the course: what was read and when, and what was answered. */
export function StudentDetail({ course, enrollmentId, onBack }: Props) {
  const { t, i18n } = useTranslation();
  const { data, error, refetch } = useQuery(StudentDetailDocument, {
    variables: { id: enrollmentId },
    fetchPolicy: "no-cache",
  });
  const [removing, setRemoving] = useState(false);
  const [remove] = useMutation(RemoveStudentDocument);
  const [attempt, setAttempt] = useState<{ id: string; pageId: string } | null>(null);
  const back = (
    <button type="button" className={classes.back} onClick={onBack}>
      <IconChevron size={16} className={classes.backIcon} />
      {t("students.detail.back")}
    </button>
  );
  if (!data) {
    return (
      <div className={classes.detail}>
        {back}
        {error ? (
          <LoadFailure
            error={error}
            retry={() => void refetch()}
            heading="h2"
            notFound={t("students.detail.notFound")}
          />
        ) : (
          <TextSkeleton lines={10} />
        )}
      </div>
    );
  }
  const { student, modules } = data.enrollment;
  const name = student.user.fullName || student.user.email;
  const mayRemove = course.myRole === "OWNER" || course.myRole === "TEACHER";
  const now = new Date();
  return (
    <section className={classes.detail} aria-labelledby="student">
      {back}
      <header className={classes.head}>
        <div className={classes.words}>
          <h2 className={classes.name} id="student">
            {name}
          </h2>
          {student.user.fullName && <p className={classes.dim}>{student.user.email}</p>}
        </div>
        {mayRemove && (
          <Button variant="default" onClick={() => setRemoving(true)}>
            {t("students.detail.remove")}
          </Button>
        )}
      </header>
      <div className={classes.progress}>
        <p className={classes.percent}>{t("common.percent", { percent: student.percent })}</p>
        <div>
          <ProgressBar percent={student.percent} label={t("students.progressOf", { name })} />
          <p className={classes.dim}>
            {t("common.pagesOf", { done: student.pagesDone, count: student.pagesTotal })}
            {" · "}
            {t("common.lessonsOf", { done: student.lessonsDone, count: student.lessonsTotal })}
          </p>
        </div>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>{t("students.detail.enrolled")}</dt>
          <dd>{when(student.enrolledAt, now, i18n.language, t)}</dd>
        </div>
        <div>
          <dt>{t("students.detail.active")}</dt>
          <dd>{when(student.lastActivityAt, now, i18n.language, t)}</dd>
        </div>
        {student.completedAt && (
          <div>
            <dt>{t("students.detail.completed")}</dt>
            <dd>{when(student.completedAt, now, i18n.language, t)}</dd>
          </div>
        )}
      </dl>
      {modules.map((module) => (
        <section key={module.id} className={classes.module} aria-label={module.title}>
          <h3 className={classes.moduleTitle}>{module.title}</h3>
          {module.lessons.map((lesson) => (
            <LessonPart
              key={lesson.id}
              lesson={lesson}
              now={now}
              onAttempt={setAttempt}
              enrollmentId={enrollmentId}
              name={name}
              changed={() => void refetch()}
            />
          ))}
        </section>
      ))}
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={t("students.detail.removeTitle", { name })}
        confirm={t("students.detail.remove")}
        danger
        onConfirm={async () => {
          await remove({ variables: { input: { enrollmentId } } });
          toastSuccess(t("students.detail.removed", { name }));
          onBack();
        }}
      >
        <p>{t("students.detail.removeText")}</p>
      </ConfirmDialog>
      {attempt && (
        <AttemptDialog
          enrollmentId={enrollmentId}
          pageId={attempt.pageId}
          attemptId={attempt.id}
          onClose={() => setAttempt(null)}
        />
      )}
    </section>
  );
}

interface LessonProps {
  lesson: Lesson;
  now: Date;
  onAttempt: (attempt: { id: string; pageId: string }) => void;
  enrollmentId: string;
  name: string;
  changed: () => void;
}

function LessonPart({ lesson, now, onAttempt, enrollmentId, name, changed }: LessonProps) {
  // Where somebody has stopped is what one looks for.
  const [open, setOpen] = useState(() => !lesson.isCompleted && lesson.pages.some((page) => page.visitedAt));
  return (
    <div className={classes.lesson}>
      <button
        type="button"
        className={classes.lessonButton}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <LessonMark completed={lesson.isCompleted} />
        <span className={classes.lessonTitle}>{lesson.title}</span>
        <span className={classes.count}>
          {lesson.pagesDone}/{lesson.pagesTotal}
        </span>
        <IconChevron size={16} className={classes.chevron} />
      </button>
      {open && (
        <ul className={classes.pages}>
          {lesson.pages.map((page) => (
            <PageRow
              key={page.id}
              page={page}
              now={now}
              onAttempt={onAttempt}
              enrollmentId={enrollmentId}
              name={name}
              changed={changed}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface PageProps extends Omit<LessonProps, "lesson"> {
  page: Page;
}

function PageRow({ page, now, onAttempt, enrollmentId, name, changed }: PageProps) {
  const { t, i18n } = useTranslation();
  const [resetting, setResetting] = useState(false);
  const [reset] = useMutation(ResetAttemptsDocument);
  const title = pageTitle({ title: page.title, number: page.position + 1 }, t);
  return (
    <li className={classes.page} data-done={page.isDone || undefined}>
      <div className={classes.pageHead}>
        <span className={classes.mark}>{page.isDone && <IconCheck size={16} />}</span>
        <span className={classes.pageTitle}>
          {page.kind === "QUIZ" && <IconQuiz size={16} className={classes.kind} />}
          {title}
          {!page.published && <span className={classes.hidden}>{t("students.detail.hidden")}</span>}
        </span>
        <span className={classes.visited}>
          {page.visitedAt ? when(page.visitedAt, now, i18n.language, t) : t("students.detail.notVisited")}
        </span>
      </div>
      {page.attempts.length > 0 && (
        <div className={classes.attempts}>
          {page.attempts.map((attempt) => (
            <button
              key={attempt.id}
              type="button"
              className={classes.attempt}
              data-passed={attempt.passed || undefined}
              title={when(attempt.submittedAt, now, i18n.language, t)}
              onClick={() => onAttempt({ id: attempt.id, pageId: page.id })}
            >
              {t("quiz.attempt", { number: attempt.attemptNo, percent: attempt.percent })}
            </button>
          ))}
          <button type="button" className={classes.reset} onClick={() => setResetting(true)}>
            {t("students.detail.reset")}
          </button>
          <ConfirmDialog
            open={resetting}
            onClose={() => setResetting(false)}
            title={t("students.detail.resetTitle", { page: title })}
            confirm={t("students.detail.reset")}
            danger
            onConfirm={async () => {
              await reset({ variables: { input: { enrollmentId, pageId: page.id } } });
              toastSuccess(t("students.detail.resetDone", { name }));
              changed();
            }}
          >
            <p>{t("students.detail.resetText")}</p>
          </ConfirmDialog>
        </div>
      )}
    </li>
  );
}
