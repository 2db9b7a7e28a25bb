import { fromGiven } from "../answers";
import { keptAnswers } from "../changes";
import type { Pending } from "../draft";
import type { Answers, Attempt, Question, QuizPageState, RunningAttempt } from "../model";
import { type Checks, firstChecks } from "../stepwise/checks";
import type { AttemptTimes } from "../time/AttemptTimes";
import { type Queue, without } from "./queue";
import type { AttemptServer } from "./requests";

/** `submitting` by the learner, `over` when the time has ended, `ended` when the attempt is graded or gone. */
type Phase = "answering" | "submitting" | "over" | "ended";

export interface AttemptState {
  answers: Answers;
  phase: Phase;
  queue: Queue;
  /** Whether the last request was not answered. */
  isUnreachable: boolean;
  /** Whether another device may have replaced an answer, which is being found out. */
  isComparing: boolean;
  /** Rises for a question whose answer was replaced by that of another device. */
  revisions: Readonly<Record<string, number>>;
  /** Whether this device keeps a copy of what is unsent. */
  isKept: boolean;
  /** The checked questions; none if the quiz is checked at the end. */
  checks: Checks;
  /** The server's reason to refuse the submission. */
  refusal: string | null;
  /** The server's reasons to refuse answers, by question id. */
  refusals: Readonly<Record<string, string>>;
}

/** What a session of an attempt needs. */
export interface SessionOptions {
  page: QuizPageState;
  running: RunningAttempt;
  questions: readonly Question[];
  userId: string;
  times: AttemptTimes;
  server: AttemptServer;
}

/** How an attempt has ended. */
export interface Ending {
  /** The graded attempt; null when it is gone, such as after a teacher has deleted it. */
  attempt: Attempt | null;
  isTimeOver: boolean;
  /** The number of answers that came too late. */
  lost: number;
  /** The failure of a page that cannot be read any more. */
  failure?: unknown;
}

/** Called once. */
export type OnEnd = (ending: Ending) => void;

/** The state of an attempt that is opened: the answers of the server, and over them those that an earlier visit left. */
export function firstState(
  running: RunningAttempt,
  questions: readonly Question[],
  { left, pending, unfinished }: { left: Queue; pending: Pending | null; unfinished: Answers },
): AttemptState {
  const saved = running.answers.map((one) => [one.questionId, fromGiven(one)]);
  const checks = firstChecks(running);
  const queue = without(left, Object.keys(checks.results));
  const unsent = Object.entries(queue.unsent).map(([id, { answer }]) => [id, answer]);
  return {
    answers: {
      ...unfinished,
      ...keptAnswers(questions, Object.fromEntries(saved)),
      ...Object.fromEntries(unsent),
    },
    phase: pending ? "submitting" : "answering",
    queue,
    isUnreachable: false,
    isComparing: false,
    revisions: {},
    isKept: true,
    checks,
    refusal: null,
    refusals: {},
  };
}
