import { useMutation, useQuery } from "@apollo/client/react";
import type { TFunction } from "i18next";
import { type ReactNode, useRef, useState } from "react";
import {
  DateEntry,
  DateList,
  DateTime,
  LessonPart,
  ModulePart,
  PageRow,
  ProgressFigures,
} from "../course/ProgressParts";
import { pageTitle } from "../course/pageTitle";
import { toastSaved } from "../dates/toastSaved";
import { QueryState } from "../errors/QueryState";
import { shownAddress } from "../guests/guestAddress";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { ExtendDialog } from "../overrides/ExtendDialog";
import type { Target } from "../overrides/overrides";
import StudentOverrides from "../overrides/StudentOverrides";
import { addressOf } from "../preview/address";
import { Button, ButtonLink } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { IconButton } from "../ui/IconButton";
import { IconChevron } from "../ui/icons";
import { TextSkeleton } from "../ui/Skeletons";
import { IconClock } from "../ui/timeIcons";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { AttemptDialog } from "./AttemptDialog";
import classes from "./StudentDetail.module.css";
import {
  GrantAttemptDocument,
  RemoveStudentDocument,
  ResetAttemptsDocument,
  StudentDetailDocument,
  type StudentDetailQuery,
  TakeBackAttemptDocument,
} from "./Students.generated";
import { mayGroup } from "./useGroups";

interface Props {
  course: Course;
  enrollmentId: string;
  onBack: () => void;
}

type Page = StudentDetailQuery["enrollment"]["modules"][number]["lessons"][number]["pages"][number];

/** One student's progress in a course: visits with their dates, and attempts at quizzes. */
export function StudentDetail({ course, enrollmentId, onBack }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(StudentDetailDocument, {
    variables: { id: enrollmentId },
    fetchPolicy: "no-cache",
  });
  const heading = useRef<HTMLHeadingElement>(null);
  const [removing, setRemoving] = useState(false);
  const [remove] = useMutation(RemoveStudentDocument, {
    // The course's header shows the number of students.
    update: (cache) =>
      cache.modify<{ studentsCount: number }>({
        id: cache.identify({ __typename: "Course", id: course.id }),
        fields: { studentsCount: (count) => Math.max(0, count - 1) },
      }),
  });
  const [grant] = useMutation(GrantAttemptDocument);
  const [takeBack] = useMutation(TakeBackAttemptDocument);
  const [reset] = useMutation(ResetAttemptsDocument);
  const [attempt, setAttempt] = useState<{ id: string; pageId: string; title: string } | null>(null);
  const [extending, setExtending] = useState<string | null>(null);
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
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="h2"
          notFound={t("students.detail.notFound")}
          loading={<TextSkeleton lines={10} />}
        />
      </div>
    );
  }
  const { student, modules } = data.enrollment;
  const name = student.user.fullName || student.user.email;
  const mayRemove = mayGroup(course);
  const target: Target = { kind: "student", id: enrollmentId, name };
  return (
    <section className={classes.detail} aria-labelledby="student">
      {back}
      <header className={classes.head}>
        <div className={classes.words}>
          <h2 className={classes.name} id="student" ref={heading} tabIndex={-1}>
            {name}
          </h2>
          {student.user.fullName && (
            <p className={classes.dim}>{shownAddress(student.user.email, t("students.guest"))}</p>
          )}
        </div>
        <div className={classes.actions}>
          <ButtonLink
            variant="default"
            to={addressOf({ courseId: course.id, who: { kind: "student", id: enrollmentId }, at: null })}
          >
            {t("students.preview.asStudent")}
          </ButtonLink>
          {mayRemove && (
            <>
              <Button variant="default" onClick={() => setExtending(course.id)}>
                {t("overrides.extend")}
              </Button>
              <Button variant="default" onClick={() => setRemoving(true)}>
                {t("students.detail.remove")}
              </Button>
            </>
          )}
        </div>
      </header>
      <div className={classes.figures}>
        <ProgressFigures progress={student} label={t("students.progressOf", { name })} />
      </div>
      <DateList>
        <DateEntry name={t("students.detail.enrolled")} at={student.enrolledAt} />
        <DateEntry name={t("students.detail.active")} at={student.lastActivityAt} />
        <DateEntry name={t("students.detail.completed")} at={student.completedAt} />
      </DateList>
      <StudentOverrides
        courseId={course.id}
        enrollmentId={enrollmentId}
        groupId={student.group?.id}
        mayChange={mayRemove}
        onEmptied={() => heading.current?.focus()}
      />
      {modules.map((module) => (
        <ModulePart key={module.id} title={module.title} heading="h3">
          {module.lessons.map((lesson) => (
            <LessonPart
              key={lesson.id}
              title={lesson.title}
              isCompleted={lesson.isCompleted}
              done={lesson.pagesDone}
              total={lesson.pagesTotal}
              // The lesson where the student stopped is open at first.
              openAtFirst={!lesson.isCompleted && lesson.pages.some((page) => page.visitedAt)}
            >
              {lesson.pages.map((page) => (
                <StudentPage
                  key={page.id}
                  page={page}
                  extend={mayRemove ? () => setExtending(page.id) : undefined}
                >
                  <Attempts
                    page={page}
                    show={(id, title) => setAttempt({ id, pageId: page.id, title })}
                    grant={async () => {
                      const variables = { input: { enrollmentId, pageId: page.id } };
                      try {
                        const { data } = await grant({ variables });
                        // Takes back what was given here, not what somebody else gives later.
                        const input = { ...variables.input, grant: data?.grantAttempt.grant ?? null };
                        const undo = () => takeBack({ variables: { input } }).finally(() => void refetch());
                        toastSaved(undo, t("students.detail.grantDone", { name }));
                      } catch (error) {
                        toastFailure(error);
                      }
                      void refetch();
                    }}
                    reset={async () => {
                      await reset({ variables: { input: { enrollmentId, pageId: page.id } } });
                      toastSuccess(t("students.detail.resetDone", { name }));
                      void refetch();
                    }}
                  />
                </StudentPage>
              ))}
            </LessonPart>
          ))}
        </ModulePart>
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
      {extending && (
        <ExtendDialog
          courseId={course.id}
          target={target}
          partId={extending}
          onClose={() => {
            setExtending(null);
            // The attempts left may have changed.
            void refetch();
          }}
        />
      )}
      {attempt && (
        <AttemptDialog
          enrollmentId={enrollmentId}
          pageId={attempt.pageId}
          attemptId={attempt.id}
          title={attempt.title}
          onClose={() => setAttempt(null)}
        />
      )}
    </section>
  );
}

interface PageProps {
  page: Page;
  /** Opens the dialog that extends the due date; undefined for those who may not. */
  extend: (() => void) | undefined;
  children: ReactNode;
}

function StudentPage({ page, extend, children }: PageProps) {
  const { t } = useTranslation();
  return (
    <PageRow
      title={
        <>
          {titleOf(page, t)}
          {!page.published && <span className={classes.hidden}>{t("students.detail.hidden")}</span>}
        </>
      }
      kind={page.kind}
      isDone={page.isDone}
      visited={
        page.visitedAt ? (
          <DateTime at={page.visitedAt} />
        ) : (
          page.kind === "CONTENT" && t("students.detail.notVisited")
        )
      }
      tools={
        extend && (
          <IconButton
            aria-label={t("overrides.extendOne", { title: titleOf(page, t) })}
            title={t("overrides.add")}
            onClick={extend}
          >
            <IconClock size={18} />
          </IconButton>
        )
      }
    >
      {children}
    </PageRow>
  );
}

interface AttemptsProps {
  page: Page;
  show: (attemptId: string, title: string) => void;
  /** Gives the student one more attempt. */
  grant: () => Promise<void>;
  /** Resets the student's attempts after a confirmation. */
  reset: () => Promise<void>;
}

function Attempts({ page, show, grant, reset }: AttemptsProps) {
  const { t, i18n } = useTranslation();
  const [now] = useState(() => new Date());
  const [resetting, setResetting] = useState(false);
  if (page.attempts.length === 0) return null;
  return (
    <div className={classes.attempts}>
      {page.attempts.map((attempt) => {
        const title = attemptTitle(page.kind, attempt, t);
        return (
          <button
            key={attempt.id}
            type="button"
            className={classes.attempt}
            data-passed={attempt.passed || undefined}
            title={formatDateTime(attempt.submittedAt, now, i18n.language, t)}
            onClick={() => show(attempt.id, title)}
          >
            {title}
          </button>
        );
      })}
      {page.attemptsLeft === 0 && !page.isDone && (
        <Button variant="default" size="compact" onClick={() => void grant()}>
          {t("students.detail.grant")}
        </Button>
      )}
      <button type="button" className={classes.reset} onClick={() => setResetting(true)}>
        {t("students.detail.reset")}
      </button>
      <ConfirmDialog
        open={resetting}
        onClose={() => setResetting(false)}
        title={t("students.detail.resetTitle", { page: titleOf(page, t) })}
        confirm={t("students.detail.reset")}
        danger
        onConfirm={reset}
      >
        <p>{t("students.detail.resetText")}</p>
      </ConfirmDialog>
    </div>
  );
}

/** The number and the result of an attempt, or of a version of the work for an assignment. */
function attemptTitle(kind: Page["kind"], attempt: Page["attempts"][number], t: TFunction): string {
  const { attemptNo: number, percent, waitingAnswers, isReturned } = attempt;
  if (kind === "ASSIGNMENT") {
    const state = isReturned ? "returned" : waitingAnswers > 0 ? "waiting" : "graded";
    return t(`quiz.handIn.version.${state}`, { number, percent });
  }
  const result = t("quiz.attempt", { number, percent });
  return waitingAnswers > 0 ? `${result}, ${t("quiz.essay.waiting")}` : result;
}

function titleOf(page: Page, t: TFunction): string {
  return pageTitle({ title: page.title, number: page.position + 1 }, t);
}
