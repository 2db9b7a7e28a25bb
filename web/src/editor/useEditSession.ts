import { useApolloClient } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useLayoutEffect, useState } from "react";
import type { EditedPage } from "./EditPage";
import { EditSession, type EditState } from "./EditSession";

/** The session of an open page; null until the first layout. It is left, and finishes saving, when the component unmounts. */
export function useOpenSession(page: EditedPage, userId: string): EditSession | null {
  const client = useApolloClient();
  const [session, setSession] = useState<EditSession | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one session for one page as it was read
  useLayoutEffect(() => {
    const opened = new EditSession(client, page, userId);
    setSession(opened);
    return () => opened.leave();
  }, [client, page.id, userId]);
  return session;
}

/**
 * The chosen part of a session's state. The state changes with every key press, so a component renders again only when its own part
 * changes; `isSettled` and `status` change with the first key press after each save, so large components choose neither.
 */
export function useEditSession<T extends object>(session: EditSession, choose: (state: EditState) => T): T {
  return useSelector(session.state, choose, { compare: isSame });
}

function isSame<T extends object>(a: T, b: T): boolean {
  return Object.keys(a).every((key) => a[key as keyof T] === b[key as keyof T]);
}
