import { useQuery } from "@apollo/client/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { pageTitle } from "../course/pageTitle";
import { useAtMoment } from "../dates/useAtMoment";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { usePreview } from "../preview/context";
import { MeDocument } from "../shell/Me.generated";
import { ButtonLink } from "../ui/Button";
import { TextSkeleton } from "../ui/Skeletons";
import { fromGiven } from "./answers";
import { inOrderOf, keepOrder } from "./dealt";
import { loadDraft } from "./draft";
import { firstExpiry } from "./files";
import type { Attempt, Question, QuizPageState } from "./model";
import classes from "./QuizPart.module.css";
import { QuizSkeleton } from "./QuizSkeleton";
import { QuizPageDocument } from "./QuizState.generated";
import { QuizTimes } from "./QuizTimes";
import { Results } from "./Results";
import { checkRule, checksEach, drawsQuestions, startsAttempt, tellsOfDraws } from "./startsAttempt";
import { Taking } from "./Taking";
import { Terms } from "./Terms";
import type { Ending } from "./timed/attemptState";
import { dropEnded, type Leftover } from "./timed/copy";
import { countLost } from "./timed/sendable";
import { TimedQuiz } from "./timed/TimedQuiz";
import { useAttemptQuestions } from "./useAttemptQuestions";
import type { Mode } from "./useTaking";

export interface QuizPartProps {
  pageId: string;
  /** For staff who are not enrolled: the attempt is not stored. */
  isPreview: boolean;
  /** Shown with the result: the message that the course is completed. */
  outcome?: ReactNode;
  /** The page after this one; null on the last page. */
  nextPage: { id: string; title: string | null; number: number } | null;
  /** Called before the next page opens. */
  onNext: () => void;
}

/** The quiz of a page: its questions, or the result of the last attempt. */
export function QuizPart({ pageId, isPreview, outcome, nextPage, onNext }: QuizPartProps) {
  const { t } = useTranslation();
  const preview = usePreview();
  // The attempts may have changed elsewhere, and the server refuses answers to an old version.
  const { data, error, loading, refetch } = useQuery(QuizPageDocument, {
    variables: { id: pageId },
    fetchPolicy: "cache-and-network",
  });
  // A failure changes nothing: the server refuses what comes too late.
  useAtMoment(data?.page.timeline.closesAt ?? null, () => void refetch().catch(() => undefined));
  // The addresses of the files in the answers expire.
  const files = data?.page.attempts.flatMap(({ answers }) =>
    answers.flatMap((one) => fromGiven(one).files ?? []),
  );
  useAtMoment(firstExpiry(files ?? []), () => void refetch().catch(() => undefined));
  const me = useQuery(MeDocument).data?.me;
  /** The failure of a page that was taken away during an attempt. */
  const [missing, setMissing] = useState<{ pageId: string; error: unknown } | null>(null);
  if (missing?.pageId === pageId) {
    const again = () => {
      setMissing(null);
      void refetch().catch(() => undefined);
    };
    return <LoadFailure error={missing.error} retry={again} />;
  }
  if (error && !data) return <LoadFailure error={error} retry={() => refetch()} />;
  if (!data?.page.quiz || !me) return data && !data.page.quiz ? null : <QuizSkeleton />;
  const mode = preview ? "look" : isPreview ? "try" : "take";
  const next = nextPage && (
    <ButtonLink to="/view-page/$pageId" params={{ pageId: nextPage.id }} onClick={onNext}>
      {t("course.nextUp", { page: pageTitle(nextPage, t) })}
    </ButtonLink>
  );
  return (
    <Quiz
      key={pageId}
      page={data.page}
      isCurrent={!loading && !error}
      userId={me.id}
      mode={mode}
      outcome={outcome}
      next={next}
      onMissing={(error) => setMissing({ pageId, error })}
    />
  );
}

/** The attempt that is shown, with the questions it answered; null during a new attempt. */
interface Shown {
  attempt: Attempt;
  questions: readonly Question[] | null;
  /** Whether it has just ended, and takes the focus. */
  isNew?: boolean;
  /** How it has just ended, if it was started. */
  ending?: Ending | undefined;
}

interface QuizProps {
  page: QuizPageState;
  /** Whether the server has just told the page, and it is not only in the cache. */
  isCurrent?: boolean;
  userId: string;
  mode: Mode;
  outcome?: ReactNode;
  next?: ReactNode;
  /** Called with the failure when the page cannot be read any more. */
  onMissing?: (error: unknown) => void;
}

export function Quiz({ page, isCurrent = false, userId, mode, outcome, next, onMissing }: QuizProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { quiz } = page;
  const running = mode === "take" ? page.runningAttempt : null;
  const [seenTicket, setSeenTicket] = useState(running?.ticket);
  /** Whether an attempt has started whose end is not shown yet; it keeps its time when the author removes the limit. */
  const [isHeld, setHeld] = useState(running !== null);
  const isStarted = mode === "take" && (isHeld || running !== null || startsAttempt(quiz));
  /** Whether the running attempt was taken away here. */
  const [isReset, setReset] = useState(false);
  const [shown, setShown] = useState<Shown | null>(() => {
    const last = page.attempts.at(-1);
    const isOpen = isStarted ? isHeld : mode === "take" && isWorking(userId, page);
    return last && mode !== "try" && !isOpen ? { attempt: last, questions: null } : null;
  });
  // An attempt that was started elsewhere comes first: its time is running.
  if (running && running.ticket !== seenTicket) {
    setSeenTicket(running.ticket);
    setHeld(true);
    setShown(null);
    setReset(false);
  }
  /** What this device had not sent of attempts that ended without it. */
  const [left, setLeft] = useState<readonly Leftover[]>([]);
  // An attempt of this screen forgets its answers itself.
  const isLeftover = mode === "take" && isCurrent && !isHeld;
  useEffect(() => {
    if (!isLeftover) return;
    const found = dropEnded(userId, page.id, running?.ticket ?? null);
    if (found.length > 0) setLeft(found);
  }, [isLeftover, userId, page.id, running?.ticket]);
  useEffect(() => {
    if (!shown?.isNew) return;
    root.current?.scrollIntoView({ block: "start" });
    heading.current?.focus({ preventScroll: true });
  }, [shown]);
  useEffect(() => {
    if (isReset) root.current?.querySelector<HTMLElement>("section")?.focus({ preventScroll: true });
  }, [isReset]);
  // The cached attempt has more detail as soon as `reveal` allows it.
  const attempt = shown && (page.attempts.find(({ id }) => id === shown.attempt.id) ?? shown.attempt);
  const taken = useAttemptQuestions(page.id, quiz, shown?.questions ? null : attempt);
  if (!quiz) return null;
  if (quiz.questionCount === 0) return <p className={classes.empty}>{t("quiz.empty")}</p>;

  const questions = attempt ? (shown?.questions ?? inOrderOf(attempt.id, taken.questions)) : [];
  const unsent = left.find(({ attemptNo }) => attemptNo === attempt?.attemptNo)?.unsent;
  const notCounted = attempt && unsent ? countLost(unsent, attempt, questions) : 0;
  const last = page.attempts.at(-1);
  const isClosed = mode !== "try" && page.timeline.state === "CLOSED";
  const onResults = last && (() => setShown({ attempt: last, questions: null }));
  const onTaken = (attempt: Attempt, questions: readonly Question[], ending?: Ending) => {
    if (mode === "take") keepOrder(attempt.id, questions);
    setHeld(false);
    setShown({ attempt, questions, ending, isNew: true });
  };
  const onGone = ({ failure }: Ending) => {
    setHeld(false);
    if (failure !== undefined) onMissing?.(failure);
    else setReset(true);
  };

  return (
    <div ref={root} className={classes.quiz}>
      {attempt && isClosed && (
        <p className={classes.terms}>
          <QuizTimes page={page} mode={mode} />
        </p>
      )}
      {(shown?.ending?.isTimeOver || (shown?.ending?.lost ?? 0) > 0) && (
        <div role="status" className={classes.note}>
          {shown?.ending?.isTimeOver && <p>{t("quiz.timed.ended")}</p>}
          {shown?.ending && shown.ending.lost > 0 && (
            <p>{t("quiz.timed.lost", { count: shown.ending.lost })}</p>
          )}
        </div>
      )}
      {notCounted > 0 && (
        <p role="status" className={classes.note}>
          {t("quiz.timed.leftBehind", { count: notCounted })}
        </p>
      )}
      {isReset && !running && (
        <p role="status" className={classes.note}>
          {t("quiz.timed.reset")}
        </p>
      )}
      {attempt ? (
        <Results
          quiz={quiz}
          questions={questions}
          pending={
            taken.error ? (
              <LoadFailure error={taken.error} retry={taken.retry} heading="p" />
            ) : (
              taken.isLoading && <TextSkeleton lines={8} />
            )
          }
          attempts={mode === "try" ? [] : page.attempts}
          attempt={attempt}
          attemptsLeft={page.attemptsLeft}
          bestPercent={page.bestPercent}
          mode={mode}
          isClosed={isClosed}
          outcome={outcome}
          next={next}
          heading={heading}
          onShow={(id) => {
            const other = page.attempts.find((one) => one.id === id);
            if (other) setShown({ attempt: other, questions: null });
          }}
          onRetry={() => {
            flushSync(() => setShown(null));
            root.current?.scrollIntoView({ block: "start" });
            root.current?.querySelector<HTMLElement>("section")?.focus({ preventScroll: true });
          }}
        />
      ) : isStarted ? (
        <TimedQuiz page={page} userId={userId} onTaken={onTaken} onGone={onGone} onResults={onResults} />
      ) : (
        <>
          <Terms page={page} mode={mode} />
          {mode === "try" && drawsQuestions(quiz) && <p className={classes.note}>{t("quiz.drawn.tooFew")}</p>}
          {mode === "look" && checksEach(quiz) && <p className={classes.note}>{t(checkRule(quiz))}</p>}
          {mode === "look" && tellsOfDraws(page) && (
            <p className={classes.note}>{t("quiz.drawn.rules.draw")}</p>
          )}
          <Taking
            isClosed={isClosed}
            page={page}
            questions={quiz.questions}
            userId={userId}
            mode={mode}
            onResults={onResults}
            onTaken={onTaken}
          />
        </>
      )}
    </div>
  );
}

/** Whether this device has answers that can still be submitted, or were submitted without an answer from the server. */
function isWorking(userId: string, page: QuizPageState): boolean {
  const draft = loadDraft(userId, page.id);
  if (!draft) return false;
  return draft.pending !== null || (page.attemptsLeft !== 0 && Object.keys(draft.answers).length > 0);
}
