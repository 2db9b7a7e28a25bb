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
import { Taking } from "./Taking";
import { Terms } from "./Terms";
import { TimedQuiz } from "./timed/TimedQuiz";
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
  const { data, error, refetch } = useQuery(QuizPageDocument, {
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
  if (error && !data) return <LoadFailure error={error} retry={() => refetch()} />;
  if (!data?.page.quiz || !me) return data && !data.page.quiz ? null : <QuizSkeleton />;
  const mode = preview ? "look" : isPreview ? "try" : "take";
  const next = nextPage && (
    <ButtonLink to="/view-page/$pageId" params={{ pageId: nextPage.id }} onClick={onNext}>
      {t("course.nextUp", { page: pageTitle(nextPage, t) })}
    </ButtonLink>
  );
  return <Quiz key={pageId} page={data.page} userId={me.id} mode={mode} outcome={outcome} next={next} />;
}

/** The attempt that is shown, with the questions it answered; null during a new attempt. */
interface Shown {
  attempt: Attempt;
  questions: readonly Question[] | null;
  /** Whether it has just ended, and takes the focus. */
  isNew?: boolean;
  /** Whether it has just ended because its time was over. */
  isTimeOver?: boolean;
}

interface QuizProps {
  page: QuizPageState;
  userId: string;
  mode: Mode;
  outcome?: ReactNode;
  next?: ReactNode;
}

export function Quiz({ page, userId, mode, outcome, next }: QuizProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { quiz } = page;
  const running = mode === "take" ? page.runningAttempt : null;
  const [seenTicket, setSeenTicket] = useState(running?.ticket);
  /** Whether an attempt has started whose end is not shown yet; it keeps its time when the author removes the limit. */
  const [isHeld, setHeld] = useState(running !== null);
  const isTimed = mode === "take" && (isHeld || quiz?.timeLimitSeconds != null);
  const [shown, setShown] = useState<Shown | null>(() => {
    const last = page.attempts.at(-1);
    const isOpen = isTimed ? isHeld : mode === "take" && isWorking(userId, page);
    return last && mode !== "try" && !isOpen ? { attempt: last, questions: null } : null;
  });
  // An attempt that was started elsewhere comes first: its time is running.
  if (running && running.ticket !== seenTicket) {
    setSeenTicket(running.ticket);
    setHeld(true);
    setShown(null);
  }
  useEffect(() => {
    if (!shown?.isNew) return;
    root.current?.scrollIntoView({ block: "start" });
    heading.current?.focus({ preventScroll: true });
  }, [shown]);
  if (!quiz) return null;
  if (quiz.questionCount === 0) return <p className={classes.empty}>{t("quiz.empty")}</p>;

  // The cached attempt has more detail as soon as `reveal` allows it.
  const attempt = shown && (page.attempts.find(({ id }) => id === shown.attempt.id) ?? shown.attempt);
  const last = page.attempts.at(-1);
  const isClosed = mode !== "try" && page.timeline.state === "CLOSED";
  const onResults = last && (() => setShown({ attempt: last, questions: null }));
  const onTaken = (attempt: Attempt, questions: readonly Question[], isTimeOver = false) => {
    if (mode === "take") keepOrder(attempt.id, questions);
    setHeld(false);
    setShown({ attempt, questions, isTimeOver, isNew: true });
  };

  return (
    <div ref={root} className={classes.quiz}>
      {attempt && isClosed && (
        <p className={classes.terms}>
          <QuizTimes page={page} mode={mode} />
        </p>
      )}
      {shown?.isTimeOver && (
        <p role="status" className={classes.timeOver}>
          {t("quiz.timed.ended")}
        </p>
      )}
      {attempt ? (
        <Results
          quiz={quiz}
          questions={shown?.questions ?? inOrderOf(attempt.id, quiz.questions)}
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
      ) : isTimed ? (
        <TimedQuiz
          page={page}
          userId={userId}
          onTaken={onTaken}
          onGone={() => setHeld(false)}
          onResults={onResults}
        />
      ) : (
        <>
          <Terms page={page} mode={mode} />
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
  // What is left of an attempt with a time limit is handled with that attempt.
  if (!draft || draft.timed) return false;
  return draft.pending !== null || (page.attemptsLeft !== 0 && Object.keys(draft.answers).length > 0);
}
