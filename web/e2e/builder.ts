import type { Locator, Page } from "@playwright/test";
import { graphql, post } from "../../scripts/client.mjs";
import { test as base, type Classroom } from "./classroom.ts";
import { expect, type TabFor } from "./fixtures.ts";

/** Fixtures and actions of the tests of the quiz builder. */

interface Fixtures {
  /** The ID of an unpublished quiz page without questions. */
  draftId: string;
  /** Opens a quiz page in the builder as the owner. */
  openBuilder: (pageId: string, options?: Parameters<TabFor>[1]) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  draftId: async ({ server, classroom }, use) => {
    const body = { title: "Черновик теста", kind: "quiz", published: false };
    const path = `/api/v1/courses/create_page/${classroom.lessonId}`;
    const { id } = await post(server.url, path, body, classroom.owner.token);
    await use(id);
  },

  openBuilder: async ({ classroom, tabFor }, use) => {
    await use(async (pageId, options) => {
      const { page } = await tabFor(classroom.owner, options);
      await page.goto(`/edit-page/${pageId}`);
      await expect(page.getByRole("heading", { name: "Вопросы", exact: true })).toBeVisible();
      return page;
    });
  },
});

interface StoredQuiz {
  pass_percent: number;
  max_attempts: number | null;
  reveal: string;
  shuffle_options: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read the fields of questions of every kind
  questions: any[];
}

/** The quiz as its authors have it on the server: with its unpublished changes, if there are any. */
export async function storedQuiz({ server, owner }: Classroom, id: string): Promise<StoredQuiz> {
  const query = "query ($id: ID!) { page(id: $id) { authorQuiz pageDraft { authorQuiz } } }";
  const { page } = await graphql(server.url, owner.token, query, { id });
  return page.pageDraft?.authorQuiz ?? page.authorQuiz;
}

/** The quiz that learners take, with its answers. */
export async function seenQuiz({ server, owner }: Classroom, id: string): Promise<StoredQuiz> {
  const query = "query ($id: ID!) { page(id: $id) { authorQuiz } }";
  return (await graphql(server.url, owner.token, query, { id })).page.authorQuiz;
}

interface DocumentNode {
  text?: string;
  type?: string;
  content?: DocumentNode[];
}

/** The text of a document with `_` for each blank. */
export function textOf(node: DocumentNode): string {
  if (node.type === "blank") return "_";
  return node.text ?? (node.content ?? []).map((child) => textOf(child)).join("");
}

export function box(page: Page | Locator, name: string): Locator {
  return page.getByRole("textbox", { name, exact: true });
}

export async function write(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.page().keyboard.insertText(text);
}

export async function add(page: Page, kind: string): Promise<void> {
  await page
    .getByRole("group", { name: "Добавить вопрос" })
    .getByRole("button", { name: kind, exact: true })
    .click();
  const prompt = page.getByRole("textbox", { name: /^(Вопрос|Задание)/ }).last();
  await expect(prompt).toBeVisible();
}

/** Opens a source of existing questions: «Из банка вопросов…», «Из другого теста…», «Вставить текст…». */
export async function openReady(page: Page, source: string): Promise<void> {
  await page.getByRole("button", { name: "Готовые вопросы" }).click();
  await page.getByRole("menuitem", { name: source }).click();
}

export const savedState = (page: Page) => page.getByRole("status").filter({ hasText: "Сохранено" });
