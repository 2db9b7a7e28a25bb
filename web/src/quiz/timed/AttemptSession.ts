import { createStore, type ReadonlyStore, type Store } from "@tanstack/react-store";
import { onSessionEnd } from "../../api/session";
import { newId } from "../../ui/newId";
import { guardUnsaved } from "../../ui/unsaved";
import { toInput } from "../answers";
import type { Pending } from "../draft";
import type { Answer, Attempt, Question, QuizPageState, RunningAttempt } from "../model";
import { afterCheck, beginCheck, canCheck, isOpen, takeChecks } from "../stepwise/checks";
import { AttemptClock } from "./AttemptClock";
import { type AttemptState, firstState, type OnEnd, type SessionOptions } from "./attemptState";
import { AttemptCopy } from "./copy";
import { EndTimer } from "./EndTimer";
import * as rules from "./queue";
import type { Failure } from "./requests";
import { countLost, isSendableTo } from "./sendable";
import { takeStored } from "./stored";
import { isTyped, TypingPause } from "./TypingPause";
import { watchDevice } from "./watchDevice";

/** How long a response proves that the attempt is still running. */
const FRESH_MS = 3000;
/** An answer saved later than so many seconds after it was given may be older than one of another device. */
const LATE_SECONDS = 8;
/** While answers are saved, those of other devices are read at most this often, in milliseconds. */
const COMPARE_MS = 15_000;

/**
 * A running attempt on an open screen. It saves the answers on the server, keeps them on this device until they are saved, and reports the end
 * of the attempt. The server decides when the attempt ends.
 */
export class AttemptSession {
  readonly state: ReadonlyStore<AttemptState>;
  readonly clock: AttemptClock;
  readonly #store: Store<AttemptState>;
  readonly #questions: ReadonlyMap<string, Question>;
  readonly #copy: AttemptCopy;
  /** Whether the waiting answers are sent now, and not after a pause in typing. */
  #isDue = true;
  /** The page is read before anything is sent. */
  #isOutdated = false;
  /** Null when the screen was left. */
  #onEnd: OnEnd | null = null;
  #isSignedOut = false;
  #run: Promise<void> | null = null;
  /** Something may be there to send since the run last looked. */
  #goesAgain = false;
  /** When the answers here were last compared with those of the server, by the monotonic clock. */
  #comparedAt = performance.now();
  /** When a response last proved that the attempt is running, by the monotonic clock. */
  #confirmedAt = Number.NEGATIVE_INFINITY;
  readonly #typing = new TypingPause(() => this.flush());
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #endTimer = new EndTimer(() => this.clock.left(), {
    onSoon: () => {
      if (this.#typing.isTyping) this.flush();
    },
    onEnd: () => this.#timeIsOver(),
  });
  #stops: (() => void)[] = [];
  #endGuard: (() => void) | null = null;

  constructor(private readonly options: SessionOptions) {
    const { page, running, questions, userId } = options;
    this.#questions = new Map(questions.map((question) => [question.id, question]));
    this.clock = new AttemptClock(running);
    const { attemptNo, ticket } = running;
    this.#copy = new AttemptCopy({ userId, pageId: page.id, ticket, attemptNo }, questions);
    this.#store = createStore(firstState(running, questions, this.#copy));
    this.state = createStore(() => this.#store.get());
  }

  /** Whether everything that can be sent is on the server. */
  isSettled(): boolean {
    return !rules.hasWaiting(this.#state.queue, this.#isSendable);
  }

  /** Starts the clock, and sends what an earlier visit could not send. */
  open(onEnd: OnEnd): void {
    this.#stop();
    this.#onEnd = onEnd;
    this.#stops = [
      watchDevice({
        onBack: () => this.#wake(true),
        onFocus: () => {
          if (performance.now() - this.#comparedAt > FRESH_MS) this.#compare();
          this.flush();
        },
        onAway: () => this.flush(),
        onClose: () => this.#sendLast(),
      }),
      onSessionEnd(() => {
        this.#isSignedOut = true;
      }),
    ];
    this.#watchEnd();
    this.#guard();
    this.flush();
  }

  /** Call when the screen is left. What is unsent is still sent; the server ends the attempt by itself. */
  leave(): void {
    this.#onEnd = null;
    this.flush();
    this.#stopIfDone();
  }

  /** Takes an answer of the learner, unless the time is over or the answers are being submitted. */
  answer(questionId: string, answer: Answer): void {
    const question = this.#questions.get(questionId);
    const { phase, checks } = this.#state;
    if (!question || phase !== "answering" || !isOpen(checks, questionId)) return;
    const elapsed = this.clock.elapsed();
    if (elapsed >= this.clock.duration) {
      this.#timeIsOver();
      return;
    }
    const { answers, queue, refusals } = this.#state;
    const { [questionId]: _, ...others } = refusals;
    this.#set({
      answers: { ...answers, [questionId]: answer },
      queue: rules.give(queue, questionId, answer, elapsed),
      refusal: null,
      refusals: others,
    });
    this.#keep(this.#copy.pending);
    if (isTyped(question)) this.#typing.typed(this.clock.left());
    else this.flush();
  }

  /** Checks an answer, which is fixed from then on. */
  async check(questionId: string): Promise<void> {
    const question = this.#questions.get(questionId);
    const { phase, checks, answers } = this.#state;
    if (!question || phase !== "answering" || !canCheck(checks, questionId)) return;
    const at = this.clock.elapsed();
    if (at >= this.clock.duration) return this.#timeIsOver();
    this.#set({ checks: beginCheck(checks, questionId) });
    const given = { answer: answers[questionId] ?? {}, at };
    const result = await this.options.server.check(this.options.running.ticket, question, given);
    // Another device may have ended the attempt meanwhile.
    if (this.#state.phase === "ended") return;
    if ("elapsed" in result && result.elapsed !== null) this.clock.take(result.elapsed);
    this.#set(afterCheck(this.#state, question, result));
    this.#keep(this.#copy.pending);
    if (result.kind === "checked") this.#confirmedAt = performance.now();
    else if (result.kind === "timeOver") this.#timeIsOver();
    else if (result.kind === "signedOut") this.#isSignedOut = true;
    else if (result.kind === "outdated") {
      this.#isOutdated = true;
      this.flush();
    }
  }

  /** Sends what is unsent now. */
  flush(): void {
    this.#typing.end();
    this.#isDue = true;
    this.#go();
  }

  /** Ends the attempt before its time. */
  submit(): void {
    if (this.#state.phase !== "answering") return;
    this.#set({ phase: "submitting", refusal: null });
    this.#holdSubmission();
    this.#clearRetry();
    this.flush();
  }

  /** Tries again at once what the server has not answered. */
  readonly resend = (): void => this.#wake(false);

  /** Takes what a response says. One without the attempt may be older than it, so the session reads the page itself before it ends. */
  follow(page: QuizPageState): void {
    const running = page.runningAttempt;
    if (running?.ticket === this.options.running.ticket) {
      this.clock.take(running.elapsedSeconds);
      const checked = takeChecks(this.#state, running);
      if (checked) {
        this.#set(checked);
        // Reads the answers of the other device.
        this.#compare();
        this.flush();
      }
      this.#watchEnd();
      return;
    }
    this.#isOutdated = true;
    this.flush();
  }

  get #state(): AttemptState {
    return this.#store.get();
  }

  #set(part: Partial<AttemptState>): void {
    this.#store.setState((state) => ({ ...state, ...part }));
    this.#guard();
  }

  get #hasLeft(): boolean {
    return this.#onEnd === null;
  }

  readonly #isSendable = (questionId: string, answer: Answer): boolean =>
    isSendableTo(this.#questions.get(questionId), answer);

  /** Tries again now. A device that was away may have slept, so the page is read first. */
  #wake(wasAway: boolean): void {
    this.#clearRetry();
    if (wasAway && !this.#isFresh()) this.#isOutdated = true;
    this.#watchEnd();
    this.flush();
  }

  /** Reads the answers that the server keeps. Until then the answers here are not shown as saved. */
  #compare(): void {
    if (this.#hasLeft || this.#state.phase !== "answering") return;
    this.#set({ isComparing: true });
  }

  #isFresh(): boolean {
    return performance.now() - this.#confirmedAt < FRESH_MS;
  }

  #clearRetry(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  #watchEnd(): void {
    const { phase } = this.#state;
    if (this.#hasLeft || phase === "over" || phase === "ended") this.#endTimer.stop();
    else this.#endTimer.watch();
  }

  #timeIsOver(): void {
    const { phase } = this.#state;
    if (phase === "over" || phase === "ended") return;
    this.#set({ phase: "over" });
    this.#clearRetry();
    this.flush();
  }

  #go(): void {
    this.#goesAgain = true;
    if (this.#state.phase !== "ended") this.#run ??= this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#goesAgain) {
        this.#goesAgain = false;
        let goesOn = true;
        while (goesOn) goesOn = await this.#sendNext();
      }
    } finally {
      this.#run = null;
      this.#stopIfDone();
    }
  }

  /** Sends the next request. Resolves to whether another one may follow at once. */
  async #sendNext(): Promise<boolean> {
    const { phase, queue } = this.#state;
    if (phase === "ended" || this.#isSignedOut || this.#retryTimer !== undefined) return false;
    if (this.#isOutdated) return this.#look();
    const batch = rules.nextBatch(queue, this.#isSendable);
    if (batch && this.#isDue) return this.#save(batch);
    if (this.#state.isComparing) return this.#look();
    if (batch) return false;
    return !this.#hasLeft && phase !== "answering" && this.#finish();
  }

  async #save(batch: rules.GivenAnswers): Promise<boolean> {
    this.#set({ queue: rules.sent(this.#state.queue, batch) });
    this.#isDue = false;
    const result = await this.options.server.save(this.options.running.ticket, batch, false);
    const { queue } = this.#state;
    // What is typed meanwhile waits for its own pause.
    this.#isDue ||= !this.#typing.isTyping;
    if ("elapsed" in result && result.elapsed !== null) this.clock.take(result.elapsed);
    switch (result.kind) {
      case "saved":
        this.#confirmedAt = performance.now();
        this.#set({ queue: rules.saved(queue), isUnreachable: false });
        this.#keep(this.#copy.pending);
        this.#watchEnd();
        if (
          result.fixed ||
          this.clock.elapsed() - rules.timeOf(batch) > LATE_SECONDS ||
          performance.now() - this.#comparedAt > COMPARE_MS
        )
          this.#compare();
        return true;
      case "timeOver":
        this.#set({ queue: rules.closed(queue, this.#isSendable), isUnreachable: false, phase: "over" });
        return true;
      case "refused": {
        const next = rules.refused(queue);
        const known = { ...this.#state.refusals };
        for (const id of rules.refusedIds(next)) if (id in batch) known[id] = result.message;
        this.#set({ queue: next, isUnreachable: false, refusals: known });
        return true;
      }
      default:
        return this.#failed(result);
    }
  }

  /** Submits, so that the server grades what it has. */
  async #finish(): Promise<boolean> {
    // A newer attempt may be running, started elsewhere, and a submission would end that one.
    if (!this.#isFresh()) return this.#look();
    const result = await this.options.server.submit(this.#holdSubmission());
    if (result.kind === "taken") {
      this.#end(result.attempt);
      return false;
    }
    if (result.kind === "refused" && this.#state.phase === "submitting") {
      this.#set({ phase: "answering", refusal: result.message });
      this.#keep(null);
      return false;
    }
    return this.#failed(result.kind === "refused" ? { kind: "unanswered" } : result);
  }

  /** Reads the page, which says whether the attempt is still running. */
  async #look(): Promise<boolean> {
    const result = await this.options.server.look();
    if (result.kind === "gone") {
      this.#end(null, result.error);
      return false;
    }
    if (result.kind !== "read")
      return this.#failed(result.kind === "signedOut" ? result : { kind: "unanswered" });
    this.#isOutdated = false;
    this.#confirmedAt = performance.now();
    this.#set({ isUnreachable: false });
    const { running } = this.options;
    const { runningAttempt, attempts } = result.page;
    if (runningAttempt?.ticket === running.ticket) {
      this.#take(runningAttempt);
      this.follow(result.page);
      return true;
    }
    // It ended elsewhere: by its time, in another window, or because a teacher deleted it.
    const last = attempts.at(-1);
    this.options.server.refreshCourse();
    this.#end(last && last.attemptNo >= running.attemptNo ? last : null);
    return false;
  }

  /** Shows the answers that the server keeps, in place of those that another device has replaced. */
  #take(running: RunningAttempt): void {
    this.#comparedAt = performance.now();
    this.#set(takeChecks(this.#state, running) ?? {});
    this.#set(takeStored(this.#state, this.options.questions, running.answers));
  }

  #failed(failure: Failure): boolean {
    const isUnreachable = failure.kind === "unanswered";
    const queue = rules.unanswered(this.#state.queue);
    this.#set({ isUnreachable, queue });
    if (failure.kind === "signedOut") {
      this.#isSignedOut = true;
      return false;
    }
    if (!isUnreachable) this.#isOutdated = true;
    // The page is read at once. If it does not explain the failure, the next try waits.
    const delay = isUnreachable || queue.failures > 1 ? rules.retryDelay(queue.failures) : 0;
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      this.flush();
    }, delay);
    return false;
  }

  /** The submission, which keeps its id until it is answered. */
  #holdSubmission(): Pending {
    const { phase, answers, queue } = this.#state;
    // Only what could not be saved: another device may have saved newer answers. After the end of the time the server ignores answers.
    const unsaved = phase === "submitting" ? Object.keys(queue.unsent) : [];
    const questions = unsaved.flatMap((id) => this.#questions.get(id) ?? []);
    const pending = {
      submissionId: this.#copy.pending?.submissionId ?? newId(),
      version: this.options.page.version,
      answers: this.options.times.withSeconds(toInput(questions, answers)),
    };
    this.#keep(pending);
    return pending;
  }

  /** Keeps a copy on this device. */
  #keep(pending: Pending | null): void {
    const isKept = this.#copy.keep(this.#state.queue, pending, this.#state.answers);
    if (isKept !== this.#state.isKept) this.#set({ isKept });
  }

  /** The page is being closed: its last requests go on without it, beside one that may be running. */
  #sendLast(): void {
    for (const batch of rules.batches(this.#state.queue, this.#isSendable))
      void this.options.server.save(this.options.running.ticket, batch, true);
  }

  /** Asks before the page is closed with answers that the server would still accept. */
  #guard(): void {
    const isUnsaved = () => this.#state.phase !== "ended" && !this.isSettled() && this.clock.graceLeft() > 0;
    if (isUnsaved()) this.#endGuard ??= guardUnsaved({ isUnsaved, settle: () => this.#settle() });
    else this.#dropGuard();
  }

  #dropGuard(): void {
    this.#endGuard?.();
    this.#endGuard = null;
  }

  async #settle(): Promise<void> {
    this.flush();
    await this.#run;
  }

  #end(attempt: Attempt | null, failure?: unknown): void {
    if (this.#state.phase === "ended") return;
    const isTimeOver = this.#state.phase === "over" || this.clock.left() <= 0;
    const queue = rules.closed(this.#state.queue, this.#isSendable);
    this.#set({ phase: "ended", queue });
    // A page that cannot be read now may come back with its attempt.
    if (failure === undefined) {
      this.#copy.forget();
      this.options.times.forget();
    }
    this.#stop();
    const lost = attempt ? countLost(queue.lost, attempt, this.options.questions) : 0;
    this.#onEnd?.({ attempt, isTimeOver, lost, ...(failure !== undefined && { failure }) });
  }

  #stopIfDone(): void {
    if (this.#hasLeft && (this.#isSignedOut || this.isSettled())) this.#stop();
  }

  #stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#typing.end();
    this.#clearRetry();
    this.#endTimer.stop();
    this.#dropGuard();
  }
}
