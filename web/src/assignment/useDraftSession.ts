import { useApolloClient } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { DraftSession, type DraftState } from "./DraftSession";
import type { AssignmentPage } from "./model";

/**
 * The draft of an assignment; null while a copy from an earlier visit is restored from this device. When the component unmounts, the session
 * finishes saving and ends.
 */
export function useDraftSession(
  page: Pick<AssignmentPage, "id" | "draft" | "attempts">,
  userId: string,
): DraftSession | null {
  const client = useApolloClient();
  const [session, setSession] = useState<DraftSession | null>(null);
  const { draft } = page;
  const lastId = page.attempts.at(-1)?.id;
  /** What of the page the session has taken into account. */
  const known = useRef({ draft, lastId });
  // biome-ignore lint/correctness/useExhaustiveDependencies: one session for one page as it was read
  useLayoutEffect(() => {
    const opened = new DraftSession(client, page, userId);
    known.current = { draft, lastId };
    let isOpen = true;
    void opened.recover().then(() => isOpen && setSession(opened));
    return () => {
      isOpen = false;
      opened.leave();
    };
  }, [client, page.id, userId]);
  useEffect(() => {
    const before = known.current;
    // The page in the cache does not know what this session has saved, so only a change of it says anything.
    if (!session || (before.draft === draft && before.lastId === lastId)) return;
    known.current = { draft, lastId };
    session.follow(draft, before.lastId !== lastId);
  }, [session, draft, lastId]);
  return session;
}

/** The state of a draft, which changes with every key press. */
export function useDraft(session: DraftSession): DraftState {
  return useSelector(session.state);
}
