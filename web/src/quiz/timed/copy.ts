import { forgetJson, forgetOldest, isObject, keepJson, keysWith, readJson } from "../../ui/localJson";
import { fitted } from "../answers";
import { keptAnswers } from "../changes";
import type { Pending } from "../draft";
import type { Answers, Question } from "../model";
import { beginQueue, type GivenAnswers, keptWith, type Queue } from "./queue";

/** The keys of running attempts on this device. A draft for the same quiz without a time limit has another key, and stays. */
const PREFIX = "quiz-timed:";
/** Limit on stored attempts; the least recently changed are deleted. */
const KEPT = 100;

/** The part of a running attempt that is not on the server. */
interface Stored {
  /** Missing in copies of earlier versions of the app. */
  attemptNo?: number;
  unsent: GivenAnswers;
  /** The seconds since the start of the attempt at which the last answer was given. */
  lastAt: number;
  pending: Pending | null;
  /** The units that were chosen before their numbers, by question id: the server stores no unit alone. Missing in earlier copies. */
  units?: Readonly<Record<string, string>>;
  savedAt: number;
}

interface Owner {
  userId: string;
  pageId: string;
  ticket: string;
}

/** What of a running attempt is on this device: its unsent answers, and its submission until it is answered. */
export class AttemptCopy {
  #pending: Pending | null;
  /** The unsent answers that an earlier visit left. */
  readonly left: Queue;
  /** The answers that an earlier visit left and that the server cannot store. */
  readonly unfinished: Answers;

  constructor(
    private readonly owner: Owner & { attemptNo: number },
    private readonly questions: readonly Question[],
  ) {
    const stored = loadCopy(owner);
    this.#pending = stored?.pending ?? null;
    const { unsent = {}, lastAt = 0, units = {} } = stored ?? {};
    const fitting = questions.flatMap((question) => {
      const given = unsent[question.id];
      return given ? [[question.id, { ...given, answer: fitted(question, given.answer) ?? {} }]] : [];
    });
    this.left = beginQueue(Object.fromEntries(fitting), lastAt);
    const alone = Object.entries(isObject(units) ? units : {}).map(([id, unit]) => [id, { unit }]);
    this.unfinished = keptAnswers(questions, Object.fromEntries(alone));
  }

  get pending(): Pending | null {
    return this.#pending;
  }

  /** Returns false when the storage is full or forbidden. */
  keep(queue: Queue, pending: Pending | null, answers: Answers): boolean {
    this.#pending = pending;
    const unsent = keptWith(queue, loadCopy(this.owner)?.unsent ?? {});
    const { attemptNo } = this.owner;
    const units = this.#unitsAlone(answers);
    const { lastAt } = queue;
    const stored: Stored = { attemptNo, unsent, lastAt, pending, units, savedAt: Date.now() };
    const isKept = keepJson(keyOf(this.owner), stored);
    forgetOldest(PREFIX, KEPT, "savedAt");
    return isKept;
  }

  forget(): void {
    forgetJson(keyOf(this.owner));
  }

  #unitsAlone(answers: Answers): Readonly<Record<string, string>> {
    const alone = this.questions.flatMap(({ id }) => {
      const { number = "", unit } = answers[id] ?? {};
      return unit !== undefined && number.trim() === "" ? [[id, unit]] : [];
    });
    return Object.fromEntries(alone);
  }
}

/** What this device keeps of an attempt; null without anything. */
export function loadCopy(owner: Owner): Stored | null {
  const stored = readJson(keyOf(owner));
  return isStored(stored) ? stored : null;
}

/** What was left of an attempt that has ended. */
export interface Leftover {
  attemptNo: number;
  unsent: GivenAnswers;
}

/** Forgets what was left of attempts at a quiz that have ended: all but the running one. Returns their unsent answers. */
export function dropEnded(userId: string, pageId: string, runningTicket: string | null): Leftover[] {
  return keysWith(keyOf({ userId, pageId, ticket: "" })).flatMap((key): Leftover[] => {
    if (runningTicket !== null && key === keyOf({ userId, pageId, ticket: runningTicket })) return [];
    const stored = readJson(key);
    forgetJson(key);
    if (!isStored(stored) || stored.attemptNo === undefined) return [];
    const { attemptNo, unsent } = stored;
    return Object.keys(unsent).length > 0 ? [{ attemptNo, unsent }] : [];
  });
}

function keyOf({ userId, pageId, ticket }: Owner): string {
  return `${PREFIX}${userId}:${pageId}:${ticket}`;
}

function isStored(value: unknown): value is Stored {
  if (!isObject(value)) return false;
  const { attemptNo, unsent, lastAt, pending } = value as Partial<Stored>;
  return (
    (attemptNo === undefined || typeof attemptNo === "number") &&
    typeof lastAt === "number" &&
    isObject(unsent) &&
    Object.values(unsent).every(
      (one) => isObject(one) && typeof one.at === "number" && isObject(one.answer),
    ) &&
    (pending === null || (isObject(pending) && typeof pending.submissionId === "string"))
  );
}
