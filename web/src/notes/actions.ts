import type { ApolloClient } from "@apollo/client";
import type { CreateNoteInput } from "../api/schema.generated";
import { i18n } from "../i18n";
import { toastFailure } from "../ui/toasts";
import { undoable } from "../ui/undo";
import {
  CreateNoteDocument,
  DeleteNoteDocument,
  PageKeptDocument,
  SetBookmarkDocument,
  TickTaskDocument,
} from "./Notes.generated";
import type { Note } from "./note";

/** Creates a note; the answer brings all notes of the page. Rejects when it is refused. */
export async function createNote(client: ApolloClient, input: CreateNoteInput): Promise<Note | undefined> {
  const { data } = await client.mutate({ mutation: CreateNoteDocument, variables: { input } });
  return data?.createNote.note;
}

/** Deletes a note at once, and offers to undo it. `restore` shows it again where it is no part of a page's notes. */
export function deleteNote(client: ApolloClient, note: Note, onRestored?: () => void) {
  const update = (change: (notes: readonly Note[]) => Note[]) =>
    client.cache.updateQuery({ query: PageKeptDocument, variables: { id: note.pageId } }, (kept) =>
      kept ? { page: { ...kept.page, notes: change(kept.page.notes) } } : undefined,
    );
  update((notes) => notes.filter(({ id }) => id !== note.id));
  undoable({
    text: i18n.t("notes.deleted"),
    commit: (leaving) =>
      client.mutate({
        mutation: DeleteNoteDocument,
        variables: { input: { noteId: note.id } },
        context: { fetchOptions: { keepalive: leaving } },
      }),
    undo: () => {
      update((notes) => (notes.some(({ id }) => id === note.id) ? [...notes] : [...notes, note]));
      onRestored?.();
    },
  });
}

/** Sets or removes a bookmark; the screen shows it at once. */
export async function setBookmark(
  client: ApolloClient,
  pageId: string,
  isBookmarked: boolean,
): Promise<void> {
  const optimisticResponse = {
    setBookmark: { __typename: "KeptPayload", page: { __typename: "Page", id: pageId, isBookmarked } },
  };
  try {
    await client.mutate({
      mutation: SetBookmarkDocument,
      variables: { input: { pageId, isBookmarked } },
      optimisticResponse,
    });
  } catch (error) {
    toastFailure(error);
  }
}

export interface Tick {
  pageId: string;
  version: number;
  task: number;
  isTicked: boolean;
}

/** Ticks a task or takes the tick back; the screen shows it at once. Rejects when it did not arrive. */
export async function tickTask(client: ApolloClient, input: Tick, ticked: readonly number[]): Promise<void> {
  const others = ticked.filter((task) => task !== input.task);
  const tickedTasks = input.isTicked ? [...others, input.task].sort((a, b) => a - b) : others;
  const optimisticResponse = {
    tickTask: { __typename: "KeptPayload", page: { __typename: "Page", id: input.pageId, tickedTasks } },
  };
  await client.mutate({
    mutation: TickTaskDocument,
    variables: { input },
    context: { fetchOptions: { keepalive: true } },
    optimisticResponse,
  });
}
