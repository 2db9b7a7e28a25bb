import type { ApolloClient } from "@apollo/client";
import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError } from "../api/apiError";
import { newId } from "../ui/newId";
import { toastFailure } from "../ui/toasts";
import { toInput } from "./answers";
import { type Changes, changesSince, keptAnswers, printsOf } from "./changes";
import { type Draft, dropDraft, loadDraft, type Pending, saveDraft } from "./draft";
import type { Answer, Answers, Attempt, Question, QuizPageState } from "./model";
import { SubmitQuizDocument, TryQuizDocument } from "./QuizState.generated";

/** A learner's attempt is kept and counts; a try-out of staff does neither. */
export type Mode = "take" | "try";

interface Work {
  /** Of the page the answers are to. */
  version: number;
  answers: Answers;
  prints: Draft["prints"];
  pending: Pending | null;
  /** The author changed the quiz meanwhile. */
  changes: Changes | null;
}

export interface Taking {
  answers: Answers;
  changes: Changes | null;
  /** Sent, and no answer yet. */
  isSending: boolean;
  /** Sent, and no answer came: it is sent again when the network is back, or when the learner asks. */
  isWaiting: boolean;
  /** What keeps the answers from being taken, in the server's words. */
  refusal: string | null;
  /** Whether the answers are safe on this device; null when they need not be. */
  isKept: boolean | null;
  answer: (questionId: string, answer: Answer) => void;
  submit: () => void;
  resend: () => void;
}

interface Options {
  page: QuizPageState;
  questions: readonly Question[];
  userId: string;
  mode: Mode;
  /** The attempt, and the questions that it answered. */
  onTaken: (attempt: Attempt, questions: readonly Question[]) => void;
}

/** Somebody working at a quiz: what they answered so far, where it is kept, and how it gets to the server once. */
export function useTaking({ page, questions, userId, mode, onTaken }: Options): Taking {
  const client = useApolloClient();
  const [work, setWork] = useState(() =>
    begun(page, questions, mode === "take" ? loadDraft(userId, page.id) : null),
  );
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isKept, setKept] = useState<boolean | null>(null);
  const sending = useRef(false);

  // A newer page came: what fits is kept, and what changed is said. What waits for its answer stays as it was sent.
  if (work.version !== page.version && !work.pending) setWork(moved(work, page, questions));

  const keep = (next: Work) => {
    setWork(next);
    if (mode === "try") return;
    const { version, answers, prints, pending } = next;
    setKept(saveDraft(userId, page.id, { version, answers, prints, pending, savedAt: Date.now() }));
  };

  const send = async (pending: Pending, base: Work, isSecond = false): Promise<void> => {
    if (sending.current && !isSecond) return;
    sending.current = true;
    setSending(true);
    try {
      const { outcome, error, attempt, page: now } = await sent(client, mode, page.id, pending);
      if (outcome === "TAKEN" && attempt) {
        if (mode === "take") dropDraft(userId, page.id);
        onTaken(attempt, questions);
        return;
      }
      const open = { ...base, pending: null };
      const newQuestions = now.quiz?.questions ?? [];
      if (outcome === "QUIZ_CHANGED" && !isSecond && !changesSince(base.prints, newQuestions)) {
        // Only what the learner does not see has changed, such as the page's text: nothing to ask them about.
        const again = { ...pending, version: now.version };
        const next = { ...open, version: now.version, pending: again };
        keep(next);
        return await send(again, next, true);
      }
      keep(outcome === "QUIZ_CHANGED" ? moved(open, now, newQuestions) : open);
      setRefusal(outcome === "QUIZ_CHANGED" ? null : (error ?? null));
    } catch (failure) {
      const problem = ApiError.from(failure);
      // No answer: it may have been taken or not, so the same submission has to be sent again, and nothing else.
      if (mode === "take" && (problem.isUnreachable || problem.status >= 500 || problem.isAborted)) return;
      keep({ ...base, pending: null });
      toastFailure(failure);
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
    // Left over from a visit that ended before the answer came.
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
    answer: (questionId, answer) => {
      if (work.pending) return;
      setRefusal(null);
      keep({ ...work, answers: { ...work.answers, [questionId]: answer } });
    },
    submit: () => {
      if (work.pending || sending.current) return;
      const pending = {
        submissionId: newId(),
        version: work.version,
        answers: toInput(questions, work.answers),
      };
      // Before the call: should the page be closed now, the next visit knows what to ask for.
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

/** The work at the page as it is now. */
function moved(work: Work, page: { version: number }, questions: readonly Question[]): Work {
  return {
    version: page.version,
    answers: keptAnswers(questions, work.answers),
    prints: printsOf(questions),
    pending: null,
    changes: changesSince(work.prints, questions) ?? work.changes,
  };
}

async function sent(client: ApolloClient, mode: Mode, pageId: string, pending: Pending) {
  const { submissionId, version, answers } = pending;
  if (mode === "try") {
    const { data } = await client.mutate({
      mutation: TryQuizDocument,
      variables: { input: { pageId, version, answers } },
    });
    if (!data) throw new TypeError("The server answered with nothing");
    return data.tryQuiz;
  }
  const { data } = await client.mutate({
    mutation: SubmitQuizDocument,
    variables: { input: { pageId, version, answers, submissionId } },
  });
  if (!data) throw new TypeError("The server answered with nothing");
  return data.submitQuiz;
}
