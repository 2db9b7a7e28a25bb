import { Link } from "@tanstack/react-router";
import type { ReactNode, RefObject } from "react";
import { Document } from "../content/Document";
import { useNow } from "../dates/useNow";
import { formatDateTime } from "../i18n/formatDateTime";
import { formatDuration } from "../i18n/formatDuration";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconCheck, IconClose } from "../ui/icons";
import { IconReturn } from "../ui/laterIcons";
import { IconClock } from "../ui/timeIcons";
import { VisuallyHidden } from "../ui/VisuallyHidden";
import { fromGiven } from "./answers";
import { Best } from "./Best";
import type { Attempt, Question, QuestionKind, Quiz, Result } from "./model";
import { QuestionFrame } from "./QuestionFrame";
import { ResultChanges } from "./ResultChanges";
import classes from "./Results.module.css";
import { Reviewed } from "./Reviewed";
import { MarksView } from "./RubricView";
import type { Mode } from "./useTaking";
import { hiddenBecause, type Verdict, verdictOf } from "./verdict";

interface ResultsProps {
  quiz: Quiz;
  /** The questions as they were answered when known, else the current ones. */
  questions: readonly Question[];
  /** Stands in place of the other questions while these are on their way; false when all are here. */
  pending?: ReactNode;
  attempts: readonly Attempt[];
  attempt: Attempt;
  attemptsLeft: number | null;
  bestPercent: number | null;
  mode: Mode;
  /** Whether the quiz takes no attempts any more. */
  isClosed: boolean;
  /** Shown below the result. */
  outcome?: ReactNode;
  /** The link to the next page, shown once the quiz is passed. */
  next?: ReactNode;
  heading: RefObject<HTMLHeadingElement | null>;
  onShow: (attemptId: string) => void;
  onRetry: () => void;
}

/** The result of an attempt, with as much detail as the quiz's `reveal` allows. */
export function Results(props: ResultsProps) {
  const { quiz, questions, pending = false, attempts, attempt, mode, outcome, onShow } = props;
  const { t } = useTranslation();
  const hidden = hiddenBecause(quiz, mode === "try" ? [attempt] : attempts);
  const known = new Map(questions.map((question) => [question.id, question]));
  const results = new Map(attempt.results.map((result) => [result.questionId, result]));
  // In the order of the attempt; questions removed since then come last.
  const shown = [
    ...questions.flatMap(({ id }) => results.get(id) ?? []),
    ...attempt.results.filter(({ questionId }) => !known.has(questionId)),
  ];
  return (
    <div className={classes.results}>
      <Summary {...props} />
      {outcome && <div className={classes.outcome}>{outcome}</div>}
      {attempts.length > 1 && <History attempts={attempts} shown={attempt.id} onShow={onShow} />}
      {hidden && <p className={classes.hidden}>{t(`quiz.hidden.${hidden}`)}</p>}
      {pending}
      {shown.map((result, index) => {
        const question = known.get(result.questionId);
        return question ? (
          <Reviewing
            key={result.questionId}
            question={question}
            result={result}
            attempt={attempt}
            number={index + 1}
            count={shown.length}
          />
        ) : (
          pending === false && (
            <p key={result.questionId} className={classes.gone}>
              {t("quiz.review.gone", { number: index + 1 })}
            </p>
          )
        );
      })}
      {mode === "take" &&
        attempt === attempts.at(-1) &&
        hidden === null &&
        shown.some((result) => isPractised(result, known)) && (
          <p className={classes.hidden}>
            {t("quiz.practice")} <Link to="/practice">{t("quiz.toPractice")}</Link>
          </p>
        )}
    </div>
  );
}

/** Whether the question comes again in practice. */
function isPractised({ correct, isWaiting, questionId }: Result, questions: Map<string, Question>): boolean {
  const question = questions.get(questionId);
  return correct === false && !isWaiting && question !== undefined && !OPEN.has(question.__typename);
}

function Summary(props: ResultsProps) {
  const { quiz, attempts, attempt, attemptsLeft, bestPercent, mode, isClosed, next, heading, onRetry } =
    props;
  const { t, i18n } = useTranslation();
  const canRetry = mode === "try" || (!isClosed && (attemptsLeft === null || attemptsLeft > 0));
  const now = useNow();
  const isPassed = attempt.passed || attempts.some(({ passed }) => passed);
  const isWaiting = attempt.waitingAnswers > 0;
  const headingKey = attempt.passed
    ? "quiz.passed"
    : isWaiting
      ? "quiz.essay.waitingTitle"
      : isPassed
        ? "quiz.attemptNotPassed"
        : "quiz.notPassed";
  return (
    <header className={classes.summary} data-passed={attempt.passed || undefined}>
      <p className={classes.percent} aria-hidden="true">
        {t("common.percent", { percent: attempt.percent })}
      </p>
      <div className={classes.words}>
        <h2 ref={heading} tabIndex={-1}>
          {t(headingKey)}
        </h2>
        <p>
          <VisuallyHidden>{`${t("common.percent", { percent: attempt.percent })}: `}</VisuallyHidden>
          {isWaiting && `${t("quiz.essay.soFar")} `}
          {t("quiz.score", { score: attempt.score, count: attempt.maxScore })}
          {!attempt.passed && ` ${t("quiz.needed", { percent: quiz.passPercent })}`}
        </p>
        {attempt.penaltyPercent > 0 && <p>{t("dates.quiz.lost", { percent: attempt.penaltyPercent })}</p>}
        <ResultChanges changes={attempt.resultChanges} />
        {isWaiting && (
          <p className={classes.waiting}>
            <IconClock size={18} />
            <span>
              {t("quiz.essay.waitingAnswers", { count: attempt.waitingAnswers })}{" "}
              {t(mode === "try" ? "quiz.essay.wouldWait" : "quiz.essay.mayRise")}
            </span>
          </p>
        )}
        {mode !== "try" && !isPassed && !isWaiting && attemptsLeft === 0 && <p>{t("quiz.askTeacher")}</p>}
        <p className={classes.facts}>
          {mode === "try" ? (
            <span>{t("quiz.tryOut.notStored")}</span>
          ) : (
            <>
              <span>
                {t("quiz.attemptAt", {
                  number: attempt.attemptNo,
                  when: formatDateTime(attempt.submittedAt, now, i18n.language, t),
                })}
              </span>
              {bestPercent !== null && bestPercent !== attempt.percent && (
                <Best percent={bestPercent} attempts={attempts} />
              )}
              {attemptsLeft !== null && <span>{t("quiz.attemptsLeft", { count: attemptsLeft })}</span>}
            </>
          )}
        </p>
        <p className={classes.actions}>
          {isPassed && next}
          {canRetry && (
            <Button variant={isPassed || isWaiting ? "default" : "filled"} onClick={onRetry}>
              {t("quiz.retry")}
            </Button>
          )}
          <Button variant="subtle" onClick={() => window.print()}>
            {t("quiz.print")}
          </Button>
        </p>
      </div>
    </header>
  );
}

interface HistoryProps {
  attempts: readonly Attempt[];
  shown: string;
  onShow: (attemptId: string) => void;
}

function History({ attempts, shown, onShow }: HistoryProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  return (
    <nav aria-label={t("quiz.history")} className={classes.history}>
      {attempts.map((attempt) => (
        <button
          key={attempt.id}
          type="button"
          aria-current={attempt.id === shown ? "true" : undefined}
          title={formatDateTime(attempt.submittedAt, now, i18n.language, t)}
          onClick={() => onShow(attempt.id)}
        >
          {t("quiz.attempt", { number: attempt.attemptNo, percent: attempt.percent })}
          {attempt.waitingAnswers > 0 && `, ${t("quiz.essay.waiting")}`}
        </button>
      ))}
    </nav>
  );
}

/** The questions whose answers people grade. */
const OPEN: ReadonlySet<QuestionKind> = new Set(["EssayQuestion", "FileUploadQuestion", "HandInQuestion"]);

interface ReviewingProps {
  question: Question;
  result: Result;
  attempt: Pick<Attempt, "answers">;
  number: number;
  count: number;
  /** How long the student spent on the question; null if that is unknown or not told. */
  seconds?: number | null;
}

/** A question with the given answer, its points and, where `reveal` allows, the right answer. */
export function Reviewing(props: ReviewingProps) {
  const { question: current, result, attempt, number, count, seconds = null } = props;
  const { t, i18n } = useTranslation();
  // A formula question is shown with the values of its attempt.
  const question = result.prompt == null ? current : { ...current, prompt: result.prompt };
  const given = attempt.answers.find(({ questionId }) => questionId === question.id);
  // An answer graded by a person has points and a comment, but no verdict.
  const isGradedByPerson = OPEN.has(question.__typename) && given !== undefined;
  const verdict = isGradedByPerson ? null : verdictOf(result, given !== undefined);
  // A right choice equals the right answer; the other kinds mark the answer itself.
  const shown = result.correct ? given?.__typename === "ChoiceAnswer" && given : result.correctAnswer;
  const right = shown ? fromGiven(shown) : null;
  const aside: ReactNode =
    result.points === null ? (
      <>
        {result.isReturned ? <ReturnedTag /> : result.isWaiting && <WaitingTag />}
        {t("quiz.points", { count: result.maxPoints })}
      </>
    ) : (
      <>
        {verdict && <VerdictTag verdict={verdict} />}
        {t("quiz.pointsOf", { points: result.points, count: result.maxPoints })}
      </>
    );
  return (
    <QuestionFrame
      question={question}
      number={number}
      count={count}
      fact={seconds === null ? null : t("quiz.time", { time: formatDuration(seconds, i18n.language) })}
      aside={aside}
    >
      <Reviewed
        question={question}
        answer={given ? fromGiven(given) : {}}
        right={right}
        feedback={result.optionFeedback}
        zones={result.zones}
        rightPlaces={result.rightPlaces}
        pins={result.pins}
      />
      {result.marks.length > 0 && <MarksView marks={result.marks} />}
      {result.comment && (
        <div className={classes.comment}>
          <h4>{t("quiz.essay.comment")}</h4>
          <p>{result.comment}</p>
        </div>
      )}
      {result.explanation != null && (
        <div className={classes.explanation}>
          <h4>{t("quiz.explanation")}</h4>
          <Document content={result.explanation} />
        </div>
      )}
    </QuestionFrame>
  );
}

function WaitingTag() {
  const { t } = useTranslation();
  return (
    <span className={classes.verdict} data-verdict="waiting">
      <IconClock size={18} />
      {t("quiz.essay.waiting")}
    </span>
  );
}

function ReturnedTag() {
  const { t } = useTranslation();
  return (
    <span className={classes.verdict} data-verdict="returned">
      <IconReturn size={18} />
      {t("quiz.handIn.returned")}
    </span>
  );
}

/** The verdict on an answer, with its icon. */
export function VerdictTag({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation();
  const Icon = verdict === "right" || verdict === "partly" ? IconCheck : IconClose;
  return (
    <span className={classes.verdict} data-verdict={verdict}>
      <Icon size={18} />
      {t(`quiz.verdict.${verdict}`)}
    </span>
  );
}
