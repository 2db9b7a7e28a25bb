import type { CourseNotesQuery } from "./Notes.generated";

/** What the address of the screen holds: the words that are searched, and a color. */
export interface NotesSearch {
  q?: string | undefined;
  color?: string | undefined;
}

type Listed = CourseNotesQuery["courseNotes"]["notes"]["nodes"][number];
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
