import type { ApolloClient } from "@apollo/client";
import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiError } from "../api/apiError";
import { refreshLocked } from "../course/unlock";
import { toInput } from "../quiz/answers";
import { changesSince, printsOf } from "../quiz/changes";
import type { Pending } from "../quiz/draft";
import { refreshQuiz } from "../quiz/refreshQuiz";
import { useTriesDraft } from "../quiz/triesDraft";
import { newId } from "../ui/newId";
import { failureText } from "../ui/toasts";
import { AssignmentPageDocument, HandInDocument, TryHandInDocument } from "./Assignment.generated";
import type { DraftSession } from "./DraftSession";
import { type DraftText, dividedBy, isSame } from "./draftText";
import { type AssignmentPage, type HandInQuestion, handInOf, type Version } from "./model";

/** How far handing in is. */
export interface Submission {
  /** Sent and not answered yet. */
  isSending: boolean;
  /** Sent without an answer; sent again when the network is back or the learner asks. */
  isWaiting: boolean;
  /** The reason why the work was not accepted. */
  refusal: string | null;
  /** Whether the author has changed what is asked for since the form was opened. */
  isChanged: boolean;
  /** Hands in the text, unless it is not what the draft is now; resolves to the reason why it was not sent. */
  submit: (text: DraftText) => Promise<Difference | null>;
  resend: () => void;
  /** Call when the form is opened for a further version. */
  restart: () => void;
}

/** How the draft differs from the text on the screen: it was written apart elsewhere, or has got something from elsewhere. */
export type Difference = "conflict" | "merged";

interface Options {
  page: AssignmentPage;
  question: HandInQuestion;
  /** The draft that is handed in; null for a try-out of staff, which is not stored. */
  session: DraftSession | null;
  onTaken: (version: Version) => void;
}

/** Hands in the work; it reaches the server exactly once. */
export function useHandingIn({ page, question, session, onTaken }: Options): Submission {
  const client = useApolloClient();
  const triesDraft = useTriesDraft();
  const [isSending, setSending] = useState(false);
  /** A submission of an earlier visit that ended before the answer. */
  const [recovered] = useState<Pending | null>(() => session?.pending ?? null);
  const [pending, setPending] = useState(recovered);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [prints, setPrints] = useState(() => printsOf([question]));
  const sending = useRef(false);

  const reopen = () => {
    setPending(null);
    session?.endPending();
  };
  const send = async (sent: Pending, isSecond = false): Promise<void> => {
    try {
      await session?.stopSaving();
      const {
        outcome,
        error,
        attempt,
        page: now,
      } = await answerTo(client, { isStored: session !== null, triesDraft }, page.id, sent);
      if (outcome === "TAKEN" && attempt) {
        setPending(null);
        session?.handedIn();
        onTaken(attempt);
        return;
      }
      const asked = handInOf(now);
      const isOther = changesSince(prints, asked ? [asked] : []) !== null;
      if (outcome === "QUIZ_CHANGED" && !isSecond && !isOther) {
        // Only something else on the page has changed: no need to ask.
        const again = { ...sent, version: now.version };
        session?.keepPending(again);
        return await send(again, true);
      }
      reopen();
      setRefusal(outcome === "QUIZ_CHANGED" ? null : (error ?? null));
    } catch (failure) {
      const problem = ApiError.from(failure);
      // The server may have stored the work, so exactly the same submission must be sent again.
      if (session && (problem.isUnreachable || problem.status >= 500 || problem.isAborted)) {
        setPending(sent);
        return;
      }
      reopen();
      setRefusal(failureText(failure));
      // The assignment has been closed or locked meanwhile: the screen shows that.
      if (problem.status === 409) refreshQuiz(client, page.id, AssignmentPageDocument);
    }
  };
  /** Runs one submission at a time. */
  const run = async (work: () => Promise<void>) => {
    if (sending.current) return;
    sending.current = true;
    setSending(true);
    await work();
    sending.current = false;
    setSending(false);
  };

  // A submission of an earlier visit answered an unknown version of the question.
  const resend = () => void (pending && run(() => send(pending, pending === recovered)));
  const sendAgain = useEffectEvent(resend);
  useEffect(() => {
    sendAgain();
    const again = () => sendAgain();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, []);

  return {
    isSending,
    isWaiting: pending !== null && !isSending,
    refusal,
    isChanged: changesSince(prints, [question]) !== null,
    submit: async (text) => {
      let difference: Difference | null = null;
      await run(async () => {
        setRefusal(null);
        setPrints(printsOf([question]));
        await session?.stopSaving();
        difference = differenceOf(session, text);
        if (difference) {
          session?.resumeSaving();
          return;
        }
        const { content, files, links } = dividedBy(question, text).taken;
        const answers = toInput([question], {
          [question.id]: { content, files: [...files], links: [...links] },
        });
        const made = { submissionId: newId(), version: page.version, answers };
        // Stored before the call, so that the next visit can resend it if the page is closed now.
        session?.keepPending(made);
        await send(made);
      });
      return difference;
    },
    resend,
    restart: () => {
      setRefusal(null);
      setPrints(printsOf([question]));
    },
  };
}

/** The work that is handed in ends the draft, so nothing may be in it that the learner has not seen. */
function differenceOf(session: DraftSession | null, text: DraftText): Difference | null {
  if (!session) return null;
  if (session.state.get().problem?.kind === "conflict") return "conflict";
  return isSame(session.text, text) ? null : "merged";
}

async function answerTo(
  client: ApolloClient,
  { isStored, triesDraft }: { isStored: boolean; triesDraft: boolean },
  pageId: string,
  pending: Pending,
) {
  const { submissionId, version, answers } = pending;
  if (!isStored) {
    const { data } = await client.mutate({
      mutation: TryHandInDocument,
      variables: { input: { pageId, version, answers, draft: triesDraft } },
      // The cache holds what learners see.
      ...(triesDraft && { fetchPolicy: "no-cache" as const }),
    });
    if (!data) throw new TypeError("The server answered with nothing");
    return data.tryQuiz;
  }
  const { data } = await client.mutate({
    mutation: HandInDocument,
    variables: { input: { pageId, version, answers, submissionId } },
  });
  if (!data) throw new TypeError("The server answered with nothing");
  const { lesson, course } = data.submitQuiz;
  if (lesson?.isCompleted && course) refreshLocked(client, course.id);
  return data.submitQuiz;
}
