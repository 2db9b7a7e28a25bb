import { forgetJson, forgetOldest, isObject, keepJson, readJson } from "../../ui/localJson";
import type { AnswerInput } from "../answers";
import { attended } from "./attention";
import { QuestionTimes, type Seconds } from "./QuestionTimes";

const PREFIX = "quiz-times:";
/** Limit on stored attempts; the least recently changed are deleted. */
const KEPT = 100;
/** How often, in milliseconds, the time is counted, and stored on this device. */
const COUNT_MS = 1000;
const KEEP_MS = 5000;
/** What a learner does. Movements come often, so they are counted no more than once in `COUNT_MS`. */
const ACTIONS = ["pointerdown", "keydown", "focusin", "input"] as const;
const MOVEMENTS = ["pointermove", "scroll", "wheel", "touchmove"] as const;

interface Owner {
  userId: string;
  pageId: string;
  /** Distinguishes the attempts at the page: a ticket, or a number. */
  attempt: string;
}

/** The active time per question of an attempt: measured on an open form, and kept on this device until the attempt ends. */
export class AttemptTimes {
  readonly #times: QuestionTimes;
  readonly #key: string;
  #count: (() => void) | null = null;
  #isOver = false;

  constructor(private readonly owner: Owner) {
    this.#key = `${PREFIX}${owner.userId}:${owner.pageId}`;
    this.#times = new QuestionTimes(this.#kept());
  }

  /** The answers with the time that was spent on their questions so far. */
  readonly withSeconds = (answers: readonly AnswerInput[]): AnswerInput[] => {
    this.#count?.();
    return answers.map((answer) => {
      const seconds = this.#times.secondsOf(answer.questionId);
      return seconds === undefined ? answer : { ...answer, seconds };
    });
  };

  /** Measures while the form with the questions is open. Returns a function that ends it. */
  watch(form: HTMLElement): () => void {
    const stops = new AbortController();
    const { signal } = stops;
    let used: string | null = null;
    let movedAt = Number.NEGATIVE_INFINITY;
    let keptAt = performance.now();
    const now = () => performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      const isOpen = !document.hidden && document.hasFocus();
      this.#times.attend(isOpen ? attendedIn(form, used) : null, now());
      clearTimeout(timer);
      timer = isOpen && !this.#times.isIdle(now()) ? setTimeout(count, COUNT_MS) : undefined;
      if (timer !== undefined && now() - keptAt < KEEP_MS) return;
      keptAt = now();
      this.#keep();
    };
    const act = (event: Event) => {
      used = questionOf(form, event.target) ?? used;
      this.#times.act(now());
      count();
    };
    const move = () => {
      if (now() - movedAt < COUNT_MS) return;
      movedAt = now();
      this.#times.act(now());
      if (timer === undefined) count();
    };
    const leave = () => {
      count();
      this.#keep();
    };
    for (const name of ACTIONS) window.addEventListener(name, act, { signal, capture: true, passive: true });
    for (const name of MOVEMENTS)
      window.addEventListener(name, move, { signal, capture: true, passive: true });
    window.addEventListener("focus", count, { signal });
    window.addEventListener("blur", leave, { signal });
    window.addEventListener("pagehide", leave, { signal });
    document.addEventListener("visibilitychange", leave, { signal });
    // Whoever opens the questions is here.
    this.#times.act(now());
    count();
    this.#count = count;
    return () => {
      this.#count = null;
      clearTimeout(timer);
      stops.abort();
      this.#times.attend(null, now());
      this.#keep();
    };
  }

  /** Forgets what this device keeps, after the attempt has ended. */
  forget(): void {
    this.#isOver = true;
    forgetJson(this.#key);
  }

  #keep(): void {
    const seconds = this.#times.all();
    if (this.#isOver || Object.keys(seconds).length === 0) return;
    keepJson(this.#key, { attempt: this.owner.attempt, seconds, savedAt: Date.now() });
    forgetOldest(PREFIX, KEPT, "savedAt");
  }

  #kept(): Seconds {
    const stored = readJson(this.#key);
    if (!isObject(stored) || stored.attempt !== this.owner.attempt || !isObject(stored.seconds)) return {};
    return Object.fromEntries(
      Object.entries(stored.seconds).filter(
        (entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] >= 0,
      ),
    );
  }
}

const QUESTION = "section[id^='question-']";
const idOf = (section: Element): string => section.id.slice("question-".length);

/** The question around an element of the form; null elsewhere. */
function questionOf(form: HTMLElement, target: unknown): string | null {
  const section = target instanceof Element ? target.closest(QUESTION) : null;
  return section && form.contains(section) ? idOf(section) : null;
}

function attendedIn(form: HTMLElement, used: string | null): string | null {
  const questions = [...form.querySelectorAll(QUESTION)].map((section) => {
    const { top, bottom } = section.getBoundingClientRect();
    return { id: idOf(section), top, bottom };
  });
  return attended(questions, [questionOf(form, document.activeElement), used], window.innerHeight);
}
