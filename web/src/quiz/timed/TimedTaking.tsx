import { Suspense, useEffect, useRef, useState } from "react";
import { preciseMoment } from "../../i18n/preciseMoment";
import { useTranslation } from "../../i18n/useTranslation";
import { TextSkeleton } from "../../ui/Skeletons";
import { AnswerForm } from "../AnswerForm";
import type { Question, QuizPageState, RunningAttempt } from "../model";
import { checksEach } from "../startsAttempt";
import { StepForm } from "../stepwise/loaded";
import type { AttemptSession } from "./AttemptSession";
import type { AttemptState, Ending } from "./attemptState";
import { Clock } from "./Clock";
import classes from "./Timed.module.css";
import { useSecondsLeft } from "./useSecondsLeft";
import { useTimedAttempt } from "./useTimedAttempt";

interface TimedTakingProps {
  page: QuizPageState;
  running: RunningAttempt;
  userId: string;
  /** Whether the learner has just started the attempt here, so that the focus goes to the first question. */
  takesFocus: boolean;
  /** Called with the questions of the attempt. */
  onEnd: (ending: Ending, questions: readonly Question[]) => void;
}

/** A running attempt: the clock, and the questions until the attempt ends. */
export function TimedTaking({ page, running, userId, takesFocus, onEnd }: TimedTakingProps) {
  const root = useRef<HTMLDivElement>(null);
  // A refetch after the end of the attempt may bring the questions of the next one.
  const [questions] = useState(() => page.quiz?.questions ?? []);
  // Nor do new dates or limits change the attempt.
  const [hasLimit] = useState(() => running.durationSeconds !== null && !endsByClosing(page, running));
  const [isStepwise] = useState(() => checksEach(page.quiz));
  const { session, state, work } = useTimedAttempt({
    page,
    running,
    questions,
    userId,
    onEnd: (ending) => onEnd(ending, questions),
  });
  useEffect(() => {
    if (!takesFocus) return;
    root.current?.scrollIntoView({ block: "start" });
    root.current?.querySelector<HTMLElement>("section")?.focus({ preventScroll: true });
  }, [takesFocus]);
  const isOver = state.phase === "over";
  const form = {
    page,
    questions,
    work,
    mode: "take" as const,
    isReadOnly: isOver,
    end: isOver ? <Over session={session} state={state} /> : undefined,
  };
  return (
    <div ref={root} className={classes.taking}>
      <Clock session={session} state={state} hasLimit={hasLimit} />
      {isStepwise ? (
        <Suspense fallback={<TextSkeleton lines={8} />}>
          <StepForm {...form} takesFocus={takesFocus} />
        </Suspense>
      ) : (
        <AnswerForm {...form} />
      )}
    </div>
  );
}

/** Whether an attempt without a time limit ends because its page closes. */
function endsByClosing({ quiz, timeline }: QuizPageState, { endsAt }: RunningAttempt): boolean {
  if (quiz?.timeLimitSeconds != null || endsAt === null || timeline.closesAt === null) return false;
  return new Date(endsAt).getTime() === new Date(timeline.closesAt).getTime();
}

/** The time is over, and the result is not here yet. */
function Over({ session, state }: { session: AttemptSession; state: AttemptState }) {
  const { t, i18n } = useTranslation();
  const isInGrace = useSecondsLeft(session.clock.graceLeft) > 0;
  const { unsent, lost } = state.queue;
  const isAllSaved = Object.keys(unsent).length === 0 && Object.keys(lost).length === 0;
  const waits = isAllSaved ? "grading" : !session.isSettled() && isInGrace ? "inGrace" : "late";
  const until = session.clock.acceptedUntil;
  const when = until && preciseMoment(until, new Date(), i18n.language);
  return (
    <p role="status" className={classes.over}>
      {t(`quiz.timed.over.${state.isUnreachable ? waits : "sending"}`, { when })}
    </p>
  );
}
