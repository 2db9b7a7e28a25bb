import type { Announcement } from "./list";

/** A document of one paragraph. */
export const aText = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});

/** An ID whose last part is a number. */
export const idOfNumber = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** A published announcement that the user has read, for tests. */
export function anAnnouncement(number: number, more: Partial<Announcement> = {}) {
  return {
    __typename: "Announcement" as const,
    id: idOfNumber(number),
    courseId: "c1",
    title: `Объявление ${number}`,
    content: aText(`Текст ${number}`),
    author: { __typename: "PersonName" as const, id: "u2", fullName: "Вера Петрова" },
    group: null,
    createdAt: `2026-11-${10 + number}T09:00:00Z`,
    updatedAt: `2026-11-${10 + number}T09:00:00Z`,
    publishAt: null,
    publishedAt: `2026-11-${10 + number}T09:00:00Z`,
    isPinned: false,
    version: 1,
    isRead: true,
    readers: null,
    receivers: null,
    ...more,
  };
}
