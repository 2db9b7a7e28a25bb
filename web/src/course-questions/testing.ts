import { said } from "../quiz/testing";
import { type Answers, renderApp } from "../testing/renderApp";
import type { ListedQuestion } from "./questions";

/** Helpers of the tests of questions. */

const person = (id: string, fullName: string) => ({ __typename: "PersonName" as const, id, fullName });

/** A question of the list that waits for an answer. */
export const question = (id: string, over: Partial<ListedQuestion> = {}): ListedQuestion => ({
  id,
  audience: "COURSE",
  activeAt: "2026-11-26T10:00:00Z",
  replyCount: 0,
  waitingSince: "2026-11-26T10:00:00Z",
  resolvedAt: null,
  isPinned: false,
  isLocked: false,
  isUnread: false,
  page: {
    id: "p",
    title: "Переменные",
    number: 1,
    lesson: { id: "l", title: "Урок" },
  },
  reportCount: 0,
  question: {
    id: `post-${id}`,
    author: person("learner", "Иванова Анна"),
    isAnonymous: false,
    body: said(`Вопрос ${id}`),
    hiddenAt: null,
  },
  ...over,
});

const course = (myRole: string) => ({
  __typename: "Course",
  id: "c",
  title: "Курс",
  description: null,
  myRole,
  shareCode: null,
  studentsCount: 2,
  owner: { __typename: "User", id: "me", fullName: "Я", email: "me@example.com" },
  modules: [
    {
      __typename: "Module",
      id: "m",
      title: "Модуль",
      description: null,
      avatarUrl: null,
      lessons: [
        {
          __typename: "Lesson",
          id: "l",
          title: "Урок",
          pages: [{ __typename: "Page", id: "p", title: "Переменные", kind: "CONTENT", published: true }],
        },
      ],
    },
  ],
});

interface Opened {
  myRole?: string;
  isOn?: boolean;
  /** The number of all questions of the course. */
  all?: number;
}

/** Opens the editor of a course with a server that has questions; `questions` responds to each request of the list. */
export function openCourse(
  address: string,
  questions: (variables: Record<string, unknown>) => ListedQuestion[],
  { myRole = "OWNER", isOn = true, all = 5 }: Opened = {},
  more: Answers = {},
) {
  const total = (totalCount: number) => ({ __typename: "DiscussionConnection", totalCount });
  return renderApp(`/edit-course/c${address}`, {
    Me: () => ({
      me: { __typename: "User", id: "me", email: "me@example.com", fullName: "Я", isSuperuser: false },
    }),
    EditCourse: () => ({ course: course(myRole) }),
    QuestionCounts: () => ({
      course: {
        __typename: "Course",
        id: "c",
        discussionSettings: {
          __typename: "DiscussionSettings",
          isOn,
          allowsAnonymous: false,
          isPerGroup: false,
          words: [],
        },
        allQuestions: total(all),
        unansweredQuestions: total(2),
        reportedQuestions: total(1),
      },
    }),
    CourseQuestions: (variables) => {
      const nodes = questions(variables);
      return {
        course: {
          __typename: "Course",
          id: "c",
          discussions: {
            __typename: "DiscussionConnection",
            totalCount: nodes.length,
            nodes,
            pageInfo: { __typename: "PageInfo", hasNextPage: false, endCursor: null },
          },
        },
      };
    },
    ...more,
  });
}
