import type { Discussion, Post } from "./discussion";

/** A document of one paragraph. */
export const aText = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});

const idOf = (kind: number, number: number) =>
  `0190000${kind}-0000-7000-8000-${String(number).padStart(12, "0")}`;

/** A question of somebody else, for tests. */
export function aPost(number: number, more: Partial<Post> = {}) {
  return {
    __typename: "DiscussionPost" as const,
    id: idOf(1, number),
    number: 0,
    author: { __typename: "PersonName" as const, id: "u2", fullName: "Борис Борисов" },
    isMine: false,
    isAnonymous: false,
    byAsker: true,
    byStaff: false,
    body: aText(`Вопрос ${number}?`),
    createdAt: "2026-11-20T09:00:00Z",
    editedAt: null,
    isAccepted: false,
    usefulCount: 0,
    isUseful: false,
    hiddenAt: null,
    hiddenReason: null,
    hiddenBy: null,
    reports: [],
    ...more,
  };
}

/** An answer of a teacher. */
export const anAnswer = (number: number, more: Partial<Post> = {}) =>
  aPost(number + 1000, {
    author: { id: "u3", fullName: "Вера Петрова" },
    number,
    byAsker: false,
    byStaff: true,
    body: aText(`Ответ ${number}.`),
    ...more,
  });

/** A discussion of a question without answers. */
export function aDiscussion(number: number, more: Partial<Discussion> = {}) {
  return {
    __typename: "Discussion" as const,
    id: idOf(2, number),
    audience: "COURSE" as const,
    groupId: null,
    createdAt: "2026-11-20T09:00:00Z",
    activeAt: "2026-11-20T09:00:00Z",
    replyCount: 0,
    waitingSince: null,
    resolvedAt: null,
    isPinned: false,
    isLocked: false,
    movedAt: null,
    anchor: null,
    isUnread: false,
    follows: false,
    acceptedPostId: null,
    hasWritten: false,
    hasOtherWriters: false,
    hasStaffAnswer: false,
    reportCount: 0,
    question: aPost(number),
    ...more,
  };
}

/** The answer of the server to the query of a window of answers. */
export const answersOf = (discussionId: string, nodes: readonly Post[], totalCount = nodes.length) => ({
  discussion: {
    __typename: "Discussion",
    id: discussionId,
    answers: { __typename: "DiscussionPostConnection", totalCount, nodes },
  },
});
