import { useApolloClient, useSubscription } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { onReconnect } from "../../api/live";
import { EditPageDocument, type EditPageQuery } from "../EditPage.generated";
import type { PageSaver } from "../PageSaver";
import { Follower } from "./Follower";
import { PageChangedDocument, PageEditorsDocument, PageVersionDocument } from "./LivePage.generated";
import { othersOf, type Present } from "./others";

/** An editor of this window: its saver, and how it names itself to the server. */
export interface OpenEditor {
  session: string;
  saver: PageSaver;
}

export interface LivePage {
  /** Who else has the page open. */
  present: readonly Present[];
  /** Whose text came in last, as long as nothing was written here since. */
  followed: string | null;
  isDeleted: boolean;
}

/** The page as others change it; what they save comes by `onTheirs` while nothing is unsaved here. */
export function useLivePage(
  pageId: string,
  userId: string,
  editor: OpenEditor | null,
  onTheirs: (page: EditPageQuery["page"]) => void,
): LivePage {
  const client = useApolloClient();
  const [followed, setFollowed] = useState<string | null>(null);
  const [isDeleted, setDeleted] = useState(false);
  const [follower, setFollower] = useState<Follower | null>(null);
  const show = useRef(onTheirs);
  show.current = onTheirs;
  useEffect(() => {
    if (!editor) return;
    const made = new Follower(editor.saver, {
      read: async () => {
        const variables = { id: pageId };
        const answer = client.query({ query: EditPageDocument, variables, fetchPolicy: "network-only" });
        return (await answer).data?.page;
      },
      show: (page, by) => {
        show.current(page);
        setFollowed(by);
      },
      onOwnText: () => setFollowed(null),
    });
    setFollower(made);
    return () => made.stop();
  }, [client, pageId, editor]);

  useSubscription(PageChangedDocument, {
    variables: { pageId },
    skip: editor === null,
    ignoreResults: true,
    onData: ({ data }) => {
      const change = data.data?.pageChanged;
      if (!change || change.userSessionId === editor?.session) return;
      if (change.kind === "DELETED") setDeleted(true);
      // Otherwise it went elsewhere or was published, and the cache shows that everywhere.
      else if (change.kind !== "ARRANGED")
        follower?.notice(change.version ?? 0, change.editor?.fullName ?? null);
    },
  });
  const editors = useSubscription(PageEditorsDocument, {
    variables: { pageId, session: editor?.session ?? "" },
    skip: editor === null,
  }).data?.pageEditors;

  // What was saved before the page was watched, or while the connection was lost, was not told.
  const isWatched = editors !== undefined;
  useEffect(() => {
    if (!follower || !isWatched) return;
    const ask = () => {
      const variables = { id: pageId };
      client.query({ query: PageVersionDocument, variables, fetchPolicy: "no-cache" }).then(
        ({ data }) => data && follower.notice(data.page.version, null),
        () => {
          // Unreachable: the connection comes back and it is asked again.
        },
      );
    };
    ask();
    return onReconnect(ask);
  }, [client, pageId, follower, isWatched]);

  return { present: othersOf(editors, editor?.session, userId), followed, isDeleted };
}
