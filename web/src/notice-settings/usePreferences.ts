import { useApolloClient, useQuery } from "@apollo/client/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Change, changed, type Preferences, replaces } from "./changes";
import {
  ChooseNoticesDocument,
  NoticePreferencesDocument,
  ResetNoticesDocument,
  SetNoticeSettingsDocument,
} from "./NoticeSettings.generated";

/** The outcome of the last change. */
export interface Outcome {
  state: "saving" | "saved" | "failed";
  change: Change;
}

/**
 * The preferences, including changes that are not stored yet. Changes are sent one at a time, so that no response is older than the screen.
 * A refused change is reverted and reported to `onRefused`.
 */
export function usePreferences(onRefused: (change: Change, error: unknown) => void) {
  const client = useApolloClient();
  const { data, error, refetch } = useQuery(NoticePreferencesDocument, { fetchPolicy: "cache-and-network" });
  const [waiting, setWaiting] = useState<readonly Change[]>([]);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const queue = useRef<Change[]>([]);
  const isSending = useRef(false);
  const refused = useRef(onRefused);
  useEffect(() => {
    refused.current = onRefused;
  });

  const send = useCallback(async () => {
    if (isSending.current) return;
    isSending.current = true;
    for (let change = queue.current[0]; change; change = queue.current[0]) {
      try {
        const noticePreferences = await store(client, change);
        client.writeQuery({ query: NoticePreferencesDocument, data: { noticePreferences } });
        setOutcome({ state: "saved", change });
      } catch (failure) {
        setOutcome({ state: "failed", change });
        refused.current(change, failure);
      }
      queue.current.shift();
      setWaiting([...queue.current]);
    }
    isSending.current = false;
  }, [client]);

  const change = useCallback(
    (next: Change) => {
      // The first change is being sent.
      queue.current = [...queue.current.filter((one, at) => at === 0 || !replaces(next, one)), next];
      setWaiting([...queue.current]);
      void send();
    },
    [send],
  );
  const stored = data?.noticePreferences;
  const last = waiting.at(-1);
  return {
    preferences: stored && waiting.reduce(changed, stored as Preferences),
    outcome: last ? { state: "saving" as const, change: last } : outcome,
    change,
    error: stored ? undefined : error,
    retry: () => void refetch().catch(() => undefined),
  };
}

async function store(client: ReturnType<typeof useApolloClient>, change: Change): Promise<Preferences> {
  const { what, input } = change;
  // The user may leave the page at once.
  const context = { fetchOptions: { keepalive: true } };
  if (what === "settings") {
    const { data } = await client.mutate({
      mutation: SetNoticeSettingsDocument,
      variables: { input },
      context,
    });
    if (data) return data.setNoticeSettings.preferences;
  } else if (what === "choose") {
    const { data } = await client.mutate({ mutation: ChooseNoticesDocument, variables: { input }, context });
    if (data) return data.chooseNotices.preferences;
  } else {
    const { data } = await client.mutate({ mutation: ResetNoticesDocument, variables: { input }, context });
    if (data) return data.resetNotices.preferences;
  }
  throw new Error("no data");
}
