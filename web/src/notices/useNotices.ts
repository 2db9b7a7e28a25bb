import { useQuery } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { toastFailure } from "../ui/toasts";
import { extended, renewed } from "./grouping";
import { NoticesDocument } from "./Notices.generated";
import { noticeState, setUnread } from "./state";

/** Several changes at once are answered by one request. */
const QUIET_MS = 200;

/** The user's notices, kept up to date: all that were loaded, or only the unread ones. */
export function useNotices(unreadOnly: boolean) {
  const { data, error, loading, refetch, client, updateQuery, fetchMore } = useQuery(NoticesDocument, {
    variables: { unreadOnly, after: null },
    fetchPolicy: "cache-and-network",
  });
  const list = data?.notices;
  const changes = useSelector(noticeState, (state) => state.changes);
  const [isLoadingMore, setLoadingMore] = useState(false);

  // What the cache has may be older than what the bell knows.
  const unread = loading ? undefined : list?.unread;
  useEffect(() => {
    if (unread !== undefined) setUnread(unread);
  }, [unread]);

  const readAgain = useEffectEvent(async () => {
    const { data: newest } = await client.query({
      query: NoticesDocument,
      variables: { unreadOnly, after: null },
      fetchPolicy: "no-cache",
    });
    if (!newest) return;
    updateQuery((_, shown) => ({
      notices: shown.complete ? renewed(shown.previousData.notices, newest.notices) : newest.notices,
    }));
  });
  const seen = useRef(changes);
  useEffect(() => {
    if (seen.current === changes) return;
    const timer = setTimeout(() => {
      seen.current = changes;
      // Without an answer, what is shown stays.
      readAgain().catch(() => undefined);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [changes]);

  const next = list?.next ?? null;
  const more = async () => {
    setLoadingMore(true);
    try {
      await fetchMore({
        variables: { after: next },
        updateQuery: (shown, { fetchMoreResult }) => ({
          notices: extended(shown.notices, fetchMoreResult.notices),
        }),
      });
    } catch (failure) {
      toastFailure(failure);
    } finally {
      setLoadingMore(false);
    }
  };
  // A part may be empty: it leaves out what the user may not read any more.
  const isEmptyPart = list !== undefined && list.items.length === 0 && next !== null;
  const readOn = useEffectEvent(() => void more());
  useEffect(() => {
    if (isEmptyPart) readOn();
  }, [isEmptyPart]);

  return {
    items: isEmptyPart ? undefined : list?.items,
    hasMore: next !== null,
    isLoadingMore,
    more,
    error: list ? undefined : error,
    retry: () => void refetch().catch(() => undefined),
  };
}
