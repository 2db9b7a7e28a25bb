import type { Locator, Page } from "@playwright/test";
import type { Server } from "../../scripts/server.mjs";
import { type Account, enroll, generateShareCode, signUp } from "./api.ts";
import { essayQuiz, submitEssay } from "./essays.ts";
import { expect } from "./fixtures.ts";
import { field } from "./ui.ts";

/** A course of one page and one quiz, and its author. */
export interface World {
  author: Account;
  courseId: string;
  pageId: string;
  quizId: string;
}

export interface Form {
  open: (page: Page, world: World) => Promise<unknown>;
  field: (page: Page) => Locator;
  typed: string;
  /** Goes to another screen; without it the form is in a dialog, which closes with Escape and a click outside. */
  leave?: (page: Page) => Promise<unknown>;
  /** Opens the field again, where leaving it has closed it. */
  reopen?: (page: Page) => Promise<unknown>;
  by?: "author" | "superuser" | "visitor";
  /** The device never keeps what was typed. */
  isSecret?: boolean;
}

const toContents = (page: Page) => page.getByRole("link", { name: "Содержание", exact: true }).click();
const toHome = (page: Page) => page.getByRole("link", { name: "Kurso" }).first().click();

/** Publishes the quiz and enrolls a learner, unless the open gradebook has them. */
async function fillGradebook(page: Page, { author, courseId, quizId }: World) {
  const empty = page.getByRole("heading", { name: "Оценивать пока нечего" });
  await empty.or(page.getByRole("grid")).waitFor();
  if (!(await empty.isVisible())) return;
  const server = { url: new URL(page.url()).origin } as Server;
  const question = { type: "short_text", prompt: "Как зовут краба?", accepted: ["Феррис"] };
  const answer = await fetch(`${server.url}/api/v1/courses/update_page/${quizId}`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${author.token}` },
    body: JSON.stringify({ quiz: { questions: [question] }, published: true }),
  });
  expect(answer.ok).toBe(true);
  await enroll(server, await signUp(server), await generateShareCode(server, author, courseId));
  await page.reload();
}

/** Opens an answer to an open question; publishes the quiz and answers it first if needed. */
async function openAnswer(page: Page, { author, courseId, quizId }: World) {
  await page.goto(`/edit-course/${courseId}?tab=grading`);
  const begin = page.getByRole("button", { name: "Начать проверку" });
  const empty = page.getByRole("heading", { name: "Проверять пока нечего" });
  await empty.or(begin).waitFor();
  if (await empty.isVisible()) {
    const server = { url: new URL(page.url()).origin } as Server;
    const answer = await fetch(`${server.url}/api/v1/courses/update_page/${quizId}`, {
      method: "PUT",
      headers: { "content-type": "application/json", authorization: `Bearer ${author.token}` },
      body: JSON.stringify({ quiz: essayQuiz(), published: true }),
    });
    expect(answer.ok).toBe(true);
    const learner = await signUp(server);
    await enroll(server, learner, await generateShareCode(server, author, courseId));
    await submitEssay({ server, quizId }, learner, "Ответ из четырёх слов");
    await page.reload();
  }
  await begin.click();
}

/** The forms of the gradebook and of grading, for forms.e2e.ts. */
export const gradeForms = {
  assessment: {
    open: openAnswer,
    field: (page) => field(page, "Комментарий для ученика"),
    typed: "Хорошо, но без примера",
    leave: toContents,
  },
  grade: {
    open: async (page, world) => {
      const { courseId } = world;
      await page.goto(`/edit-course/${courseId}?tab=grades`);
      await fillGradebook(page, world);
      await page.locator("[data-cell]").first().press("Enter");
    },
    field: (page) => field(page, "Процент"),
    typed: "87,5",
  },
  "grade-category": {
    open: async (page, { courseId }) => {
      await page.goto(`/edit-course/${courseId}?tab=grades&view=settings`);
      await page.getByRole("button", { name: "Добавить категорию", exact: true }).click();
    },
    field: (page) => field(page, "Название"),
    typed: "Контрольные",
  },
  "grade-cells": {
    open: async (page, world) => {
      await page.goto(`/edit-course/${world.courseId}?tab=grades`);
      await fillGradebook(page, world);
      // What was kept over the end of the session waits in its cell for Enter.
      const kept = page.getByRole("grid").and(page.locator(":has([data-problem])"));
      const cell = page.locator("[data-cell]").first();
      await cell.waitFor();
      await cell.press((await kept.isVisible()) ? "Enter" : "8");
    },
    field: (page) => page.getByRole("grid").getByRole("textbox"),
    typed: "87,5",
    leave: toHome,
    // A cell that is left keeps what was typed, and waits for Enter.
    reopen: (page) => page.locator("[data-cell][data-problem]").press("Enter"),
  },
  "grade-import": {
    open: (page, { courseId }) => page.goto(`/edit-course/${courseId}?tab=grades&view=import`),
    field: (page) => field(page, "Причина"),
    typed: "Зачёт в бумажной ведомости",
    leave: toContents,
  },
  "grade-items": {
    open: async (page, { courseId }) => {
      await page.goto(`/edit-course/${courseId}?tab=grades&view=settings`);
      await page
        .getByRole("button", { name: /^Изменить: / })
        .last()
        .click();
    },
    field: (page) => field(page, "Баллы"),
    typed: "12,5",
  },
  "grade-scheme": {
    open: async (page, { courseId }) => {
      await page.goto(`/edit-course/${courseId}?tab=grades&view=settings`);
      await page.getByRole("radio", { name: "Зачёт или незачёт" }).check();
    },
    field: (page) => field(page, "Порог «зачёт», %"),
    typed: "55",
    leave: toContents,
  },
} satisfies Record<string, Form>;
