import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Document } from "../content/Document";
import { isFilledDocument } from "../content/filled";
import { useTranslation } from "../i18n/useTranslation";
import { Best } from "../quiz/Best";
import { HandedIn } from "../quiz/HandedIn";
import { Hints } from "../quiz/Hints";
import { QuizSkeleton } from "../quiz/QuizSkeleton";
import { QuizTimes } from "../quiz/QuizTimes";
import { HowGraded } from "../quiz/RubricView";
import type { Mode } from "../quiz/useTaking";
import classes from "./Assignment.module.css";
import type { DraftSession } from "./DraftSession";
import { isEmpty, textOf, versionText } from "./draftText";
import { HandInForm, TryOutForm } from "./HandInForm";
import { LatestState } from "./LatestState";
import { type AssignmentPage, type HandInQuestion, handInOf, type Version } from "./model";
import { useDraft, useDraftSession } from "./useDraftSession";
import { useHandingIn } from "./useHandingIn";
import { Versions } from "./Versions";

interface AssignmentViewProps {
  page: AssignmentPage;
  userId: string;
  mode: Mode;
  /** Shown with the result: the message that the course is completed. */
  outcome?: ReactNode;
  /** The link to the next page. */
  next?: ReactNode;
}

/** An assignment: its terms, how it is graded, the form, and what was handed in. */
export function AssignmentView({ page, userId, mode, outcome, next }: AssignmentViewProps) {
  const { t } = useTranslation();
  const question = handInOf(page);
  if (!question) return <p className={classes.none}>{t("assignment.none")}</p>;
  return (
    <div className={classes.assignment}>
      <Terms page={page} question={question} mode={mode} />
      {isFilledDocument(question.prompt) && <Document content={question.prompt} />}
      <Hints hints={question.hints} />
      {question.rubric && <HowGraded rubric={question.rubric} />}
      {mode === "take" ? (
        <Own page={page} question={question} userId={userId} outcome={outcome} next={next} />
      ) : mode === "try" ? (
        <TryOut page={page} question={question} />
      ) : (
        <Looked page={page} />
      )}
    </div>
  );
}

interface PartProps {
  page: AssignmentPage;
  question: HandInQuestion;
}

/** The points, the pass mark, how often the work can be handed in, and until when. */
function Terms({ page, question, mode }: PartProps & { mode: Mode }) {
  const { t } = useTranslation();
  const { quiz, attemptsLeft, bestPercent } = page;
  return (
    <p className={classes.terms}>
      <span>{t("quiz.points", { count: question.points })}</span>
      {quiz !== null && quiz.passPercent > 0 && (
        <span>{t("assignment.toPass", { percent: quiz.passPercent })}</span>
      )}
      {mode !== "try" && attemptsLeft !== null && (
        <span>{t("assignment.timesLeft", { count: attemptsLeft })}</span>
      )}
      {mode !== "try" && bestPercent !== null && page.attempts.length > 1 && (
        <Best percent={bestPercent} attempts={page.attempts} />
      )}
      <QuizTimes page={page} mode={mode} />
    </p>
  );
}

/** Whether another version can be handed in now. */
const takesWork = ({ timeline, attemptsLeft }: AssignmentPage): boolean =>
  timeline.state !== "CLOSED" && attemptsLeft !== 0;

type OwnProps = PartProps & Pick<AssignmentViewProps, "userId" | "outcome" | "next">;

/** The learner's own work, with the draft of it. */
function Own({ userId, ...rest }: OwnProps) {
  const session = useDraftSession(rest.page, userId);
  if (!session) return <QuizSkeleton />;
  return <Loaded session={session} {...rest} />;
}

interface LoadedProps extends PartProps, Pick<AssignmentViewProps, "outcome" | "next"> {
  session: DraftSession;
}

function Loaded({ page, question, session, outcome, next }: LoadedProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const { text } = useDraft(session);
  const [isRevising, setRevising] = useState(false);
  const last = page.attempts.at(-1);
  const isOpen = takesWork(page);
  const hasDraft = !isEmpty(text);
  // The form stays while its fields are emptied.
  if (hasDraft && !isRevising) setRevising(true);
  const focus = (selector: string) => {
    const element = root.current?.querySelector<HTMLElement>(selector);
    element?.scrollIntoView({ block: "start" });
    element?.focus({ preventScroll: true });
  };
  const submission = useHandingIn({
    page,
    question,
    session,
    onTaken: () => {
      flushSync(() => setRevising(false));
      focus("[data-latest]");
    },
  });
  // A submission without an answer is sent again, although there may be no version left because of it.
  const isSubmitted = submission.isSending || submission.isWaiting;
  const isWriting = isSubmitted || (isOpen && (!last || isRevising || hasDraft));
  return (
    <div ref={root} className={classes.parts}>
      {last && (
        <LatestState
          page={page}
          attempt={last}
          outcome={outcome}
          next={next}
          onRevise={
            isOpen && !isWriting
              ? () => {
                  flushSync(() => {
                    setRevising(true);
                    submission.restart();
                    session.replace(versionText(last));
                  });
                  focus("[data-form]");
                }
              : null
          }
        />
      )}
      {isWriting && (
        <HandInForm
          page={page}
          question={question}
          session={session}
          submission={submission}
          onDiscard={
            last &&
            (() => {
              flushSync(() => {
                session.replace(textOf({}));
                setRevising(false);
              });
              focus("[data-latest]");
            })
          }
        />
      )}
      {!isOpen && !isSubmitted && hasDraft && (
        <section className={classes.kept} aria-labelledby="kept-draft">
          <h2 id="kept-draft">{t("assignment.kept.title")}</h2>
          {submission.refusal && <p role="alert">{submission.refusal}</p>}
          <p>{t("assignment.kept.text")}</p>
          <HandedIn answer={text} />
        </section>
      )}
      <Versions page={page} />
    </div>
  );
}

/** The form as staff try it: nothing is stored. */
function TryOut({ page, question }: PartProps) {
  const [attempt, setAttempt] = useState<Version | null>(null);
  const shown = attempt && { ...page, attempts: [attempt], attemptsLeft: null };
  return (
    <div className={classes.parts}>
      {shown ? (
        <>
          <LatestState
            page={shown}
            attempt={shown.attempts[0] as Version}
            isTryOut
            onRevise={() => setAttempt(null)}
          />
          <Versions page={shown} />
        </>
      ) : (
        <TryOutForm page={page} question={question} onTaken={setAttempt} />
      )}
    </div>
  );
}

/** What staff see of a learner's work in a preview, which changes nothing. */
function Looked({ page }: { page: AssignmentPage }) {
  const { t } = useTranslation();
  const last = page.attempts.at(-1);
  return (
    <div className={classes.parts}>
      {last && <LatestState page={page} attempt={last} onRevise={null} />}
      {takesWork(page) && <p className={classes.readOnly}>{t("assignment.readOnly")}</p>}
      <Versions page={page} />
    </div>
  );
}
