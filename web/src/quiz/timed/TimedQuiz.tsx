import { useState } from "react";
import type { Attempt, Question, QuizPageState } from "../model";
import type { Ending } from "./attemptState";
import { StartScreen } from "./StartScreen";
import { TimedTaking } from "./TimedTaking";

interface TimedQuizProps {
  page: QuizPageState;
  userId: string;
  /** Called with a graded attempt and the questions that it answered. */
  onTaken: (attempt: Attempt, questions: readonly Question[], ending: Ending) => void;
  /** Called when the running attempt is gone without a result, such as after a teacher has deleted it. */
  onGone: (ending: Ending) => void;
  /** Shows the last attempt; undefined without one. */
  onResults: (() => void) | undefined;
}

/** A quiz whose attempts are started, with a time limit or with draws, until it is graded: the start, or the running attempt. */
export function TimedQuiz({ page, userId, onTaken, onGone, onResults }: TimedQuizProps) {
  /** Stays until its end was handled here, although the page in the cache may already be without it. */
  const [running, setRunning] = useState(page.runningAttempt);
  const [endedTicket, setEndedTicket] = useState<string>();
  const [isStartedHere, setStartedHere] = useState(false);
  const found = page.runningAttempt;
  if (!running && found && found.ticket !== endedTicket) setRunning(found);
  if (running)
    return (
      <TimedTaking
        key={running.ticket}
        page={page}
        running={running}
        userId={userId}
        takesFocus={isStartedHere}
        onEnd={(ending, questions) => {
          // The next attempt was started elsewhere, and its time is running.
          if (found && found.ticket !== running.ticket) return setRunning(found);
          if (ending.attempt) return onTaken(ending.attempt, questions, ending);
          setEndedTicket(running.ticket);
          setRunning(null);
          onGone(ending);
        }}
      />
    );
  return (
    <StartScreen
      page={page}
      onStarted={() => {
        setStartedHere(true);
        // The server may have returned an attempt that seemed to have ended.
        setEndedTicket(undefined);
      }}
      onResults={onResults}
    />
  );
}
