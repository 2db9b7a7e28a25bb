import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import type { Editor } from "@tiptap/core";
import { graphql } from "../../scripts/client.mjs";
import { admin, root, type Server } from "../../scripts/server.mjs";
import type { Account } from "./api.ts";
import { test as base, expect, type Tab, type TabFor } from "./fixtures.ts";
import { typeAtEnd } from "./ui.ts";

/** A course of one lesson with two pages. */
export interface CourseWithPages {
  courseId: string;
  pageId: string;
  otherPageId: string;
}

export async function createCourseWithPages(
  server: Server,
  token: string,
  content?: unknown,
): Promise<CourseWithPages> {
  const call = (query: string, input: object) => graphql(server.url, token, query, { input });
  const created = await call(
    "mutation ($input: CreateCourseInput!) { createCourse(input: $input) { course { id } } }",
    { title: "Основы языка" },
  );
  const courseId = created.createCourse.course.id;
  const { createModule } = await call(
    "mutation ($input: CreateModuleInput!) { createModule(input: $input) { module { id } } }",
    { courseId, title: "Начало" },
  );
  const { createLesson } = await call(
    "mutation ($input: CreateLessonInput!) { createLesson(input: $input) { lesson { id } } }",
    { moduleId: createModule.module.id, title: "Первый урок" },
  );
  const page = async (title: string, content?: unknown) => {
    const { createPage } = await call(
      "mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }",
      { lessonId: createLesson.lesson.id, title, ...(content ? { content } : {}) },
    );
    return createPage.page.id as string;
  };
  return {
    courseId,
    pageId: await page("Страница", content),
    otherPageId: await page("Владение и заимствование"),
  };
}

export interface StoredPage {
  title: string | null;
  version: number;
  published: boolean;
  content: { type: string; content: StoredNode[] };
}
export interface StoredNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: StoredNode[];
  text?: string;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
}

/** A page as its authors have it on the server: with its unpublished changes, if there are any. */
export async function storedPage(server: Server, token: string, pageId: string): Promise<StoredPage> {
  const query =
    "query ($id: ID!) { page(id: $id) { title version published content pageDraft { title version content } } }";
  const { pageDraft, ...page } = (await graphql(server.url, token, query, { id: pageId })).page;
  return { ...page, ...pageDraft };
}

/** A page as learners see it. */
export async function seenPage(server: Server, token: string, pageId: string): Promise<StoredPage> {
  const query = "query ($id: ID!) { page(id: $id) { title version published content } }";
  return (await graphql(server.url, token, query, { id: pageId })).page;
}

export function textOf(node: StoredNode): string {
  return node.text ?? (node.content ?? []).map(textOf).join("");
}

interface OpenedPage extends Tab, CourseWithPages {
  /** The blocks of the page as the server has them. */
  storedBlocks: () => Promise<StoredNode[]>;
}

interface Fixtures {
  /** Opens a page in the editor, in a new session of an account. */
  openEditor: (
    account: Pick<Account, "email" | "password">,
    pageId: string,
    options?: Parameters<TabFor>[1],
  ) => Promise<Tab>;
  /** Creates a page and opens it in the editor, as the superuser. */
  openNewPage: (content?: StoredNode[]) => Promise<OpenedPage>;
}

export const test = base.extend<Fixtures>({
  openEditor: async ({ tabFor }, use) => {
    await use(async (account, pageId, options) => {
      const tab = await tabFor(account, options);
      await tab.page.goto(`/edit-page/${pageId}`);
      await expect(contentField(tab.page)).toBeVisible();
      return tab;
    });
  },

  openNewPage: async ({ server, adminToken, openEditor }, use) => {
    await use(async (content) => {
      const course = await createCourseWithPages(server, adminToken, content && { type: "doc", content });
      const tab = await openEditor(admin, course.pageId);
      const storedBlocks = async () => (await storedPage(server, adminToken, course.pageId)).content.content;
      return { ...tab, ...course, storedBlocks };
    });
  },
});

export const contentField = (page: Page): Locator => page.getByRole("textbox", { name: "Текст страницы" });
export const titleField = (page: Page): Locator => page.getByRole("textbox", { name: "Название страницы" });

/** The text before the cursor in its block, by the editor's own state, which follows the browser's cursor with a delay. */
export function textBeforeCursor(page: Page): Promise<string> {
  return contentField(page).evaluate((element) => {
    const { $head } = (element as HTMLElement & { editor: Editor }).editor.state.selection;
    return $head.parent.textContent.slice(0, $head.parentOffset);
  });
}

export const paragraph = (text: string): StoredNode => ({
  type: "paragraph",
  content: [{ type: "text", text }],
});

/** Types at the end of the content. */
export const write = (page: Page, text: string): Promise<void> => typeAtEnd(page, contentField(page), text);

/** Expects the save status to become «Сохранено». */
export async function expectSaved(page: Page, timeout?: number): Promise<void> {
  const status = page.getByRole("status").getByText("Сохранено", { exact: true });
  await expect(status).toBeVisible(timeout === undefined ? {} : { timeout });
}

/** Publishes all changes of a course over GraphQL. With `mayConflict`, a conflict with a concurrent change is accepted; then nothing is published. */
export async function publishStored(
  server: Server,
  token: string,
  courseId: string,
  { mayConflict = false } = {},
): Promise<void> {
  const list = `query ($id: ID!) { course(id: $id) { unpublishedChanges { id version pageDraft { version } } } }`;
  const { course } = await graphql(server.url, token, list, { id: courseId });
  type Changed = { id: string; version: number; pageDraft: { version: number } };
  const pages = course.unpublishedChanges.map(({ id, version, pageDraft }: Changed) => ({
    pageId: id,
    version: pageDraft.version,
    pageVersion: version,
  }));
  if (pages.length === 0) return;
  const publish = `mutation ($input: PublishPageDraftsInput!) {
    publishPageDrafts(input: $input) { pages { id } conflicts { id } } }`;
  const { publishPageDrafts } = await graphql(server.url, token, publish, { input: { courseId, pages } });
  if (!mayConflict) expect(publishPageDrafts.conflicts, "conflicts of publishing").toEqual([]);
}

export const publishButton = (page: Page): Locator =>
  page.getByRole("main").getByRole("button", { name: "Опубликовать изменения" });

/** The dialog that shows what publishing changes for learners. */
export const publishDialog = (page: Page): Locator =>
  page.getByRole("dialog", { name: "Что изменится для учеников" });

/** Publishes the changes of the open page. */
export async function publishChanges(page: Page): Promise<void> {
  await publishButton(page).click();
  const dialog = publishDialog(page);
  await dialog.getByRole("button", { name: "Опубликовать изменения" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(publishButton(page)).toHaveCount(0);
}

/** Pastes clipboard data by type, and files, into the page editor. */
export async function paste(page: Page, data: Record<string, string>, files: TestFile[] = []): Promise<void> {
  await contentField(page).focus();
  await pasteIntoFocused(page, data, files);
}

/** The same into whatever has the focus. */
export async function pasteIntoFocused(
  page: Page,
  data: Record<string, string>,
  files: TestFile[] = [],
): Promise<void> {
  await page.evaluate(
    ({ data, files }) => {
      const transfer = new DataTransfer();
      for (const [type, value] of Object.entries(data)) transfer.setData(type, value);
      for (const { name, type, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type }));
      }
      const event = new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    },
    { data, files },
  );
}

/** Copies the selection and returns the clipboard data by type. */
export async function copy(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => {
    const transfer = new DataTransfer();
    const event = new ClipboardEvent("copy", { clipboardData: transfer, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    return Object.fromEntries(transfer.types.map((type) => [type, transfer.getData(type)]));
  });
}

export interface TestFile {
  name: string;
  type: string;
  base64: string;
}

/** An image from the repository. */
export async function image(): Promise<TestFile> {
  const bytes = await readFile(join(root, "docs/screenshots/contents-phone.png"));
  return { name: "схема.png", type: "image/png", base64: bytes.toString("base64") };
}
