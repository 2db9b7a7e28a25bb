import { ApiError } from "../../api/apiError";
import { openTimes } from "../../testing/openTimes";
import type { Answer, Attempt, Question, QuizPageState, Result, RunningAttempt } from "../model";
import type { CheckedAnswer } from "../stepwise/checks";
import { questions } from "../testing";
import { type Given, type GivenAnswers, timeOf } from "./queue";
import type { AttemptServer, Failure, Submitted } from "./requests";

export const shown: Question[] = [questions.single, questions.text, questions.number];

export const quizPage = (over: Partial<QuizPageState> = {}): QuizPageState => ({
  id: "p",
  version: 1,
  isCompleted: false,
  attemptsLeft: null,
  bestPercent: null,
  latePenaltyPerDay: null,
  latePenaltyMax: null,
  timeline: { ...openTimes, lateUntil: null, penaltyPercent: 0 },
  course: { id: "c", timeZone: null },
  quiz: {
    passPercent: 60,
    maxAttempts: null,
    reveal: "AFTER_SUBMIT",
    checking: "AT_END",
    timeLimitSeconds: 1200,
    attemptNo: 1,
    questionCount: shown.length,
    questions: shown,
  },
  attempts: [],
  runningAttempt: null,
  ...over,
});

export const running = (over: Partial<RunningAttempt> = {}): RunningAttempt => ({
  attemptNo: 1,
  endsAt: "2026-11-26T10:20:00Z",
  durationSeconds: 1200,
  elapsedSeconds: 0,
  graceSeconds: 60,
  ticket: "t1",
  answers: [],
  checked: [],
  ...over,
});

export const graded = (over: Partial<Attempt> = {}): Attempt => ({
  id: "a1",
  attemptNo: 1,
  score: 1,
  maxScore: 3,
  percent: 33,
  penaltyPercent: 0,
  passed: false,
  waitingAnswers: 0,
  isReturned: false,
  submittedAt: "2026-11-26T10:00:00Z",
  resultChanges: [],
  answers: [],
  results: [],
  ...over,
});

/** The result of a question without anything that `reveal` may hide. */
export const checkedResult = (questionId: string, correct: boolean): Result => ({
  questionId,
  points: correct ? 1 : 0,
  maxPoints: 1,
  correct,
  isWaiting: false,
  isReturned: false,
  comment: null,
  marks: [],
  pins: [],
  prompt: null,
  explanation: null,
  optionFeedback: [],
  correctAnswer: null,
  zones: [],
  rightPlaces: [],
});

/** An answer as the API has it. */
function given(questionId: string, answer: Answer): RunningAttempt["answers"][number] {
  const { optionIds, text = "", number, unit = null } = answer;
  if (optionIds) return { __typename: "ChoiceAnswer", questionId, optionIds };
  if (number !== undefined) return { __typename: "NumberAnswer", questionId, number, unit };
  return { __typename: "TextAnswer", questionId, text };
}

/** A server with one attempt, which started when this was made. Its time is that of the monotonic clock. */
export class FakeServer implements AttemptServer {
  readonly #start = performance.now();
  /** The requests that arrived. */
  readonly asked: string[] = [];
  /** The times of the saves that arrived, in seconds. */
  readonly times: number[] = [];
  readonly stored = new Map<string, { answer: Answer; at: number }>();
  readonly submitted: object[] = [];
  /** The results of the checked questions, whose stored answers stay. */
  readonly checked = new Map<string, Result>();
  /** The answers that the page has, if they are not those that were saved. */
  kept: RunningAttempt["answers"] | null = null;
  isOffline = false;
  /** Ids of questions whose answers are refused. */
  readonly refused = new Set<string>();
  attempt: Attempt | null = null;
  /** Whether the page cannot be read any more. */
  isGone = false;
  /** Whether the running attempt was deleted. */
  isDeleted = false;
  /** How often the course was read again. */
  refreshed = 0;
  ticket = "t1";
  duration: number | null = 1200;
  /** Milliseconds that a response takes. */
  delay = 0;

  elapsed(): number {
    return (performance.now() - this.#start) / 1000;
  }

  page(): QuizPageState {
    const runs = this.attempt === null || this.ticket !== "t1";
    const attempt = running({
      ticket: this.ticket,
      attemptNo: this.ticket === "t1" ? 1 : 2,
      elapsedSeconds: this.elapsed(),
      durationSeconds: this.duration,
      answers: this.kept ?? [...this.stored].map(([id, { answer }]) => given(id, answer)),
      checked: [...this.checked.values()],
    });
    return quizPage({ attempts: this.attempt ? [this.attempt] : [], runningAttempt: runs ? attempt : null });
  }

  /** Grades the attempt, as the job does or another window. */
  end(): void {
    this.attempt ??= graded();
  }

  readonly save = (ticket: string, batch: GivenAnswers) =>
    this.#answered("save", () => {
      const at = timeOf(batch);
      this.times.push(at);
      if (this.attempt !== null || ticket !== this.ticket) return { kind: "outdated" } as const;
      const duration = this.duration ?? Number.POSITIVE_INFINITY;
      if (at > duration || this.elapsed() > duration + 60)
        return { kind: "timeOver", elapsed: this.elapsed(), fixed: false } as const;
      if (Object.keys(batch).some((id) => this.refused.has(id)))
        return { kind: "refused", message: "Не подходит" } as const;
      for (const [id, { answer }] of Object.entries(batch))
        if (!this.checked.has(id) && at > (this.stored.get(id)?.at ?? -1))
          this.stored.set(id, { answer, at });
      const fixed = Object.keys(batch).some((id) => this.checked.has(id));
      return { kind: "saved", elapsed: this.elapsed(), fixed } as const;
    });

  readonly check = (ticket: string, { id }: Question, { answer, at }: Given) =>
    this.#answered("check", (): CheckedAnswer => {
      if (this.attempt !== null || ticket !== this.ticket) return { kind: "outdated" };
      if (at > (this.duration ?? Number.POSITIVE_INFINITY))
        return { kind: "timeOver", elapsed: this.elapsed() };
      if (this.refused.has(id)) return { kind: "refused", message: "Не подходит" };
      return this.fix(id, answer, at);
    });

  /** Checks an answer, unless one is checked already. */
  fix(id: string, answer: Answer, at = this.elapsed()) {
    if (!this.checked.has(id)) {
      this.stored.set(id, { answer, at });
      this.checked.set(id, checkedResult(id, answer.text === "right"));
    }
    const fixed = this.stored.get(id)?.answer ?? answer;
    const result = this.checked.get(id) ?? checkedResult(id, false);
    return { kind: "checked", elapsed: this.elapsed(), answer: given(id, fixed), result } as const;
  }

  readonly submit = (pending: object) =>
    this.#answered("submit", (): Submitted => {
      this.submitted.push(pending);
      this.end();
      return this.attempt ? { kind: "taken", attempt: this.attempt } : { kind: "outdated" };
    });

  readonly look = () =>
    this.#answered("look", () =>
      this.isGone
        ? ({
            kind: "gone",
            error: new ApiError({ url: "", status: 404, statusText: "", body: null }),
          } as const)
        : ({ kind: "read", page: this.page() } as const),
    );

  readonly refreshCourse = () => {
    this.refreshed += 1;
  };

  async #answered<T>(name: string, answer: () => T): Promise<T | Failure> {
    if (this.isOffline) return { kind: "unanswered" };
    this.asked.push(name);
    const result = answer();
    if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
    return this.isOffline ? { kind: "unanswered" } : result;
  }
}
