import { useApolloClient, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { AnswersDocument, type AnswersQueryVariables } from "./Discussions.generated";
import type { Post } from "./discussion";

/** Answers of a part; at most two parts are on the screen, so that thousands of answers do not slow it down. */
export const PART = 50;

interface Window {
  skip: number;
  first: number;
  /** An answer in place of `skip`. */
  at: string | null;
}

export type ShownAnswers = ReturnType<typeof useAnswers>;

/** A window of the answers to a question, which moves over all of them. It begins at the first answer, or where the named answer is. */
export function useAnswers(discussionId: string, answerId: string | null) {
  const client = useApolloClient();
  const [window, setWindow] = useState<Window>({ skip: 0, first: PART, at: answerId });
  const [wanted, setWanted] = useState(answerId);
  if (answerId !== wanted) {
    setWanted(answerId);
    if (answerId) setWindow({ skip: 0, first: PART, at: answerId });
  }
  const variables: AnswersQueryVariables = { id: discussionId, ...window };
  const { data, previousData, error, refetch, loading } = useQuery(AnswersDocument, {
    variables,
    fetchPolicy: "cache-and-network",
    nextFetchPolicy: "cache-first",
  });
  // The earlier window stays until the next one is there.
  const shown = [data, previousData].find((read) => read?.discussion.id === discussionId)?.discussion.answers;
  const skip = (shown?.nodes[0]?.number ?? 1) - 1;
  const total = shown?.totalCount ?? 0;
  const move = (to: Omit<Window, "at">) => setWindow({ ...to, at: null });
  return {
    /** Undefined until they were read. */
    posts: shown?.nodes,
    total,
    error: shown ? undefined : error,
    /** Why the next part could not be read. */
    moreError: shown && !data ? error : undefined,
    retry: () => void refetch().catch(() => undefined),
    isLoading: loading && !data,
    earlier: skip,
    later: shown ? Math.max(0, total - skip - shown.nodes.length) : 0,
    showEarlier: () => move({ skip: Math.max(0, skip - PART), first: 2 * PART }),
    showLater: () =>
      move(window.first > PART ? { skip: skip + PART, first: 2 * PART } : { skip, first: 2 * PART }),
    showLast: () => move({ skip: Math.floor(Math.max(0, total - 1) / PART) * PART, first: PART }),
    showAt: (at: string) => setWindow({ skip: 0, first: PART, at }),
    /** Shows an answer that was sent. */
    reveal: ({ id, number }: Post) => {
      if (number > skip + window.first) setWindow({ skip: 0, first: PART, at: id });
      else void refetch().catch(() => undefined);
    },
    readAgain: () =>
      client.query({
        query: AnswersDocument,
        variables,
        fetchPolicy: "network-only",
        // A request sent before an event must not be reused after it.
        context: { queryDeduplication: false },
      }),
  };
}
