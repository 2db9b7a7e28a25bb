import type { ApolloClient } from "@apollo/client";
import { i18n } from "../i18n";
import { undoable } from "../ui/undo";
import type { Notice, Row } from "./grouping";
import { MarkAllNoticesReadDocument, MarkNoticesReadDocument } from "./Notices.generated";
import { confirmAll, coverAll, setUnread } from "./state";

/** The maximum number of IDs per request. */
const AT_ONCE = 100;

/** Marks the notices of a row as read, optimistically. If the request fails, they become unread again. */
export async function markRead(client: ApolloClient, { notices }: Row): Promise<void> {
  const ids = notices.filter(({ isRead }) => !isRead).map(({ id }) => id);
  if (ids.length === 0) return;
  show(client, ids, true);
  try {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const { data } = await client.mutate({
        mutation: MarkNoticesReadDocument,
        variables: { input: { ids: ids.slice(at, at + AT_ONCE) } },
        // The link may leave the app.
        context: { fetchOptions: { keepalive: true } },
      });
      if (data) setUnread(data.markNoticesRead.unread);
    }
  } catch {
    show(client, ids, false);
  }
}

function show(client: ApolloClient, ids: readonly string[], isRead: boolean) {
  for (const id of ids) {
    const object = client.cache.identify({ __typename: "Notice", id });
    client.cache.modify({ id: object, fields: { isRead: () => isRead } });
  }
}

let settle: (() => Promise<void>) | undefined;

/** Marks the newest notice on the screen and all older ones as read; later ones stay unread. It can be undone. */
export async function markAllRead(client: ApolloClient, newest: Notice): Promise<void> {
  // The previous one can no longer be undone.
  await settle?.();
  settle = undoable({
    text: i18n.t("notices.allRead"),
    undo: coverAll(newest.id),
    commit: async (leaving) => {
      const { data } = await client.mutate({
        mutation: MarkAllNoticesReadDocument,
        variables: { input: { before: newest.id } },
        context: { fetchOptions: { keepalive: leaving } },
      });
      if (data) confirmAll(data.markAllNoticesRead.unread);
    },
  });
}
