import type { Notice } from "./grouping";

const COURSE = { __typename: "NoticePlace" as const, id: "c1", title: "Основы Rust" };
const PAGE = { __typename: "NoticePlace" as const, id: "p1", title: "Циклы" };

/** An unread notice of a reply in a thread, for tests. */
export function aNotice(id: string, more: Partial<Notice> = {}) {
  return {
    __typename: "Notice" as const,
    id,
    kind: "COMMENT" as const,
    happenedAt: "2026-11-29T10:00:00Z",
    isRead: false,
    closesAt: null,
    text: null,
    subjectId: `s-${id}`,
    course: COURSE,
    page: PAGE,
    actor: null,
    learner: null,
    ...more,
  };
}

export const aPerson = (id: string, fullName: string | null) => ({
  __typename: "PersonName" as const,
  id,
  fullName,
});

export const aPlace = (id: string, title: string | null) => ({
  __typename: "NoticePlace" as const,
  id,
  title,
});
