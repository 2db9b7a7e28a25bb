/** The checked questions of an attempt, as pure rules. A checked answer is fixed. */
import { fromGiven } from "../answers";
import type { GivenAnswer, Question, Result, RunningAttempt } from "../model";
import type { AttemptState } from "../timed/attemptState";
import { without } from "../timed/queue";
import type { Failure } from "../timed/requests";
import { isSame } from "../timed/stored";

export interface Checks {
  /** The results of the checked questions, by question id. */
  results: Readonly<Record<string, Result>>;
  /** The question whose answer is on its way. */
  running: string | null;
  failure: CheckFailure | null;
}

/** Nothing is checked. */
export const NO_CHECKS: Checks = { results: {}, running: null, failure: null };

/** Why the last check failed. */
interface CheckFailure {
  questionId: string;
  /** The reason of the server; null when it did not answer. */
  reason: string | null;
}

/** The outcome of a check. */
export type CheckedAnswer =
  | { kind: "checked"; elapsed: number | null; answer: GivenAnswer; result: Result }
  | { kind: "timeOver"; elapsed: number | null }
  | Failure;

export function firstChecks(running: RunningAttempt): Checks {
  return { ...NO_CHECKS, results: resultsOf(running) };
}

/** Whether the answer can be checked now: one at a time, and each once. */
export function canCheck(checks: Checks, questionId: string): boolean {
  return checks.running === null && !(questionId in checks.results);
}

/** Whether the answer can still be changed. */
export function isOpen(checks: Checks, questionId: string): boolean {
  return checks.running !== questionId && !(questionId in checks.results);
}

export function beginCheck(checks: Checks, questionId: string): Checks {
  return { ...checks, running: questionId, failure: null };
}

/** The change of the state of an attempt after the response to a check. */
export function afterCheck(
  state: AttemptState,
  question: Question,
  response: CheckedAnswer,
): Partial<AttemptState> {
  const { id } = question;
  const checks = { ...state.checks, running: null };
  if (response.kind === "refused")
    return { checks: { ...checks, failure: { questionId: id, reason: response.message } } };
  if (response.kind === "unanswered")
    return { checks: { ...checks, failure: { questionId: id, reason: null } } };
  if (response.kind !== "checked") return { checks };
  // Another device may have checked another answer before.
  const fixed = fromGiven(response.answer);
  const own = state.answers[id];
  const isOwn = isSame(question, own, fixed);
  return {
    checks: { ...checks, results: { ...checks.results, [id]: response.result } },
    answers: isOwn ? state.answers : { ...state.answers, [id]: fixed },
    revisions: isOwn ? state.revisions : { ...state.revisions, [id]: (state.revisions[id] ?? 0) + 1 },
    queue: without(state.queue, [id]),
    isUnreachable: false,
  };
}

/** The change after the server has reported checks of other devices; null if all are known. A response may be older than a check. */
export function takeChecks(
  { checks, queue }: AttemptState,
  running: RunningAttempt,
): Pick<AttemptState, "checks" | "queue"> | null {
  const told = resultsOf(running);
  const isNew = Object.keys(told).some((id) => !(id in checks.results));
  if (!isNew) return null;
  return {
    checks: { ...checks, results: { ...told, ...checks.results } },
    queue: without(queue, Object.keys(told)),
  };
}

function resultsOf({ checked }: RunningAttempt): Checks["results"] {
  return Object.fromEntries(checked.map((result) => [result.questionId, result]));
}

/** The index of the next unchecked question, continuing at the first question after the last one; null if there is no other. */
export function nextOpen<Q>(
  questions: readonly Q[],
  from: number,
  isLeft: (question: Q) => boolean,
): number | null {
  const after = questions.findIndex((question, at) => at > from && isLeft(question));
  if (after >= 0) return after;
  const before = questions.findIndex((question, at) => at < from && isLeft(question));
  return before >= 0 ? before : null;
}
