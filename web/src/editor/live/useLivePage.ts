import { useApolloClient, useSubscription } from "@apollo/client/react";
import { useEffect, useState } from "react";
import { onReconnect } from "../../api/live";
import { UnpublishedMarkOfDocument } from "../../unpublished/Unpublished.generated";
import { authored, authorVersion } from "../authored";
import { EditPageDocument } from "../EditPage.generated";
import type { EditSession } from "../EditSession";
import { Follower } from "./Follower";
import { PageChangedDocument, PageEditorsDocument } from "./LivePage.generated";
import { othersOf, type Present } from "./others";

export interface LivePage {
  /** The other people who have the page open. */
  present: readonly Present[];
  /** Name of the person whose text was shown last; null again after the first change here. */
  followed: string | null;
  isDeleted: boolean;
}

/** Watches the page for other editors' changes. The session shows what they save as long as it has no unsaved changes of its own. */
export function useLivePage(pageId: string, userId: string, session: EditSession): LivePage {
  const client = useApolloClient();
  const [followed, setFollowed] = useState<string | null>(null);
  const [isDeleted, setDeleted] = useState(false);
  const [follower, setFollower] = useState<Follower | null>(null);
  useEffect(() => {
    const created = new Follower(session.saver, {
      read: async () => {
        const variables = { id: pageId };
        const answer = client.query({ query: EditPageDocument, variables, fetchPolicy: "network-only" });
        const page = (await answer).data?.page;
        return page && authored(page);
      },
      show: (page, by) => {
        session.follow(page);
        setFollowed(by);
      },
      onOwnText: () => setFollowed(null),
    });
    setFollower(created);
    return () => created.stop();
  }, [client, pageId, session]);

  useSubscription(PageChangedDocument, {
    variables: { pageId },
    ignoreResults: true,
    onData: ({ data }) => {
      const change = data.data?.pageChanged;
      if (!change || change.userSessionId === session.id) return;
      if (change.kind === "DELETED") setDeleted(true);
      // The cache shows everywhere that a page was moved, published or changed beside its draft.
      else if (change.page) follower?.notice(authorVersion(change.page), change.editor?.fullName ?? null);
    },
  });
  const editors = useSubscription(PageEditorsDocument, {
    variables: { pageId, session: session.id },
  }).data?.pageEditors;

  // The subscription reports no saves from before it started or from while the connection was lost.
  const isWatched = editors !== undefined;
  useEffect(() => {
    if (!follower || !isWatched) return;
    const checkVersion = () => {
      const variables = { id: pageId };
      client.query({ query: UnpublishedMarkOfDocument, variables, fetchPolicy: "network-only" }).then(
        ({ data }) => data && follower.notice(authorVersion(data.page), null),
        () => {
          // Unreachable: the next reconnection asks again.
        },
      );
    };
    checkVersion();
    return onReconnect(checkVersion);
  }, [client, pageId, follower, isWatched]);

  return { present: othersOf(editors, session.id, userId), followed, isDeleted };
}
