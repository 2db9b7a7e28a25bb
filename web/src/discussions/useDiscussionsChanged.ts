import { useSubscription } from "@apollo/client/react";
import { useRef } from "react";
import { useBurst } from "../ui/useBurst";
import { useReadAgain } from "../unpublished/useReadAgain";
import { DiscussionsChangedDocument } from "./Discussions.generated";

/** Several events of one change are answered together. */
const QUIET_MS = 250;
/** Events without a pause are answered after this time at the latest. */
const LATEST_MS = 2000;

interface Options {
  /** Called with the discussions that were changed, deleted ones too. */
  onChange: (ids: readonly string[]) => Promise<unknown>;
  /** Called when events may have been missed: when the window is entered, and when the network is back. */
  onAgain: () => Promise<unknown>;
}

/** Follows the discussions under a page; nothing without a page. */
export function useDiscussionsChanged(
  courseId: string,
  pageId: string | undefined,
  { onChange, onAgain }: Options,
): void {
  const changed = useRef(new Set<string>());
  const tellSoon = useBurst(
    () => {
      const ids = [...changed.current];
      changed.current.clear();
      // Without an answer, what is shown stays.
      void onChange(ids).catch(() => {});
    },
    QUIET_MS,
    LATEST_MS,
  );
  useReadAgain(async () => {
    if (pageId !== undefined) await onAgain();
  });
  useSubscription(DiscussionsChangedDocument, {
    variables: { courseId, pageId: pageId ?? null },
    skip: pageId === undefined,
    ignoreResults: true,
    onData: ({ data }) => {
      const change = data.data?.discussionsChanged;
      if (!change) return;
      changed.current.add(change.discussionId);
      tellSoon();
    },
  });
}
