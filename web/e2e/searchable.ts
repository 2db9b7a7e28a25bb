import type { Page } from "@playwright/test";
import { graphql, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, enroll, signUp } from "./api.ts";
import { createBank } from "./banks.ts";
import { expect } from "./fixtures.ts";

/** Courses and a question bank for the full-text search, created over the API. */

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const filler = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    paragraph(
      `Абзац ${index + 1}. Прочитайте его не спеша: он нужен, чтобы страница не помещалась на экран.`,
    ),
  );

/** The block of the long page that has «циклы», and what it says. */
export const place = {
  block: 24,
  words: "Компилятор проверяет, не образуют ли ссылки циклы, и подсказывает, как их разорвать.",
};

export interface Searchable {
  owner: Account;
  learner: Account;
  courseId: string;
  otherCourseId: string;
  /** A long page with one paragraph about «циклы» in its middle. */
  longId: string;
  /** The draft, which only its authors find. */
  draftId: string;
  quizId: string;
  bankId: string;
}

export async function createSearchable(server: Server): Promise<Searchable> {
  const owner = await signUp(server, "Соколова Вера Павловна");
  const learner = await signUp(server, "Иванова Анна Петровна");
  const call = (path: string, body: unknown) =>
    post(server.url, `/api/v1/courses/${path}`, body, owner.token);
  const createLesson = async (course: string, module: string, lesson: string) => {
    const { id: courseId } = await call("create_course", { title: course });
    const { id: moduleId } = await call(`create_module/${courseId}`, { title: module });
    const { id: lessonId } = await call(`create_lesson/${moduleId}`, { title: lesson });
    const { share_code } = await call(`generate_share_code/${courseId}`, {});
    await enroll(server, learner, share_code);
    return { courseId, lessonId };
  };
  const createPage = async (lessonId: string, page: object): Promise<string> =>
    (await call(`create_page/${lessonId}`, page)).id;
  const doc = (...content: object[]) => ({ type: "doc", content });

  const { courseId, lessonId } = await createLesson("Основы Rust", "Память", "Владение и ссылки");
  const longId = await createPage(lessonId, {
    title: "Умные указатели",
    content: doc(...filler(place.block), paragraph(place.words), ...filler(20)),
  });
  const draftId = await createPage(lessonId, {
    title: "Слабые ссылки",
    published: false,
    content: doc(...filler(2), paragraph("Слабая ссылка не продлевает жизнь значения и разрывает циклы.")),
  });
  const quizId = await createPage(lessonId, {
    title: "Проверьте себя",
    kind: "quiz",
    quiz: {
      pass_percent: 50,
      questions: [
        {
          type: "single_choice",
          prompt: "Кто владеет строкой после вызова функции?",
          options: [{ content: "функция", correct: true }, { content: "никто" }],
        },
        {
          type: "single_choice",
          prompt: "Чем опасен круговорот ссылок?",
          options: [{ content: "утечкой памяти", correct: true }, { content: "ничем" }],
        },
      ],
    },
  });

  const other = await createLesson("Python для начинающих", "Управление", "Повторения");
  await createPage(other.lessonId, {
    title: "Оператор for",
    content: doc(paragraph("Вложенный цикл выполняется на каждом шаге внешнего.")),
  });
  // More than a window of results has.
  for (let number = 1; number <= 22; number++)
    await createPage(other.lessonId, {
      title: `Задача ${number}`,
      content: doc(paragraph(`Напишите программу и найдите остаток от деления на ${number}.`)),
    });
  const bankId = await createBank(server, owner, "Алгоритмы", [
    {
      question: {
        type: "single_choice",
        prompt: "Сколько раз выполнится тело цикла с постусловием?",
        options: [{ content: "хотя бы один", correct: true }, { content: "ни разу" }],
      },
    },
    {
      question: {
        type: "short_text",
        prompt: "Как называется сортировка слиянием?",
        accepted: ["mergesort"],
      },
    },
  ]);
  await expect.poll(() => countOf(server, owner, "остаток")).toBe(22);
  await expect.poll(() => countOf(server, owner, "постусловием")).toBe(1);
  return { owner, learner, courseId, otherCourseId: other.courseId, longId, draftId, quizId, bankId };
}

/** How many results a search has. */
async function countOf(server: Server, { token }: Account, text: string): Promise<number> {
  const query = "query ($text: String!) { searchContent(text: $text) { totalCount } }";
  return (await graphql(server.url, token, query, { text })).searchContent.totalCount;
}

/** The marked words on the screen, and whether the first of them is in the window. */
export function marks(page: Page): Promise<{ words: string[]; isVisible: boolean }> {
  return page.evaluate(() => {
    const ranges = [...(CSS.highlights.get("found-place") ?? [])] as Range[];
    const box = ranges[0]?.getBoundingClientRect();
    return {
      words: ranges.map(String),
      isVisible: box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight,
    };
  });
}

export async function expectMarked(page: Page, ...words: string[]): Promise<void> {
  await expect.poll(() => marks(page)).toEqual({ words, isVisible: true });
}
