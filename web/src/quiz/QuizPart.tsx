import { useQuery } from "@apollo/client/react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { LoadFailure } from "../errors/LoadFailure";
import { addWords } from "../i18n";
import { quiz } from "../i18n/ru/quiz";
import { MeDocument } from "../shell/Me.generated";
import { loadDraft } from "./draft";
import type { Attempt, Question, QuizPageState } from "./model";
import classes from "./QuizPart.module.css";
import { QuizSkeleton } from "./QuizSkeleton";
import { QuizPageDocument } from "./QuizState.generated";
import { Results } from "./Results";
import { Taking } from "./Taking";
import type { Mode } from "./useTaking";

addWords({ quiz });

interface QuizPartProps {
  pageId: string;
  /** Staff who are not enrolled try the quiz out. */
  isPreview: boolean;
  /** What passing it came to beside the result: the end of the course. */
  outcome?: ReactNode;
}

/** The quiz of a page: the questions, or what the last attempt at them came to. */
export default function QuizPart({ pageId, isPreview, outcome }: QuizPartProps) {
  // How somebody stands may have changed elsewhere, and answers to an old version would be refused.
  const { data, error, refetch } = useQuery(QuizPageDocument, {
    variables: { id: pageId },
    fetchPolicy: "cache-and-network",
  });
  const me = useQuery(MeDocument).data?.me;
  if (error && !data) return <LoadFailure error={error} retry={() => refetch()} />;
  if (!data?.page.quiz || !me) return data && !data.page.quiz ? null : <QuizSkeleton />;
  const mode = isPreview ? "try" : "take";
  return <Quiz key={pageId} page={data.page} userId={me.id} mode={mode} outcome={outcome} />;
}

/** Which attempt is looked at, and what it was taken of; null while somebody works at a new one. */
interface Shown {
  attempt: Attempt;
  questions: readonly Question[] | null;
}

interface QuizProps {
  page: QuizPageState;
  userId: string;
  mode: Mode;
  outcome?: ReactNode;
}

export function Quiz({ page, userId, mode, outcome }: QuizProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [shown, setShown] = useState<Shown | null>(() => {
    const last = page.attempts.at(-1);
    return last && mode === "take" && !isWorking(userId, page) ? { attempt: last, questions: null } : null;
  });
  const quiz = page.quiz;
  if (!quiz) return null;
  if (quiz.questions.length === 0) return <p className={classes.empty}>{t("quiz.empty")}</p>;

  // The cache's copy says more as soon as `reveal` does.
  const attempt = shown && (page.attempts.find(({ id }) => id === shown.attempt.id) ?? shown.attempt);
  const last = page.attempts.at(-1);

  return (
    <div ref={place} className={classes.quiz}>
      {attempt ? (
        <Results
          quiz={quiz}
          questions={shown?.questions ?? quiz.questions}
          attempts={mode === "try" ? [] : page.attempts}
          attempt={attempt}
          attemptsLeft={page.attemptsLeft}
          bestPercent={page.bestPercent}
          mode={mode}
          outcome={outcome}
          heading={heading}
          onShow={(id) => {
            const other = page.attempts.find((one) => one.id === id);
            if (other) setShown({ attempt: other, questions: null });
          }}
          onRetry={() => {
            flushSync(() => setShown(null));
            place.current?.scrollIntoView({ block: "start" });
            place.current?.querySelector<HTMLElement>("section")?.focus({ preventScroll: true });
          }}
        />
      ) : (
        <>
          <Terms page={page} mode={mode} />
          <Taking
            page={page}
            questions={quiz.questions}
            userId={userId}
            mode={mode}
            onResults={last && (() => setShown({ attempt: last, questions: null }))}
            onTaken={(attempt, questions) => {
              flushSync(() => setShown({ attempt, questions }));
              place.current?.scrollIntoView({ block: "start" });
              heading.current?.focus({ preventScroll: true });
            }}
          />
        </>
      )}
    </div>
  );
}

/** What there is to know before the first answer. */
function Terms({ page, mode }: { page: QuizPageState; mode: Mode }) {
  const { t } = useTranslation();
  const { quiz, attemptsLeft, bestPercent } = page;
  if (!quiz) return null;
  return (
    <p className={classes.terms}>
      <span>{t("quiz.questions", { count: quiz.questions.length })}</span>
      {quiz.passPercent > 0 && <span>{t("quiz.toPass", { percent: quiz.passPercent })}</span>}
      {mode === "take" && attemptsLeft !== null && (
        <span>{t("quiz.attemptsLeft", { count: attemptsLeft })}</span>
      )}
      {mode === "take" && bestPercent !== null && <span>{t("quiz.best", { percent: bestPercent })}</span>}
    </p>
  );
}

/** Whether answers wait on this device that can still be submitted, or were and got no answer. */
function isWorking(userId: string, page: QuizPageState): boolean {
  const draft = loadDraft(userId, page.id);
  if (!draft) return false;
  return draft.pending !== null || (page.attemptsLeft !== 0 && Object.keys(draft.answers).length > 0);
}
