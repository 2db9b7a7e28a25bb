import type { EditedPage } from "../EditPage";

/** A content page as the server answers it, with one empty paragraph. */
export function openPage(page: Partial<EditedPage> = {}): EditedPage {
  return {
    id: "p",
    title: "Title",
    number: 1,
    kind: "CONTENT",
    published: false,
    version: 1,
    pageDraft: null,
    content: { type: "doc", content: [{ type: "paragraph" }] },
    authorQuiz: null,
    updatedAt: "2026-01-01T00:00:00Z",
    lesson: { id: "l", title: "Lesson", module: { id: "m", title: "Module" } },
    course: { id: "c", title: "Course", myRole: "OWNER" },
    ...page,
  };
}
