import { useApolloClient } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useEffectEvent, useState } from "react";
import type { Question, QuizPageState, RunningAttempt } from "../model";
import { AttemptTimes } from "../time/AttemptTimes";
import type { Taking } from "../useTaking";
import { AttemptSession } from "./AttemptSession";
import type { AttemptState, Ending } from "./attemptState";
import { attemptServer } from "./requests";

interface Options {
  page: QuizPageState;
  running: RunningAttempt;
  questions: readonly Question[];
  userId: string;
  onEnd: (ending: Ending) => void;
}

interface TimedAttempt {
  session: AttemptSession;
  state: AttemptState;
  work: Taking;
}

/** The running attempt of a screen, from when it opens until it is left. */
export function useTimedAttempt({ page, running, questions, userId, onEnd }: Options): TimedAttempt {
  const client = useApolloClient();
  const ended = useEffectEvent(onEnd);
  const [times] = useState(() => new AttemptTimes({ userId, pageId: page.id, attempt: running.ticket }));
  const [session] = useState(
    () =>
      new AttemptSession({
        page,
        running,
        questions,
        userId,
        times,
        server: attemptServer(client, page.id, questions, times),
      }),
  );
  const state = useSelector(session.state);
  useEffect(() => {
    session.open((ending) => ended(ending));
    return () => session.leave();
  }, [session]);
  // The session begins with the page as it is now; what is read later may say more.
  useEffect(() => session.follow(page), [session, page]);
  const { answers, revisions, phase, isUnreachable, refusal, refusals } = state;
  const work: Taking = {
    answers,
    revisions,
    // The questions of a running attempt stay as they were when it started.
    changes: null,
    isSending: phase === "ended" || (phase === "submitting" && !isUnreachable),
    isWaiting: phase === "submitting" && isUnreachable,
    acceptedUntil: session.clock.acceptedUntil,
    refusal,
    refusals,
    isKept: null,
    times,
    steps: { checks: state.checks, check: (questionId) => void session.check(questionId) },
    answer: (questionId, answer) => session.answer(questionId, answer),
    submit: () => session.submit(),
    resend: session.resend,
  };
  return { session, state, work };
}
