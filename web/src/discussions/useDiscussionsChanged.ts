import { useSubscription } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef } from "react";
import { useReadAgain } from "../unpublished/useReadAgain";
import { DiscussionsChangedDocument } from "./Discussions.generated";

/** Several events of one change are answered together. */
const QUIET_MS = 250;

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
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const changed = useRef(new Set<string>());
  // Without an answer, what is shown stays.
  const tell = useEffectEvent(() => {
    const ids = [...changed.current];
    changed.current.clear();
    void onChange(ids).catch(() => {});
  });
  useEffect(() => () => clearTimeout(timer.current), []);
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
      clearTimeout(timer.current);
      timer.current = setTimeout(() => tell(), QUIET_MS);
    },
  });
}
