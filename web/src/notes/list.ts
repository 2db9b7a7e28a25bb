import type { CourseNotesQuery } from "./Notes.generated";

/** What the address of the screen holds: the words that are searched, and a color. */
export interface NotesSearch {
  q?: string | undefined;
  color?: string | undefined;
}

/** The server refuses longer ones. */
const MAX_SEARCH = 200;

/** The searched words, as the server takes them. */
export const clipped = (words: string) => [...words].slice(0, MAX_SEARCH).join("");

type List = CourseNotesQuery["courseNotes"]["notes"];
type Listed = List["nodes"][number];
export type NotedPage = NonNullable<Listed["page"]>;

interface Group {
  /** Null for pages that the reader does not see now. */
  module: { id: string; title: string } | null;
  pages: { page: NotedPage | null; notes: Listed[] }[];
}

/** Notes in the order of the course, by module and page. */
export function grouped(notes: readonly Listed[]): Group[] {
  const groups: Group[] = [];
  for (const note of notes) {
    const module = note.page?.lesson.module ?? null;
    let group = groups.at(-1);
    if (!group || group.module?.id !== module?.id) {
      group = { module, pages: [] };
      groups.push(group);
    }
    const last = group.pages.at(-1);
    if (last && last.page?.id === note.page?.id) last.notes.push(note);
    else group.pages.push({ page: note.page, notes: [note] });
  }
  return groups;
}

/** How many notes a list has, and the cursor of the last one that is known. */
export interface Reach {
  count: number;
  after: string | null;
}

/**
 * Where a list goes on. Deleted notes have left the cache, but its number of notes and its cursors, which count rows, are those from before. `hidden`
 * wait to be deleted.
 */
export function reachOf({ totalCount, edges, nodes }: List, hidden: ReadonlySet<string>): Reach {
  const deleted = edges.length - nodes.length;
  const waiting = nodes.filter(({ id }) => hidden.has(id)).length;
  return { count: totalCount - deleted - waiting, after: edges[nodes.length - 1]?.cursor ?? null };
}

/** Adds the next part to a list. */
export function withMore(before: List, more: List): List {
  const known = new Set(before.nodes.map(({ id }) => id));
  const added = more.nodes.map(({ id }) => !known.has(id));
  return {
    ...more,
    nodes: [...before.nodes, ...more.nodes.filter((_, at) => added[at])],
    edges: [...before.edges.slice(0, before.nodes.length), ...more.edges.filter((_, at) => added[at])],
  };
}
