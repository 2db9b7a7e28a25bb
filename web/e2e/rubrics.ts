import { randomUUID } from "node:crypto";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, enroll, signUp } from "./api.ts";
import { type Classroom, createClassroom } from "./classroom.ts";
import { picture, submitFiles } from "./file-answers.ts";

/** A course with questions that are graded by a rubric, and learners who have answered them. */

const id = (of: string) => `0198f000-0000-7000-8000-0000000${of}`;
const ESSAY = id("0ea01");
const FILES = id("0ea02");

const level = (of: string, name: string, points: number, description = "") => ({
  id: id(of),
  name,
  points,
  description,
});

export const rubric = {
  is_shown: true,
  criteria: [
    {
      id: id("0c100"),
      name: "Объяснение",
      description: "Почему заимствование безопаснее, своими словами.",
      levels: [
        level("0c101", "Полное", 3, "Названы время жизни и проверка при компиляции."),
        level("0c102", "Частичное", 1.5, "Названо что-то одно."),
        level("0c103", "Нет", 0),
      ],
    },
    {
      id: id("0c200"),
      name: "Пример",
      description: "",
      levels: [
        level("0c201", "Есть и работает", 2),
        level("0c202", "С ошибкой", 1),
        level("0c203", "Нет", 0),
      ],
    },
    {
      id: id("0c300"),
      name: "Язык",
      description: "Термины, ясность, грамотность.",
      levels: [level("0c301", "Хорошо", 1), level("0c302", "Можно лучше", 0.5)],
    },
  ],
};

export const rubricQuiz = {
  pass_percent: 60,
  reveal: "after_submit",
  questions: [
    {
      id: ESSAY,
      type: "essay",
      prompt: "Почему заимствование безопаснее указателя? Приведите пример.",
      points: 6,
      min_words: 3,
      max_words: 400,
      rubric,
    },
  ],
};

const pictureQuiz = {
  pass_percent: 60,
  reveal: "after_submit",
  questions: [
    {
      id: FILES,
      type: "file_upload",
      prompt: "Приложите снимок экрана с результатом.",
      points: 5,
      max_files: 2,
      extensions: [],
    },
  ],
};

const paragraphs = (...texts: string[]) => ({
  type: "doc",
  content: texts.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })),
});

const ESSAYS = [
  [
    "Ссылка не переживёт значение 🦀, потому что компилятор проверяет её время жизни. Указатель этого не обещает: память уже могла быть освобождена.",
    "Например, срез строки нельзя вернуть из функции, в которой строка создана.",
  ],
  ["Компилятор следит за ссылками. Пример: нельзя изменить вектор, пока по нему идёт цикл."],
  ["Указатель может указывать на освобождённую память, а ссылка — нет."],
];
const NAMES = ["Абрамова Ольга Ильинична", "Борисов Глеб Андреевич", "Власова Мария Олеговна"];

export interface RubricClass extends Classroom {
  learners: Account[];
}

/** Creates a quiz with an essay and a rubric; the first `count` learners have answered it in turn. */
export async function createRubricClass(server: Server, count = 1): Promise<RubricClass> {
  const classroom = await createClassroom(server, rubricQuiz);
  const learners: Account[] = [];
  for (const [at, name] of NAMES.slice(0, count).entries()) {
    const learner = await signUp(server, name);
    await enroll(server, learner, classroom.shareCode);
    await submitEssay(classroom, learner, ESSAYS[at] ?? []);
    learners.push(learner);
  }
  return { ...classroom, learners };
}

async function submitEssay({ server, quizId }: Classroom, learner: Account, texts: string[]) {
  const read = "query ($id: ID!) { page(id: $id) { version } }";
  const { page } = await graphql(server.url, learner.token, read, { id: quizId });
  const submit = "mutation ($input: SubmitQuizInput!) { submitQuiz(input: $input) { outcome error } }";
  const answers = [{ questionId: ESSAY, content: paragraphs(...texts) }];
  const input = { pageId: quizId, version: page.version, answers, submissionId: randomUUID() };
  const { submitQuiz } = await graphql(server.url, learner.token, submit, { input });
  if (submitQuiz.outcome !== "TAKEN") throw new Error(submitQuiz.error);
}

/** Grades the oldest answer over GraphQL: the best level of each criterion, and comments on two places. */
export async function gradeByRubric({ server, owner, courseId }: Classroom): Promise<void> {
  const read =
    "query ($id: ID!) { gradingQueue(courseId: $id, state: WAITING, first: 1) { answers { attemptId questionId } } }";
  const { gradingQueue } = await graphql(server.url, owner.token, read, { id: courseId });
  const [answer] = gradingQueue.answers;
  const marks = rubric.criteria.map(({ id, levels: [best] }) => ({
    criterionId: id,
    levelId: best?.id,
    comment: "Хорошо видно, почему это так.",
  }));
  const pins = [
    { start: 80, end: 142, comment: "А если память ещё жива?" },
    { start: 152, end: 163, comment: "Покажите это в коде." },
  ];
  const assess =
    "mutation ($input: AssessAnswerInput!) { assessAnswer(input: $input) { answer { version } } }";
  const input = { ...answer, version: 0, marks, pins, comment: "Отличная работа." };
  await graphql(server.url, owner.token, assess, { input });
}

/** Creates a quiz that takes pictures; its learner has handed one in. */
export async function createPictureClass(server: Server): Promise<Classroom> {
  const classroom = await createClassroom(server, pictureQuiz);
  await submitFiles(classroom, classroom.learner, [await picture("Снимок экрана.png")], FILES);
  return classroom;
}

interface StoredAssessment {
  points: number;
  comment: string | null;
  marks: { criterionId: string; levelId: string; comment: string | null }[];
  pins: { start: number | null; end: number | null; x: number | null; y: number | null; comment: string }[];
}

/** Reads the assessments of the released answers of a course as its owner, the latest answer first. */
export async function released({ server, owner, courseId }: Classroom): Promise<StoredAssessment[]> {
  const read =
    "query ($id: ID!) { gradingQueue(courseId: $id, state: RELEASED) { answers { attemptId questionId } } }";
  const { gradingQueue } = await graphql(server.url, owner.token, read, { id: courseId });
  const claim =
    "mutation ($input: ClaimAnswerInput!) { claimAnswer(input: $input) { answer { points comment marks { criterionId levelId comment } pins { start end x y comment } } } }";
  const stored: StoredAssessment[] = [];
  for (const { attemptId, questionId } of gradingQueue.answers) {
    const { claimAnswer } = await graphql(server.url, owner.token, claim, {
      input: { attemptId, questionId },
    });
    stored.push(claimAnswer.answer);
  }
  return stored;
}
