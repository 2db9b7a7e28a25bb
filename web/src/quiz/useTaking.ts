import type { ApolloClient } from "@apollo/client";
import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError } from "../api/apiError";
import { refreshLocked } from "../course/unlock";
import { newId } from "../ui/newId";
import { toastFailure } from "../ui/toasts";
import { toInput } from "./answers";
import { type Changes, changesSince, keptAnswers, printsOf } from "./changes";
import { type Draft, dropDraft, loadDraft, type Pending, saveDraft } from "./draft";
import type { Answer, Answers, Attempt, Question, QuizPageState } from "./model";
import { SubmitQuizDocument, TryQuizDocument } from "./QuizState.generated";
import { refreshQuiz } from "./refreshQuiz";
import type { Checks } from "./stepwise/checks";
import { takenAttempt } from "./takenAttempt";
import { AttemptTimes } from "./time/AttemptTimes";
import { useTriesDraft } from "./triesDraft";

/** `take`: a learner's attempt, which is stored and counts. `try`: an attempt of staff, which is not stored. `look`: a preview, which takes no answers. */
export type Mode = "take" | "try" | "look";

interface Work {
  /** Version of the page that the answers belong to. */
  version: number;
  answers: Answers;
  prints: Draft["prints"];
  pending: Pending | null;
  /** The author's change of the quiz during the attempt. */
  changes: Changes | null;
}

export interface Taking {
  answers: Answers;
  changes: Changes | null;
  /** Submitted and not answered yet. */
  isSending: boolean;
  /** Submitted without an answer; sent again when the network is back or the learner asks. */
  isWaiting: boolean;
  /** Until when the server accepts the answers; null or missing without an end. */
  acceptedUntil?: string | null;
  /** Rises for a question whose answer was replaced by that of another device. */
  revisions?: Readonly<Record<string, number>>;
  /** The server's reason to refuse the answers. */
  refusal: string | null;
  /** The server's reasons to refuse single answers, by question id. */
  refusals?: Readonly<Record<string, string>>;
  /** Whether the answers are stored on this device; null where none are stored. */
  isKept: boolean | null;
  /** The time per question; null where it is not measured. */
  times: AttemptTimes | null;
  /** Where questions are checked one by one: what is checked, and how to check an answer. */
  steps?: Steps;
  answer: (questionId: string, answer: Answer) => void;
  submit: () => void;
  resend: () => void;
}

export interface Steps {
  checks: Checks;
  check: (questionId: string) => void;
}

interface Options {
  page: QuizPageState;
  questions: readonly Question[];
  userId: string;
  mode: Mode;
  /** Called with the attempt and the questions that it answered. */
  onTaken: (attempt: Attempt, questions: readonly Question[]) => void;
}

/** An attempt in progress: its answers, their copy on this device, and their submission, which reaches the server exactly once. */
export function useTaking({ page, questions, userId, mode, onTaken }: Options): Taking {
  const client = useApolloClient();
  const triesDraft = useTriesDraft();
  const [work, setWork] = useState(() =>
    begun(page, questions, mode === "take" ? loadDraft(userId, page.id) : null),
  );
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isKept, setKept] = useState<boolean | null>(null);
  const sending = useRef(false);
  const [times] = useState(() =>
    mode === "take"
      ? new AttemptTimes({ userId, pageId: page.id, attempt: String(page.quiz?.attemptNo) })
      : null,
  );

  /** The attempt that the answers belong to: another one may ask with other numbers. */
  const [attemptNo, setAttemptNo] = useState(page.quiz?.attemptNo);

  // A newer version of the page, or another attempt after one that was submitted elsewhere, keeps the answers that fit and reports the
  // changes. A submission in progress stays as it was sent.
  const isOther = page.quiz?.attemptNo !== attemptNo;
  if (!work.pending && (isOther || work.version !== page.version)) {
    setAttemptNo(page.quiz?.attemptNo);
    setWork(moved(work, page, questions));
  }

  const keep = (next: Work) => {
    setWork(next);
    if (mode !== "take") return;
    const { version, answers, prints, pending } = next;
    setKept(saveDraft(userId, page.id, { version, answers, prints, pending, savedAt: Date.now() }));
  };

  const send = async (pending: Pending, base: Work, isSecond = false): Promise<void> => {
    if (sending.current && !isSecond) return;
    sending.current = true;
    setSending(true);
    try {
      const { outcome, error, attempt, page: now } = await sent(client, mode, triesDraft, page.id, pending);
      if (outcome === "TAKEN" && attempt) {
        if (mode === "take") dropDraft(userId, page.id);
        times?.forget();
        onTaken(attempt, questions);
        return;
      }
      const open = { ...base, pending: null };
      const newQuestions = now.quiz?.questions ?? [];
      if (outcome === "QUIZ_CHANGED" && !isSecond && !changesSince(base.prints, newQuestions)) {
        // Nothing visible in the quiz has changed, only for example the page's text: no need to ask.
        const again = { ...pending, version: now.version, attemptNo: now.quiz?.attemptNo };
        const next = { ...open, version: now.version, pending: again };
        keep(next);
        return await send(again, next, true);
      }
      keep(outcome === "QUIZ_CHANGED" ? moved(open, now, newQuestions) : open);
      setRefusal(outcome === "QUIZ_CHANGED" ? null : (error ?? null));
    } catch (failure) {
      const problem = ApiError.from(failure);
      // The server may have stored the submission, so exactly the same one must be sent again.
      if (mode === "take" && (problem.isUnreachable || problem.status >= 500 || problem.isAborted)) return;
      keep({ ...base, pending: null });
      toastFailure(failure);
      // The quiz has been closed or locked meanwhile: the screen shows that.
      if (problem.status === 409) refreshQuiz(client, page.id);
    } finally {
      sending.current = false;
      setSending(false);
    }
  };

  const resend = () => {
    if (work.pending) void send(work.pending, work);
  };
  const sendAgain = useEffectEvent(resend);
  useEffect(() => {
    // A submission of an earlier visit that ended before the answer.
    sendAgain();
    const again = () => sendAgain();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, []);

  return {
    answers: work.answers,
    changes: work.changes,
    isSending,
    isWaiting: work.pending !== null && !isSending,
    refusal,
    isKept,
    times,
    answer: (questionId, answer) => {
      if (work.pending) return;
      setRefusal(null);
      keep({ ...work, answers: { ...work.answers, [questionId]: answer } });
    },
    submit: () => {
      if (work.pending || sending.current) return;
      const given = toInput(questions, work.answers);
      const pending = {
        submissionId: newId(),
        version: work.version,
        attemptNo: page.quiz?.attemptNo,
        answers: times?.withSeconds(given) ?? given,
      };
      // Stored before the call, so that the next visit can resend it if the page is closed now.
      const next = { ...work, pending };
      keep(next);
      void send(pending, next);
    },
    resend,
  };
}

function begun(page: QuizPageState, questions: readonly Question[], draft: Draft | null): Work {
  if (!draft) {
    const prints = printsOf(questions);
    return { version: page.version, answers: {}, prints, pending: null, changes: null };
  }
  const { version, answers, prints, pending } = draft;
  const work = { version, answers, prints, pending, changes: null };
  return pending ? work : moved(work, page, questions);
}

/** The attempt on the page's current version. */
function moved(work: Work, page: { version: number }, questions: readonly Question[]): Work {
  return {
    version: page.version,
    answers: keptAnswers(questions, work.answers),
    prints: printsOf(questions),
    pending: null,
    changes: changesSince(work.prints, questions) ?? work.changes,
  };
}

async function sent(client: ApolloClient, mode: Mode, triesDraft: boolean, pageId: string, pending: Pending) {
  const { submissionId, version, attemptNo, answers } = pending;
  if (mode === "try") {
    const { data } = await client.mutate({
      mutation: TryQuizDocument,
      variables: { input: { pageId, version, answers, draft: triesDraft } },
      // The cache holds what learners see.
      ...(triesDraft && { fetchPolicy: "no-cache" as const }),
    });
    if (!data) throw new TypeError("The server answered with nothing");
    return data.tryQuiz;
  }
  const { data } = await client.mutate({
    mutation: SubmitQuizDocument,
    variables: { input: { pageId, version, attemptNo, answers, submissionId } },
  });
  if (!data) throw new TypeError("The server answered with nothing");
  const { lesson, course, outcome, error, page } = data.submitQuiz;
  if (lesson?.isCompleted && course) refreshLocked(client, course.id);
  return { outcome, error, page, attempt: takenAttempt(data.submitQuiz) };
}
