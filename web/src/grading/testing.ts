import { screen } from "@testing-library/react";
import { said } from "../quiz/testing";
import { type Answers, renderApp } from "../testing/renderApp";
import type { OpenAnswer, QueuedAnswer } from "./queue";

/** Helpers of the tests of the grading tab. */

export const person = (id: string, fullName: string) => ({ __typename: "PersonName" as const, id, fullName });

/** An answer that waits. */
export const answer = (attemptId: string, over: Partial<OpenAnswer> = {}): OpenAnswer => ({
  attemptId,
  questionId: "q",
  pageId: "p",
  pageTitle: "Эссе",
  number: 1,
  student: person(attemptId, `Ученик ${attemptId}`),
  attemptNo: 1,
  submittedAt: "2026-11-26T10:00:00Z",
  penaltyPercent: 0,
  state: "WAITING",
  isReturned: false,
  prompt: said("Почему небо синее?"),
  guide: said("Рэлей"),
  minWords: null,
  maxWords: null,
  content: said(`Ответ ${attemptId}`),
  files: [],
  links: [],
  words: 2,
  points: null,
  maxPoints: 5,
  comment: null,
  rubric: null,
  marks: [],
  pins: [],
  version: 0,
  history: [],
  openedBy: null,
  ...over,
});

const queued = (one: OpenAnswer): QueuedAnswer => {
  const { attemptId, questionId, pageId, pageTitle, number, student, attemptNo, submittedAt } = one;
  const { state, isReturned, points, maxPoints, openedBy } = one;
  const place = { attemptId, questionId, pageId, pageTitle, number };
  return { ...place, student, attemptNo, submittedAt, state, isReturned, points, maxPoints, openedBy };
};

const course = {
  __typename: "Course",
  id: "c",
  title: "Курс",
  description: null,
  avatarUrl: null,
  myRole: "OWNER",
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
          pages: [
            { __typename: "Page", id: "p", title: "Эссе", kind: "QUIZ", published: true },
            { __typename: "Page", id: "work", title: "Задание", kind: "ASSIGNMENT", published: true },
          ],
        },
      ],
    },
  ],
};

/** Renders the tab with a server that has answers; `assess` responds to saves. */
export async function openTab(address: string, answers: OpenAnswer[], more: Answers = {}, isBlind = false) {
  const app = await renderApp(`/edit-course/c?tab=grading${address}`, {
    Me: () => ({
      me: { __typename: "User", id: "me", email: "me@example.com", fullName: "Я", isSuperuser: false },
    }),
    EditCourse: () => ({ course }),
    CourseGroups: () => ({ course: { __typename: "Course", id: "c", groups: [] } }),
    GradingQueue: () => ({
      gradingQueue: {
        total: answers.length,
        waiting: answers.length,
        unreleased: 0,
        isBlind,
        questions: [
          {
            pageId: "p",
            pageTitle: "Эссе",
            questionId: "q",
            number: 1,
            prompt: "Почему небо синее?",
            waiting: answers.length,
            unreleased: 0,
          },
        ],
        answers: answers.map(queued),
      },
    }),
    ClaimAnswer: ({ input }) => {
      const { attemptId } = input as { attemptId: string };
      return { claimAnswer: { answer: answers.find((one) => one.attemptId === attemptId) } };
    },
    ...more,
  });
  return app;
}

// The first test also loads the form's chunk.
export const points = () =>
  screen.findByRole<HTMLInputElement>("textbox", { name: /^Баллы/ }, { timeout: 10_000 });
export const comment = () =>
  screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Комментарий для ученика" });
/** The variables of the requests that stored an assessment. */
export const saves = ({ asked }: Awaited<ReturnType<typeof openTab>>) =>
  asked.filter(({ name }) => name?.startsWith("Assess")).map(({ variables }) => variables);
