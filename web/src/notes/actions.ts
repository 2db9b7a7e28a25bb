import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import type { CreateNoteInput } from "../api/schema.generated";
import { i18n } from "../i18n";
import { hideItems, showItems } from "../ui/hiddenItems";
import { toastFailure } from "../ui/toasts";
import { undoable } from "../ui/undo";
import {
  CourseNotesDocument,
  type CourseNotesQuery,
  CreateNoteDocument,
  DeleteNoteDocument,
  NotePartsFragmentDoc,
  PageKeptDocument,
  SetBookmarkDocument,
} from "./Notes.generated";
import type { Note } from "./note";

/** Reads the notes of a page again and updates the cache. */
async function readNotes(client: ApolloClient, pageId: string): Promise<readonly Note[]> {
  const { data } = await client.query({
    query: PageKeptDocument,
    variables: { id: pageId },
    fetchPolicy: "network-only",
    // A request that is on its way may have been answered before the change.
    context: { queryDeduplication: false },
  });
  return data?.page.notes ?? [];
}

/** Creates a note, and not twice after an attempt without an answer. The answer brings all notes of the page. Rejects when it is refused. */
export async function createNote(
  client: ApolloClient,
  input: CreateNoteInput,
  isAgain: boolean,
): Promise<void> {
  if (isAgain && (await readNotes(client, input.pageId)).some((note) => isSameNote(note, input))) return;
  await client.mutate({ mutation: CreateNoteDocument, variables: { input } });
}

function isSameNote(note: Note, { color, body, quote, version, block, start }: CreateNoteInput): boolean {
  if (note.color !== color || note.body !== body) return false;
  if (typeof quote !== "string") return note.state === "PAGE";
  if (note.quote?.exact !== quote) return false;
  const { place } = note;
  // In another version of the text the words may be elsewhere.
  return place?.version !== version || (place?.block === block && place?.start === start);
}

/** Reads a note again and updates the cache; also one of a page that cannot be read now. Null if it was deleted. */
export async function readNote(
  client: ApolloClient,
  { id, pageId }: Note,
  courseId: string,
): Promise<Note | null> {
  const onPage = await readNotes(client, pageId).catch(() => []);
  const found = onPage.find((note) => note.id === id);
  if (found) return found;
  let after: string | null = null;
  do {
    // The screen of the course has its own list in the cache, which stays as it is.
    const { data }: { data?: CourseNotesQuery | undefined } = await client.query<CourseNotesQuery>({
      query: CourseNotesDocument,
      variables: { courseId, color: null, search: null, after },
      fetchPolicy: "no-cache",
    });
    if (!data) throw new TypeError("courseNotes has no data");
    const { nodes, pageInfo }: CourseNotesQuery["courseNotes"]["notes"] = data.courseNotes.notes;
    const note = nodes.find((one) => one.id === id);
    if (note) {
      client.cache.writeFragment({
        id: client.cache.identify({ __typename: "Note", id }),
        fragment: NotePartsFragmentDoc,
        fragmentName: "NoteParts",
        data: note,
      });
      return note;
    }
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after);
  return null;
}

/** Hides a note at once, and deletes it when it can no longer be undone. */
export function deleteNote(client: ApolloClient, { id }: Note) {
  hideItems([id]);
  undoable({
    text: i18n.t("notes.deleted"),
    undo: () => showItems([id]),
    commit: async (leaving) => {
      try {
        await client.mutate({
          mutation: DeleteNoteDocument,
          variables: { input: { noteId: id } },
          context: { fetchOptions: { keepalive: leaving } },
        });
      } catch (error) {
        // It was already deleted elsewhere.
        if (ApiError.from(error).status !== 404) throw error;
      }
      // It stays hidden, because an answer that is on its way may still have it.
      client.cache.evict({ id: client.cache.identify({ __typename: "Note", id }) });
      client.cache.gc();
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
