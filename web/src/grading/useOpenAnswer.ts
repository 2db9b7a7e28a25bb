import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent, useState } from "react";
import { ClaimAnswerDocument } from "./Grading.generated";
import type { OpenAnswer } from "./queue";

/** How often an open answer is claimed again, in milliseconds. A claim lasts for two minutes. */
const RENEW_MS = 60_000;

/** The answers that were shown as the server handed them out; whoever returns to one gets it as it is by then. */
const shown = new WeakSet<OpenAnswer>();

/** An answer that is open on this screen: other graders see that, as long as the screen is in sight. */
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
