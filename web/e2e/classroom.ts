import { graphql, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, enroll, signUp } from "./api.ts";
import { test as base } from "./fixtures.ts";

const paragraph = (...content: unknown[]) => ({
  type: "doc",
  content: [{ type: "paragraph", content }],
});
const blank = (blank_id: string) => ({ type: "blank", attrs: { blank_id } });
const text = (value: string) => ({ type: "text", text: value });

/** Fixed IDs of questions. The server replaces the IDs of pairs and items for learners. */
export const ids = {
  single: "0198f000-0000-7000-8000-000000000001",
  multiple: "0198f000-0000-7000-8000-000000000002",
  text: "0198f000-0000-7000-8000-000000000003",
  numeric: "0198f000-0000-7000-8000-000000000004",
  matching: "0198f000-0000-7000-8000-000000000005",
  ordering: "0198f000-0000-7000-8000-000000000006",
  blanks: "0198f000-0000-7000-8000-000000000007",
};
const typedBlank = "0198f000-0000-7000-8000-0000000000b1";
const selectedBlank = "0198f000-0000-7000-8000-0000000000b2";

/** A quiz with one question, for tests of something else. */
export const oneQuestion = {
  pass_percent: 50,
  questions: [
    {
      type: "single_choice",
      prompt: "Какое слово делает переменную изменяемой?",
      options: [{ content: "mut", correct: true }, { content: "var" }],
    },
  ],
};

/** A quiz with one question of each kind. */
export const everyKind = withIds({
  pass_percent: 70,
  reveal: "after_submit",
  questions: [
    {
      id: ids.single,
      type: "single_choice",
      prompt: "Какое ключевое слово делает переменную изменяемой?",
      explanation: "По умолчанию переменные в Rust неизменяемы, и это правило снимает слово mut.",
      options: [
        { content: "let" },
        { content: "mut", correct: true },
        { content: "var" },
        { content: "const" },
      ],
    },
    {
      id: ids.multiple,
      type: "multiple_choice",
      prompt: "Какие из этих типов хранят целые числа?",
      points: 2,
      options: [
        { content: "i32", correct: true },
        { content: "f64" },
        { content: "u8", correct: true },
        { content: "char" },
      ],
    },
    {
      id: ids.text,
      type: "short_text",
      prompt: "Как называется менеджер пакетов и система сборки Rust?",
      accepted: ["Cargo"],
    },
    { id: ids.numeric, type: "numeric", prompt: "Сколько бит в числе типа u16?", value: 16 },
    {
      id: ids.matching,
      type: "matching",
      prompt: "Что делает каждая команда?",
      points: 3,
      pairs: [
        { left: "cargo new", right: "создаёт проект" },
        { left: "cargo build", right: "собирает проект" },
        { left: "cargo doc", right: "собирает документацию" },
      ],
    },
    {
      id: ids.ordering,
      type: "ordering",
      prompt: "Расположите типы по возрастанию размера",
      points: 2,
      items: [{ content: "u8" }, { content: "u16" }, { content: "u32" }, { content: "u64" }],
    },
    {
      id: ids.blanks,
      type: "fill_blank",
      points: 2,
      explanation: "Владелец у значения всегда один.",
      text: paragraph(
        text("У каждого значения есть "),
        blank(typedBlank),
        text(". Когда он выходит из области видимости, значение "),
        blank(selectedBlank),
        text("."),
      ),
      blanks: [
        { id: typedBlank, accepted: ["владелец"] },
        { id: selectedBlank, options: [{ content: "копируется" }, { content: "удаляется", correct: true }] },
      ],
    },
  ],
});

/** Adds an ID to each option, pair and item, so that saving the quiz again keeps them. */
function withIds<Q extends { questions: object[] }>(quiz: Q): Q {
  let last = 0;
  const withPartIds = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withPartIds);
    if (typeof value !== "object" || value === null || "marks" in value || "attrs" in value) return value;
    const inside = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withPartIds(one)]));
    const isPart = "content" in value || "left" in value;
    if (!isPart || "id" in value || "type" in value) return inside;
    last += 1;
    return { id: `0198f000-0000-7000-8000-00000001${String(last).padStart(4, "0")}`, ...inside };
  };
  return withPartIds(quiz) as Q;
}

export interface Classroom {
  server: Server;
  owner: Account;
  learner: Account;
  courseId: string;
  shareCode: string;
  lessonId: string;
  /** A text page, the quiz, and another text page. */
  pages: [string, string, string];
  quizId: string;
}

/** Creates a course with a quiz between two text pages, its owner, and one learner. */
export async function createClassroom(server: Server, quiz: object = everyKind): Promise<Classroom> {
  const owner = await signUp(server, "Соколова Вера Павловна");
  const learner = await signUp(server, "Иванова Анна Петровна");
  const call = (path: string, body: unknown) =>
    post(server.url, `/api/v1/courses/${path}`, body, owner.token);
  const { id: courseId } = await call("create_course", { title: "Основы Rust" });
  const { id: moduleId } = await call(`create_module/${courseId}`, { title: "Начало" });
  const { id: lessonId } = await call(`create_lesson/${moduleId}`, { title: "Первые шаги" });
  const before = await call(`create_page/${lessonId}`, {
    title: "Переменные",
    content: paragraph(text("Текст.")),
  });
  const page = await call(`create_page/${lessonId}`, { title: "Проверьте себя", kind: "quiz", quiz });
  const after = await call(`create_page/${lessonId}`, {
    title: "Что дальше",
    content: paragraph(text("Ещё.")),
  });
  const { share_code } = await call(`generate_share_code/${courseId}`, {});
  await enroll(server, learner, share_code);
  return {
    server,
    owner,
    learner,
    courseId,
    shareCode: share_code,
    lessonId,
    pages: [before.id, page.id, after.id],
    quizId: page.id,
  };
}

interface Fixtures {
  /** A new course for each test. */
  classroom: Classroom;
}

export const test = base.extend<Fixtures>({
  classroom: async ({ server }, use) => {
    await use(await createClassroom(server));
  },
});

/** Changes the quiz over REST, as its author does in another session. */
export async function changeQuiz({ server, owner, quizId }: Classroom, quiz: object): Promise<void> {
  const answer = await fetch(`${server.url}/api/v1/courses/update_page/${quizId}`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${owner.token}` },
    body: JSON.stringify({ quiz }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

export interface QuizState {
  isCompleted: boolean;
  attemptsLeft: number | null;
  attempts: { percent: number; passed: boolean; score: number }[];
}

/** The attempts of an account at the quiz, as the server has them. */
export async function quizState({ server, quizId }: Classroom, account: Account): Promise<QuizState> {
  const query =
    "query ($id: ID!) { page(id: $id) { isCompleted attemptsLeft attempts { percent passed score } } }";
  return (await graphql(server.url, account.token, query, { id: quizId })).page;
}
