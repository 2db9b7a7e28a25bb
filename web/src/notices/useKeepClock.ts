import type { ApolloClient } from "@apollo/client";
import { useApolloClient, useQuery } from "@apollo/client/react";
import { useEffect } from "react";
import { MeDocument } from "../shell/Me.generated";
import { keepJson, readJson } from "../ui/localJson";
import { browserClock } from "./browserClock";
import { NoticeClockDocument, StoreNoticeClockDocument } from "./Clock.generated";

/** The local storage key of the person whose language and time zone the server knows. */
const KEY = "notice-clock";
/** The first screen comes first. */
const DELAY_MS = 5000;

/**
 * Tells the server once in which language and time zone the user reads mails, unless something was chosen: mails of the morning would come
 * at another time.
 */
export function useKeepClock(): void {
  const client = useApolloClient();
  const userId = useQuery(MeDocument).data?.me.id;
  useEffect(() => {
    if (!userId || readJson(KEY) === userId) return;
    const timer = setTimeout(() => {
      // Tried again with the next start of the app.
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
