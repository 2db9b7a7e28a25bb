/**
 * The answers of a running attempt that the server does not have yet, as pure rules. Each keeps the second of the attempt at which it was
 * given: by it the server tells newer answers from older ones, and answers that were given in time from those that were not.
 */
import type { Answer } from "../model";

/** An answer, and the seconds since the start of the attempt at which it was given. */
export interface Given {
  answer: Answer;
  at: number;
}

/** Answers by question id. */
export type GivenAnswers = Readonly<Record<string, Given>>;
/** When the answers to questions were given, by question id. */
type Times = Readonly<Record<string, number>>;

export interface Queue {
  unsent: GivenAnswers;
  /** The answers on their way; at most one request runs at a time. */
  sending: Times | null;
  /** The newest answers that the server has confirmed. */
  saved: Times;
  /** Answers that the server did not take any more. */
  lost: GivenAnswers;
  /** Answers that the server has refused; they wait for a change. */
  refused: Times;
  /** Answers are sent one by one, because one of them was refused together with others. */
  isSplit: boolean;
  /** Requests in a row that were not answered. */
  failures: number;
  /** When the last answer was given. */
  lastAt: number;
}

/** One request carries one time for its answers, that of the last one. Answers given further apart are sent one after the other. */
const SPAN_SECONDS = 30;
/** The resolution of the server's times is finer. */
const STEP_SECONDS = 0.001;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 10_000;

export function beginQueue(unsent: GivenAnswers = {}, lastAt = 0): Queue {
  return { unsent, sending: null, saved: {}, lost: {}, refused: {}, isSplit: false, failures: 0, lastAt };
}

/**
 * Adds an answer. A later one always has a later time, also after a reload, when the time is known less exactly and may seem to have gone
 * back: the server would take the answer for an older one.
 */
export function give(queue: Queue, questionId: string, answer: Answer, elapsed: number): Queue {
  const at = Math.max(elapsed, queue.lastAt + STEP_SECONDS);
  return { ...queue, unsent: { ...queue.unsent, [questionId]: { answer, at } }, lastAt: at };
}

type IsSendable = (questionId: string, answer: Answer) => boolean;

/** The answers that can be sent, oldest first. */
function waiting({ unsent, refused }: Queue, isSendable: IsSendable): [string, Given][] {
  return Object.entries(unsent)
    .filter(([id, { answer, at }]) => at > (refused[id] ?? -1) && isSendable(id, answer))
    .sort(([, one], [, other]) => one.at - other.at);
}

export function hasWaiting(queue: Queue, isSendable: IsSendable): boolean {
  return waiting(queue, isSendable).length > 0;
}

/** The questions whose answers the server refused and that were not changed since. */
export function refusedIds({ unsent, refused }: Queue): string[] {
  return Object.entries(unsent).flatMap(([id, { at }]) => (at <= (refused[id] ?? -1) ? id : []));
}

/** The answers of the requests that send everything, in their order. */
export function batches(queue: Queue, isSendable: IsSendable): GivenAnswers[] {
  const groups: [string, Given][][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const one of waiting(queue, isSendable)) {
    const [, { at }] = one;
    if (at <= end && !queue.isSplit) groups.at(-1)?.push(one);
    else {
      groups.push([one]);
      end = at + SPAN_SECONDS;
    }
  }
  return groups.map((group) => Object.fromEntries(group));
}

/** The answers of the next request; null when there is nothing to send. */
export function nextBatch(queue: Queue, isSendable: IsSendable): GivenAnswers | null {
  return batches(queue, isSendable)[0] ?? null;
}

/** The time of a request: that of its last answer. */
export function timeOf(batch: GivenAnswers): number {
  return Math.max(0, ...Object.values(batch).map(({ at }) => at));
}

export function sent(queue: Queue, batch: GivenAnswers): Queue {
  return { ...queue, sending: timesOf(batch) };
}

/** The request was answered: its answers are on the server. Those changed meanwhile stay. */
export function saved(queue: Queue): Queue {
  const { sending } = queue;
  const unsent = pick(queue.unsent, (id, { at }) => at > (sending?.[id] ?? -1));
  const isSplit = queue.isSplit && Object.keys(unsent).some((id) => !(id in queue.refused));
  return { ...queue, unsent, sending: null, saved: { ...queue.saved, ...sending }, isSplit, failures: 0 };
}

/** The request was not answered; it may have arrived, and saving it again does no harm. */
export function unanswered(queue: Queue): Queue {
  return { ...queue, sending: null, failures: queue.failures + 1 };
}

/** The server refused an answer of the request. Which one is found by sending one at a time, so that the others go on. */
export function refused(queue: Queue): Queue {
  const sending = queue.sending ?? {};
  const isAlone = Object.keys(sending).length <= 1;
  const known = isAlone ? { ...queue.refused, ...sending } : queue.refused;
  return { ...queue, sending: null, refused: known, isSplit: queue.isSplit || !isAlone, failures: 0 };
}

/** The server takes no answers any more: those that waited are lost. */
export function closed(queue: Queue, isSendable: IsSendable): Queue {
  const lost = { ...queue.lost, ...Object.fromEntries(waiting(queue, isSendable)) };
  return { ...queue, unsent: {}, sending: null, lost, failures: 0 };
}

/** The queue without these questions, whose answers are fixed. Later answers, also those of other tabs, do not replace them. */
export function without(queue: Queue, questionIds: readonly string[]): Queue {
  const fixed = Object.fromEntries(questionIds.map((id) => [id, Number.POSITIVE_INFINITY]));
  return {
    ...queue,
    unsent: pick(queue.unsent, (id) => !questionIds.includes(id)),
    saved: { ...queue.saved, ...fixed },
  };
}

/** Milliseconds before an unanswered request is repeated. */
export function retryDelay(failures: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LAST_RETRY_MS);
}

/** What this device keeps: the unsent answers, and those of another tab of which this one knows nothing newer. */
export function keptWith(queue: Queue, stored: GivenAnswers): GivenAnswers {
  const foreign = pick(stored, (id, { at }) => at > (queue.unsent[id]?.at ?? queue.saved[id] ?? -1));
  return { ...queue.unsent, ...foreign };
}

function timesOf(answers: GivenAnswers): Times {
  return Object.fromEntries(Object.entries(answers).map(([id, { at }]) => [id, at]));
}

function pick(answers: GivenAnswers, isWanted: (id: string, given: Given) => boolean): GivenAnswers {
  return Object.fromEntries(Object.entries(answers).filter(([id, given]) => isWanted(id, given)));
}
