import { afterAll, beforeAll, beforeEach } from "vitest";
import { graphql, post } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { withBrowser } from "./browser.ts";
import { enroll, type Person, person } from "./people.ts";

export const paragraph = (...content: unknown[]) => ({
  type: "doc",
  content: [{ type: "paragraph", content }],
});
const blank = (blank_id: string) => ({ type: "blank", attrs: { blank_id } });
const text = (words: string) => ({ type: "text", text: words });

/** Ids that tests can name. Learners get their own for pairs and items. */
export const ids = {
  single: "0198f000-0000-7000-8000-000000000001",
  multiple: "0198f000-0000-7000-8000-000000000002",
  text: "0198f000-0000-7000-8000-000000000003",
  numeric: "0198f000-0000-7000-8000-000000000004",
  matching: "0198f000-0000-7000-8000-000000000005",
  ordering: "0198f000-0000-7000-8000-000000000006",
  blanks: "0198f000-0000-7000-8000-000000000007",
};
const written = "0198f000-0000-7000-8000-0000000000b1";
const chosen = "0198f000-0000-7000-8000-0000000000b2";

/** A question of each kind, about Rust, as an author would write them. */
export const everyKind = numbered({
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
        blank(written),
        text(". Когда он выходит из области видимости, значение "),
        blank(chosen),
        text("."),
      ),
      blanks: [
        { id: written, accepted: ["владелец"] },
        { id: chosen, options: [{ content: "копируется" }, { content: "удаляется", correct: true }] },
      ],
    },
  ],
});

/** The same with ids for every part, so that a quiz that is written again has the same parts. */
function numbered<Q extends { questions: object[] }>(quiz: Q): Q {
  let last = 0;
  const numberedParts = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(numberedParts);
    if (typeof value !== "object" || value === null || "marks" in value || "attrs" in value) return value;
    const inside = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, numberedParts(one)]));
    const isPart = "content" in value || "left" in value;
    if (!isPart || "id" in value || "type" in value) return inside;
    last += 1;
    return { id: `0198f000-0000-7000-8000-00000001${String(last).padStart(4, "0")}`, ...inside };
  };
  return numberedParts(quiz) as Q;
}

export interface Classroom {
  server: Server;
  owner: Person;
  learner: Person;
  courseId: string;
  shareCode: string;
  lessonId: string;
  /** A page of text, the quiz, another page of text. */
  pages: [string, string, string];
  quizId: string;
}

/** A course of an owner with a quiz between two pages, and a learner in it. */
export async function classroom(server: Server, quiz: object = everyKind): Promise<Classroom> {
  const owner = await person(server, "Соколова Вера Павловна");
  const learner = await person(server, "Иванова Анна Петровна");
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

/** Of a file of tests that is set up by `withClassroom`: the server of all, and the course that each test has for itself. */
export let server: Server;
export let room: Classroom;

/** Gives a file of tests its browser and its server, and each of its tests a classroom. */
export function withClassroom(): void {
  withBrowser();
  beforeAll(async () => {
    server = await Server.start();
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    room = await classroom(server);
  });
}

/** Changes the quiz as its author does elsewhere. */
export async function changeQuiz({ server, owner, quizId }: Classroom, quiz: object): Promise<void> {
  const answer = await fetch(`${server.url}/api/v1/courses/update_page/${quizId}`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${owner.token}` },
    body: JSON.stringify({ quiz }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

export interface Standing {
  isCompleted: boolean;
  attemptsLeft: number | null;
  attempts: { percent: number; passed: boolean; score: number }[];
}

/** How somebody stands with the quiz, asked beside the browser. */
export async function standing({ server, quizId }: Classroom, who: Person): Promise<Standing> {
  const query =
    "query ($id: ID!) { page(id: $id) { isCompleted attemptsLeft attempts { percent passed score } } }";
  return (await graphql(server.url, who.token, query, { id: quizId })).page;
}
