import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import type { UpdateAnnouncementInput } from "../api/schema.generated";
import { i18n } from "../i18n";
import { hideItems, showItems } from "../ui/hiddenItems";
import { undoable } from "../ui/undo";
import {
  AnnouncementDocument,
  DeleteAnnouncementDocument,
  MarkAnnouncementsReadDocument,
  UpdateAnnouncementDocument,
} from "./Announcements.generated";
import type { Announcement } from "./list";

/** Pins or unpins an announcement, optimistically. */
export async function setPinned(client: ApolloClient, announcement: Announcement, isPinned: boolean) {
  await update(client, announcement, { isPinned }, { ...announcement, isPinned });
}

/** Publishes a scheduled announcement at once. */
export async function publishNow(client: ApolloClient, announcement: Announcement) {
  await update(client, announcement, { publishAt: null });
}

async function update(
  client: ApolloClient,
  { id, version }: Announcement,
  changes: Partial<UpdateAnnouncementInput>,
  expected?: Announcement,
) {
  const optimisticResponse = expected && {
    updateAnnouncement: {
      __typename: "AnnouncementPayload",
      announcement: { __typename: "Announcement", ...expected },
    },
  };
  try {
    await client.mutate({
      mutation: UpdateAnnouncementDocument,
      variables: { input: { announcementId: id, version, ...changes } },
      ...(optimisticResponse && { optimisticResponse }),
    });
  } catch (error) {
    // Somebody else has changed it: the next attempt acts on what is stored.
    if (ApiError.from(error).status === 409) await readAgain(client, id);
    throw error;
  }
}

/** Reads the stored announcement again and updates the cache. */
export async function readAgain(client: ApolloClient, id: string): Promise<Announcement | undefined> {
  const { data } = await client.query({
    query: AnnouncementDocument,
    variables: { id },
    fetchPolicy: "network-only",
  });
  return data?.announcement;
}

/** Hides an announcement at once, and deletes it when it can no longer be undone. */
export function deleteAnnouncement(client: ApolloClient, { id, title }: Announcement) {
  hideItems([id]);
  undoable({
    text: i18n.t("learning.announcements.deleted", { title }),
    undo: () => showItems([id]),
    commit: async (leaving) => {
      try {
        await client.mutate({
          mutation: DeleteAnnouncementDocument,
          variables: { input: { announcementId: id } },
          context: { fetchOptions: { keepalive: leaving } },
        });
      } catch (error) {
        // It was already deleted elsewhere.
        if (ApiError.from(error).status !== 404) throw error;
      }
      client.cache.evict({ id: client.cache.identify({ __typename: "Announcement", id }) });
      client.cache.gc();
    },
  });
}

/** Marks announcements of one course as read, optimistically. If the request fails, they become unread again. */
export async function markRead(
  client: ApolloClient,
  courseId: string,
  ids: readonly string[],
): Promise<void> {
  show(client, ids, true);
  try {
    const { data } = await client.mutate({
      mutation: MarkAnnouncementsReadDocument,
      variables: { input: { courseId, announcementIds: [...ids] } },
      context: { fetchOptions: { keepalive: true } },
    });
    if (data) showUnread(client, courseId, data.markAnnouncementsRead.unread);
  } catch {
    show(client, ids, false);
  }
}

/** Corrects the number of unread announcements in the lists of a course, such as that of the course screen. */
function showUnread(client: ApolloClient, courseId: string, unread: number) {
  client.cache.modify({
    id: client.cache.identify({ __typename: "Course", id: courseId }),
    fields: { announcements: (list) => ({ ...list, unread }) },
  });
}

function show(client: ApolloClient, ids: readonly string[], isRead: boolean) {
  for (const id of ids) {
    client.cache.modify({
      id: client.cache.identify({ __typename: "Announcement", id }),
      fields: { isRead: () => isRead },
    });
  }
}
