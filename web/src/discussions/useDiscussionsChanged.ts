import { useSubscription } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef } from "react";
import { useReadAgain } from "../unpublished/useReadAgain";
import { DiscussionsChangedDocument } from "./Discussions.generated";

/** Several events of one change are answered by one request. */
const QUIET_MS = 250;

/**
 * Calls `read` after changes of the discussions under a page, of one discussion if it is given, and when the window is entered or the network
 * is back.
 */
export function useDiscussionsChanged(
  courseId: string,
  pageId: string | undefined,
  read: () => Promise<unknown>,
  discussionId?: string,
): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Without an answer, what is shown stays.
  const readNow = useEffectEvent(() => void read().catch(() => {}));
  useEffect(() => () => clearTimeout(timer.current), []);
  useReadAgain(read);
  useSubscription(DiscussionsChangedDocument, {
    variables: { courseId, pageId: pageId ?? null },
    skip: pageId === undefined,
    ignoreResults: true,
    onData: ({ data }) => {
      const change = data.data?.discussionsChanged;
      if (!change || (discussionId !== undefined && change.discussionId !== discussionId)) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => readNow(), QUIET_MS);
    },
  });
}
