import { randomUUID } from "node:crypto";
import { graphql, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import type { Account } from "./api.ts";
import { type Classroom, createClassroom, oneQuestion } from "./classroom.ts";
import { rubric } from "./rubrics.ts";

/** A course with an assignment, and what its learner hands in. */

const WORK = "0198f000-0000-7000-8000-00000000ab01";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const item = (text: string) => ({ type: "listItem", content: [paragraph(text)] });

/** The instructions of the assignment. */
const instructions = {
  type: "doc",
  content: [
    paragraph(
      "Напишите программу, которая считает слова в текстовом файле и показывает десять самых частых. Сдайте её исходный код и короткий отчёт.",
    ),
    {
      type: "bulletList",
      content: [
        item("В отчёте объясните, где и почему вы заимствуете, а не копируете."),
        item("Приложите снимок экрана с результатом."),
        item("Дайте ссылку на репозиторий."),
      ],
    },
  ],
};

/** The question of an assignment that takes everything. */
const work = {
  id: WORK,
  type: "hand_in",
  points: 10,
  takes_text: true,
  min_words: 5,
  max_words: 300,
  max_files: 3,
  extensions: ["pdf", "png", "zip"],
  max_links: 3,
};

export interface AssignmentClass extends Classroom {
  assignmentId: string;
}

/** Creates a course with an assignment after its other pages. */
export async function createAssignmentClass(
  server: Server,
  question: object = {},
  settings: object = {},
): Promise<AssignmentClass> {
  const classroom = await createClassroom(server, oneQuestion);
  const body = {
    title: "Частые слова",
    kind: "assignment",
    content: instructions,
    quiz: { pass_percent: 60, questions: [{ ...work, ...question }], ...settings },
  };
  const path = `/api/v1/courses/create_page/${classroom.lessonId}`;
  const { id } = await post(server.url, path, body, classroom.owner.token);
  return { ...classroom, assignmentId: id };
}

/** The criteria of an assignment of six points. */
export const gradedByRubric = { points: 6, rubric };

const document = (...texts: string[]) => ({ type: "doc", content: texts.map(paragraph) });

/** Hands in a version over GraphQL. */
export async function handIn(
  { server, assignmentId }: AssignmentClass,
  learner: Account,
  { texts, links = [], fileIds = [] }: { texts: string[]; links?: string[]; fileIds?: string[] },
): Promise<void> {
  const read = "query ($id: ID!) { page(id: $id) { version } }";
  const { page } = await graphql(server.url, learner.token, read, { id: assignmentId });
  const submit = "mutation ($input: SubmitQuizInput!) { submitQuiz(input: $input) { outcome error } }";
  const answers = [{ questionId: WORK, content: document(...texts), links, fileIds }];
  const input = { pageId: assignmentId, version: page.version, answers, submissionId: randomUUID() };
  const { submitQuiz } = await graphql(server.url, learner.token, submit, { input });
  if (submitQuiz.outcome !== "TAKEN") throw new Error(submitQuiz.error);
}

/** Grades or returns the version that waits. */
export async function decide(
  { server, owner, courseId }: AssignmentClass,
  decision: { points: number; comment?: string } | { isReturned: true; comment: string },
): Promise<void> {
  const waiting =
    "query ($id: ID!) { gradingQueue(courseId: $id, state: WAITING) { answers { attemptId questionId } } }";
  const { gradingQueue } = await graphql(server.url, owner.token, waiting, { id: courseId });
  const assess =
    "mutation ($input: AssessAnswerInput!) { assessAnswer(input: $input) { conflict { message } } }";
  const input = { ...gradingQueue.answers[0], version: 0, ...decision };
  const { assessAnswer } = await graphql(server.url, owner.token, assess, { input });
  if (assessAnswer.conflict) throw new Error(assessAnswer.conflict.message);
}

export interface StoredWork {
  attemptsLeft: number | null;
  isCompleted: boolean;
  draft: { version: number; answer: { links: string[]; content: unknown } } | null;
  attempts: {
    isReturned: boolean;
    waitingAnswers: number;
    score: number;
    answers: { links: string[]; content: unknown; files: { id: string; filename: string }[] }[];
  }[];
}

/** The draft and the versions of a learner, as the server has them. */
export async function storedWork(
  { server, assignmentId }: AssignmentClass,
  learner: Account,
): Promise<StoredWork> {
  const query = `query ($id: ID!) { page(id: $id) {
    attemptsLeft isCompleted
    draft { version answer { links content } }
    attempts { isReturned waitingAnswers score
      answers { ... on HandInAnswer { links content files { id filename } } } }
  } }`;
  return (await graphql(server.url, learner.token, query, { id: assignmentId })).page;
}
