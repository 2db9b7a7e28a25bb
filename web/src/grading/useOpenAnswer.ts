import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent, useState } from "react";
import { ClaimAnswerDocument } from "./Grading.generated";
import type { OpenAnswer } from "./queue";

/** How often an open answer is claimed again, in milliseconds. A claim lasts for two minutes. */
const RENEW_MS = 60_000;

/** Answers that were shown as the server assigned them; returning to one reads its current state. */
const shown = new WeakSet<OpenAnswer>();

/** Reads an answer and renews the claim on it while the screen is visible, so that other graders see that it is open. */
export function useOpenAnswer(attemptId: string, questionId: string, given: OpenAnswer | null) {
  const client = useApolloClient();
  const [answer, setAnswer] = useState<OpenAnswer | null>(given);
  const [error, setError] = useState<unknown>();
  const claim = async () => {
    try {
      const { data } = await client.mutate({
        mutation: ClaimAnswerDocument,
        variables: { input: { attemptId, questionId } },
        fetchPolicy: "no-cache",
      });
      if (data) setAnswer(data.claimAnswer.answer);
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  };
  const claimNow = useEffectEvent(() => void claim());
  const isFresh = useEffectEvent(() => {
    if (!given || shown.has(given)) return false;
    shown.add(given);
    return true;
  });
  useEffect(() => {
    if (!isFresh()) claimNow();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") claimNow();
    }, RENEW_MS);
    return () => clearInterval(timer);
  }, []);
  return { answer, error, reload: () => void claim(), put: setAnswer };
}
