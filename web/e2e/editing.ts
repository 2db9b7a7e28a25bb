import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Editor } from "@tiptap/core";
import type { Locator, Page } from "playwright-core";
import { graphql } from "../../scripts/client.mjs";
import { admin, root, type Server } from "../../scripts/server.mjs";
import { signedIn, type sizes, type Tab, type Theme } from "./browser.ts";
import type { Person } from "./people.ts";

/** A course of one lesson for a test of its own. */
export interface Draft {
  courseId: string;
  pageId: string;
  /** The second page of the lesson. */
  otherId: string;
}

export async function draftCourse(server: Server, token: string, content?: unknown): Promise<Draft> {
  const call = (query: string, input: object) => graphql(server.url, token, query, { input });
  const made = await call(
    "mutation ($input: CreateCourseInput!) { createCourse(input: $input) { course { id } } }",
    {
      title: "Основы языка",
    },
  );
  const courseId = made.createCourse.course.id;
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
    otherId: await page("Владение и заимствование"),
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

/** What the server holds, asked beside the browser. */
export async function stored(server: Server, token: string, pageId: string): Promise<StoredPage> {
  const query = "query ($id: ID!) { page(id: $id) { title version published content } }";
  return (await graphql(server.url, token, query, { id: pageId })).page;
}

export function textOf(node: StoredNode): string {
  return node.text ?? (node.content ?? []).map(textOf).join("");
}

/** The page in an editor. */
export async function openEditor(
  server: Server,
  who: Pick<Person, "email" | "password"> = admin,
  pageId: string,
  options: { size?: keyof typeof sizes; theme?: Theme } = {},
): Promise<Tab> {
  const tab = await signedIn(server, who, options);
  await tab.page.goto(`/edit-page/${pageId}`);
  await text(tab.page).waitFor();
  return tab;
}

export const text = (page: Page): Locator => page.getByRole("textbox", { name: "Текст страницы" });
export const title = (page: Page): Locator => page.getByRole("textbox", { name: "Название страницы" });

/** What the editor itself takes to be before the cursor, in its block: the browser tells it of a moved cursor a moment later. */
export function textBeforeCursor(page: Page): Promise<string> {
  return text(page).evaluate((element) => {
    const { $head } = (element as HTMLElement & { editor: Editor }).editor.state.selection;
    return $head.parent.textContent.slice(0, $head.parentOffset);
  });
}

/** Waits until the screen says that all is saved, after it said that something is not. */
export async function waitUntilSaved(page: Page): Promise<void> {
  await page.getByRole("status").getByText("Сохранено", { exact: true }).waitFor();
}

/** Puts things on the clipboard as the browser gives them to a page, and pastes them. */
export async function paste(page: Page, data: Record<string, string>, files: TestFile[] = []): Promise<void> {
  await text(page).focus();
  await page.evaluate(
    ({ data, files }) => {
      const transfer = new DataTransfer();
      for (const [type, value] of Object.entries(data)) transfer.setData(type, value);
      for (const { name, type, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type }));
      }
      const event = new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    },
    { data, files },
  );
}

/** What the editor puts on the clipboard of what is chosen. */
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

/** A picture of some size that the repository has. */
export async function picture(): Promise<TestFile> {
  const bytes = await readFile(join(root, "docs/screenshots/contents-phone.png"));
  return { name: "схема.png", type: "image/png", base64: bytes.toString("base64") };
}
