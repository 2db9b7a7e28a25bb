import { useQuery } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { toastFailure } from "../ui/toasts";
import { extended, renewed } from "./grouping";
import { NoticesDocument } from "./Notices.generated";
import { noticeState, setUnread } from "./state";

/** Several changes within this time cause one request. */
const QUIET_MS = 200;

/** The user's notices, all or only unread ones, kept up to date. */
export function useNotices(unreadOnly: boolean) {
  const { data, error, loading, refetch, client, updateQuery, fetchMore } = useQuery(NoticesDocument, {
    variables: { unreadOnly, after: null },
    fetchPolicy: "cache-and-network",
  });
  const list = data?.notices;
  const changes = useSelector(noticeState, (state) => state.changes);
  const [isLoadingMore, setLoadingMore] = useState(false);

  // A cached number may be older than that of the bell.
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
      // If the request fails, the list stays as it is.
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
  // A page of the list may be empty, because unreadable notices are left out.
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
