import type { Note } from "./note";

/** A note of the page p1. */
export function aNote(id: string, rest: object = {}): Note {
  // The cache needs the names of types, which the type of the answer does not have.
  const note = {
    __typename: "Note",
    id,
    color: "GREEN",
    body: "Не забыть",
    version: 1,
    state: "PAGE",
    quote: null,
    place: null,
    pageId: "p1",
    ...rest,
  };
  return note as unknown as Note;
}

/** What is kept of the page p1. */
export const keptOf = (notes: Note[], tickedTasks: number[] = [], tickedVersion: number | null = null) => ({
  __typename: "Page" as const,
  id: "p1",
  isBookmarked: false,
  tickedTasks,
  tickedVersion,
  notes,
});

/** What is kept of a course. */
export const listOf = (nodes: object[]) => ({
  __typename: "CourseNotes",
  course: null,
  bookmarks: [],
  notes: {
    __typename: "NoteConnection",
    totalCount: nodes.length,
    pageInfo: { __typename: "PageInfo", hasNextPage: false, endCursor: null },
    edges: nodes.map((_, at) => ({ __typename: "NoteEdge", cursor: `c${at}` })),
    nodes,
  },
});
