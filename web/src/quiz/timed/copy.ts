import { fitted } from "../answers";
import { printsOf } from "../changes";
import { dropDraft, loadDraft, type Pending, saveDraft } from "../draft";
import type { Answers, Question, QuizPageState } from "../model";
import { beginQueue, keptWith, type Queue } from "./queue";

/** What of a running attempt is on this device: its unsent answers, and its submission until it is answered. */
export class AttemptCopy {
  readonly #prints;
  #pending: Pending | null;
  /** The unsent answers that an earlier visit left. */
  readonly left: Queue;

  constructor(
    private readonly owner: { userId: string; page: QuizPageState; ticket: string },
    questions: readonly Question[],
  ) {
    this.#prints = printsOf(questions);
    const draft = this.#stored();
    this.#pending = draft?.pending ?? null;
    const { unsent = {}, lastAt = 0 } = draft?.timed ?? {};
    const fitting = questions.flatMap((question) => {
      const given = unsent[question.id];
      return given ? [[question.id, { ...given, answer: fitted(question, given.answer) ?? {} }]] : [];
    });
    this.left = beginQueue(Object.fromEntries(fitting), lastAt);
  }

  get pending(): Pending | null {
    return this.#pending;
  }

  /** Returns false when the storage is full or forbidden. */
  keep(answers: Answers, queue: Queue, pending: Pending | null): boolean {
    this.#pending = pending;
    const { userId, page, ticket } = this.owner;
    const unsent = keptWith(queue, this.#stored()?.timed?.unsent ?? {});
    return saveDraft(userId, page.id, {
      version: page.version,
      prints: this.#prints,
      answers,
      pending,
      savedAt: Date.now(),
      timed: { ticket, unsent, lastAt: queue.lastAt },
    });
  }

  /** Forgets the attempt, and not one that was started since. */
  forget(): void {
    if (this.#stored()) dropDraft(this.owner.userId, this.owner.page.id);
  }

  #stored() {
    const { userId, page, ticket } = this.owner;
    const draft = loadDraft(userId, page.id);
    return draft?.timed?.ticket === ticket ? draft : null;
  }
}
