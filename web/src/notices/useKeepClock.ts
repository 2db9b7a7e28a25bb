import type { ApolloClient } from "@apollo/client";
import { useApolloClient, useQuery } from "@apollo/client/react";
import { useEffect } from "react";
import { isGuest } from "../api/session";
import { MeDocument } from "../shell/Me.generated";
import { keepJson, readJson } from "../ui/localJson";
import { browserClock } from "./browserClock";
import { NoticeClockDocument, StoreNoticeClockDocument } from "./Clock.generated";

/** The local storage key for the ID of the user whose language and time zone were stored. */
const KEY = "notice-clock";
/** The delay, so that the first screen loads first. */
const DELAY_MS = 5000;

/**
 * Stores the language and time zone of the browser once per device, unless settings are stored. Without them, morning mails would arrive at the
 * wrong time. Guests get no mails.
 */
export function useKeepClock(): void {
  const client = useApolloClient();
  const userId = useQuery(MeDocument).data?.me.id;
  useEffect(() => {
    if (!userId || isGuest() || readJson(KEY) === userId) return;
    const timer = setTimeout(() => {
      // Retried at the next start of the app.
      keepClock(client).then(
        () => keepJson(KEY, userId),
        () => undefined,
      );
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [client, userId]);
}

async function keepClock(client: ApolloClient): Promise<void> {
  const { data, error } = await client.query({ query: NoticeClockDocument, fetchPolicy: "no-cache" });
  if (!data) throw error;
  if (!data.noticePreferences.isStored)
    await client.mutate({
      mutation: StoreNoticeClockDocument,
      variables: { input: browserClock() },
      fetchPolicy: "no-cache",
    });
}
