import { randomUUID } from "node:crypto";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, enroll, joinTeam, signUp } from "./api.ts";
import { type Classroom, createClassroom } from "./classroom.ts";

/** A course with an open question, its learners and two graders. */

const ESSAY = "0198f000-0000-7000-8000-00000000e001";
const NUMBER = "0198f000-0000-7000-8000-00000000e002";

const paragraphs = (...texts: string[]) => ({
  type: "doc",
  content: texts.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })),
});

export const essayQuiz = (release: "at_once" | "together" = "at_once") => ({
  pass_percent: 60,
  reveal: "after_submit",
  release,
  questions: [
    {
      id: ESSAY,
      type: "essay",
      prompt: "Почему заимствование безопаснее указателя? Приведите пример.",
      points: 5,
      min_words: 3,
      max_words: 60,
      guide: paragraphs("Три балла за объяснение, два за пример."),
    },
    { id: NUMBER, type: "numeric", prompt: "Сколько бит в байте?", value: 8, points: 1 },
  ],
});

export const ANSWERS = [
  "Компилятор проверяет время жизни ссылки, поэтому она не переживёт значение.",
  "Потому что ссылку нельзя использовать после удаления значения. Пример: срез строки.",
  "Указатель может указывать на освобождённую память, а ссылка — нет.",
];
export const LEARNERS = ["Абрамова Ольга Ильинична", "Борисов Глеб Андреевич", "Власова Мария Олеговна"];

export interface EssayClass extends Classroom {
  essayId: string;
  learners: Account[];
}

/** Creates a quiz with an essay that the first `count` learners have answered in turn. */
export async function createEssayClass(
  server: Server,
  { release, count = LEARNERS.length }: { release?: "at_once" | "together"; count?: number } = {},
): Promise<EssayClass> {
  const classroom = await createClassroom(server, essayQuiz(release));
  const learners: Account[] = [];
  for (const [at, name] of LEARNERS.slice(0, count).entries()) {
    const learner = await signUp(server, name);
    await enroll(server, learner, classroom.shareCode);
    await submitEssay(classroom, learner, ANSWERS[at] ?? "");
    learners.push(learner);
  }
  return { ...classroom, essayId: ESSAY, learners };
}

/** Submits an essay and the correct number. */
export async function submitEssay(
  { server, quizId }: Pick<Classroom, "server" | "quizId">,
  learner: Account,
  text: string,
): Promise<void> {
  const { page } = await graphql(
    server.url,
    learner.token,
    "query ($id: ID!) { page(id: $id) { version } }",
    {
      id: quizId,
    },
  );
  const submit = "mutation ($input: SubmitQuizInput!) { submitQuiz(input: $input) { outcome error } }";
  const answers = [
    { questionId: ESSAY, content: paragraphs(text) },
    { questionId: NUMBER, number: "8" },
  ];
  const input = { pageId: quizId, version: page.version, answers, submissionId: randomUUID() };
  const { submitQuiz } = await graphql(server.url, learner.token, submit, { input });
  if (submitQuiz.outcome !== "TAKEN") throw new Error(submitQuiz.error);
}

/** A second grader of the course. */
export async function addGrader({ server, owner, courseId }: Classroom): Promise<Account> {
  const grader = await signUp(server, "Петров Пётр Петрович");
  await joinTeam(server, owner, grader, courseId, "teacher");
  return grader;
}

/** Reads the answers in a state as a grader. */
export async function queued(
  { server, owner, courseId }: Classroom,
  state: "WAITING" | "GRADED" | "RELEASED" = "WAITING",
): Promise<{ attemptId: string; questionId: string; points: number | null }[]> {
  const query =
    "query ($id: ID!, $state: AnswerState!) { gradingQueue(courseId: $id, state: $state) { answers { attemptId questionId points } } }";
  return (await graphql(server.url, owner.token, query, { id: courseId, state })).gradingQueue.answers;
}

/** Grades an answer over GraphQL as another grader. */
export async function assess(
  { server }: Classroom,
  grader: Account,
  answer: { attemptId: string; questionId: string },
  given: { version?: number; points: number; comment: string },
): Promise<void> {
  const query =
    "mutation ($input: AssessAnswerInput!) { assessAnswer(input: $input) { conflict { message } } }";
  const { attemptId, questionId } = answer;
  const input = { attemptId, questionId, version: 0, ...given };
  const { assessAnswer } = await graphql(server.url, grader.token, query, { input });
  if (assessAnswer.conflict) throw new Error(assessAnswer.conflict.message);
}
