import { useQuery } from "@apollo/client/react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { pageTitle } from "../course/pageTitle";
import { useAtMoment } from "../dates/useAtMoment";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { usePreview } from "../preview/context";
import { MeDocument } from "../shell/Me.generated";
import { ButtonLink } from "../ui/Button";
import { fromGiven } from "./answers";
import { Best } from "./Best";
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
  const [shown, setShown] = useState<Shown | null>(() => {
    const last = page.attempts.at(-1);
    return last && mode !== "try" && !(mode === "take" && isWorking(userId, page))
      ? { attempt: last, questions: null }
      : null;
  });
  const quiz = page.quiz;
  if (!quiz) return null;
  if (quiz.questions.length === 0) return <p className={classes.empty}>{t("quiz.empty")}</p>;

  // The cached attempt has more detail as soon as `reveal` allows it.
  const attempt = shown && (page.attempts.find(({ id }) => id === shown.attempt.id) ?? shown.attempt);
  const last = page.attempts.at(-1);
  const isClosed = mode !== "try" && page.timeline.state === "CLOSED";

  return (
    <div ref={root} className={classes.quiz}>
      {attempt && isClosed && (
        <p className={classes.terms}>
          <QuizTimes page={page} mode={mode} />
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
      ) : (
        <>
          <Terms page={page} mode={mode} />
          <Taking
            isClosed={isClosed}
            page={page}
            questions={quiz.questions}
            userId={userId}
            mode={mode}
            onResults={last && (() => setShown({ attempt: last, questions: null }))}
            onTaken={(attempt, questions) => {
              if (mode === "take") keepOrder(attempt.id, questions);
              flushSync(() => setShown({ attempt, questions }));
              root.current?.scrollIntoView({ block: "start" });
              heading.current?.focus({ preventScroll: true });
            }}
          />
        </>
      )}
    </div>
  );
}

/** The rules of the quiz: points to pass, attempts left. */
function Terms({ page, mode }: { page: QuizPageState; mode: Mode }) {
  const { t } = useTranslation();
  const { quiz, attemptsLeft, bestPercent } = page;
  if (!quiz) return null;
  return (
    <p className={classes.terms}>
      <span>{t("quiz.questions", { count: quiz.questions.length })}</span>
      {quiz.passPercent > 0 && <span>{t("quiz.toPass", { percent: quiz.passPercent })}</span>}
      {mode !== "try" && attemptsLeft !== null && (
        <span>{t("quiz.attemptsLeft", { count: attemptsLeft })}</span>
      )}
      {mode !== "try" && bestPercent !== null && <Best percent={bestPercent} attempts={page.attempts} />}
      <QuizTimes page={page} mode={mode} />
    </p>
  );
}

/** Whether this device has answers that can still be submitted, or were submitted without an answer from the server. */
function isWorking(userId: string, page: QuizPageState): boolean {
  const draft = loadDraft(userId, page.id);
  if (!draft) return false;
  return draft.pending !== null || (page.attemptsLeft !== 0 && Object.keys(draft.answers).length > 0);
}
