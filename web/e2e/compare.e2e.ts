import type { Locator, Page } from "@playwright/test";
import { graphql, post } from "../../scripts/client.mjs";
import { admin, type Server } from "../../scripts/server.mjs";
import {
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { signUp } from "./api.ts";
import { expect } from "./fixtures.ts";
import { createCourseWithPages, paragraph, type StoredNode, test } from "./page-editor.ts";
import { tabTo } from "./ui.ts";

// Comparing versions of a page in its history.

const doc = (...content: StoredNode[]) => ({ type: "doc", content });
const code = (text: string): StoredNode => ({
  type: "codeBlock",
  attrs: { language: "python" },
  content: [{ type: "text", text }],
});
const table = (...rows: string[][]): StoredNode => ({
  type: "table",
  content: rows.map((cells) => ({
    type: "tableRow",
    content: cells.map((cell) => ({ type: "tableCell", content: [paragraph(cell)] })),
  })),
});
const picture = (src: string): StoredNode => ({ type: "image", attrs: { src, alt: "Схема" } });
const lines = Array.from({ length: 30 }, (_, at) => `step(${at})`).join("\n");
const unchanged = Array.from({ length: 6 }, (_, at) => paragraph(`Абзац ${at} без изменений.`));

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The address of a new picture. */
async function upload(server: Server, token: string, name: string): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([Buffer.from(PNG, "base64")], { type: "image/png" }), name);
  const answer = await fetch(`${server.url}/api/v1/courses/upload_file`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return ((await answer.json()) as { url: string }).url;
}

/** Saves a page as a new version. */
async function save(server: Server, token: string, pageId: string, changes: object): Promise<void> {
  const { page } = await graphql(server.url, token, "query ($id: ID!) { page(id: $id) { version } }", {
    id: pageId,
  });
  await graphql(
    server.url,
    token,
    "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { version } } }",
    { input: { pageId, version: page.version, ...changes } },
  );
}

async function openChanges(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "История", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "История страницы" });
  await dialog.getByRole("checkbox", { name: "Показать изменения" }).check();
  return dialog;
}

const changes = (dialog: Locator, name: string): Locator => dialog.getByRole("group", { name, exact: true });

test("marks changes of words, lines, rows and blocks", async ({ server, openEditor }) => {
  const owner = await signUp(server);
  const [one, other] = [
    await upload(server, owner.token, "one.png"),
    await upload(server, owner.token, "two.png"),
  ];
  const moved = paragraph("Этот абзац стоял в самом конце страницы.");
  const { pageId } = await createCourseWithPages(
    server,
    owner.token,
    doc(
      paragraph("Рыжий кот ест рыбу."),
      ...unchanged,
      code(`begin()\n${lines}\nreturn left`),
      table(["Тип", "Размер"], ["u8", "1 байт"]),
      picture(one),
      paragraph("Этого абзаца больше не будет."),
      moved,
    ),
  );
  await save(server, owner.token, pageId, {
    title: "Другая страница",
    content: doc(
      moved,
      paragraph("Рыжий кот ест мясо."),
      ...unchanged,
      code(`begin()\n${lines}\nreturn right`),
      table(["Тип", "Размер"], ["u8", "1 байт"], ["u16", "2 байта"]),
      picture(other),
      paragraph("А вот совсем новый текст про мышей и сыр."),
    ),
  });
  const { page } = await openEditor(owner, pageId);
  const dialog = await openChanges(page);
  await expect(dialog.getByText("8 изменений")).toBeVisible();

  await expect(changes(dialog, "Название").locator("ins, del")).toHaveText([/Страница/, /Другая страница/]);
  const words = changes(dialog, "Изменено").first();
  await expect(words.locator("del")).toHaveText(/^удалено: рыбу/);
  await expect(words.locator("ins")).toHaveText(/^вставлено: мясо/);
  const block = changes(dialog, "Изменено").filter({ hasText: "return right" });
  await expect(block.locator("del")).toContainText("return left");
  await expect(block.locator("ins")).toContainText("return right");
  await expect(block.getByText("step(10)")).toHaveCount(0);
  await block.getByRole("button", { name: /строк без изменений/ }).click();
  await expect(block.getByText("step(10)")).toBeVisible();
  const rows = changes(dialog, "Изменено").filter({ hasText: "u16" }).getByRole("row");
  await expect(rows.filter({ hasText: "u16" }).locator("ins")).toHaveText([/u16/, /2 байта/]);
  await expect(rows.filter({ hasText: "u8" }).locator("ins")).toHaveCount(0);
  const pictures = changes(dialog, "Изменено").getByRole("img");
  await expect(pictures).toHaveCount(2);
  await expect(pictures.first()).toHaveAttribute("src", one);
  await expect(pictures.last()).toHaveAttribute("src", other);
  await expect(changes(dialog, "Перемещено выше")).toContainText("Этот абзац стоял");
  await expect(dialog.getByText("Отсюда перемещено выше")).toBeVisible();
  await expect(changes(dialog, "Удалено")).toContainText("Этого абзаца больше не будет.");
  await expect(changes(dialog, "Добавлено")).toContainText("совсем новый текст");
  // Equal blocks around a change are its context; the others are folded.
  await expect(dialog.getByText("Абзац 2 без изменений.")).toHaveCount(0);
  await dialog.getByRole("button", { name: "4 абзаца без изменений" }).click();
  await expect(dialog.getByText("Абзац 2 без изменений.")).toBeVisible();
  await expectAccessibleInBothThemes(page, "the changes of a page");

  // Side by side, each column has its own text.
  await dialog.getByRole("button", { name: "Рядом" }).click();
  const sides = words.locator("p").filter({ hasText: "Рыжий" });
  await expect(sides.first()).toContainText("рыбу");
  await expect(sides.first()).not.toContainText("мясо");
  await expect(sides.last()).toContainText("мясо");
  await expectAccessible(page, "the changes side by side");

  await resize(page, { width: 360, height: 740 });
  await expect(dialog.getByRole("button", { name: "Рядом" })).toHaveCount(0);
  await expect(words.locator("del")).toBeVisible();
  await expectNoHorizontalScroll(page, "the changes on a phone");
  await expectAccessible(page, "the changes on a phone");
});

test("compares any two versions by keyboard", async ({ server, openEditor }) => {
  const owner = await signUp(server);
  const { pageId } = await createCourseWithPages(server, owner.token, doc(paragraph("Кот спит.")));
  await save(server, owner.token, pageId, { content: doc(paragraph("Кот ест.")) });
  await save(server, owner.token, pageId, { content: doc(paragraph("Кот ест рыбу.")) });
  const { page } = await openEditor(owner, pageId);
  await page.getByRole("button", { name: "История", exact: true }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "История страницы" });
  await tabTo(page, dialog.getByRole("checkbox", { name: "Показать изменения" }));
  await page.keyboard.press("Space");
  // The dialog starts with the changes of the newest version.
  const change = changes(dialog, "Изменено");
  await expect(change.locator("ins")).toHaveText(/рыбу/);
  await expect(change.locator("del")).toHaveCount(0);
  const other = dialog.getByRole("combobox", { name: "Сравнить с версией" });
  await tabTo(page, other);
  await page.keyboard.press("ArrowDown");
  await expect(change.locator("ins")).toHaveText(/ест рыбу/);
  await expect(change.locator("del")).toHaveText(/спит/);
  await tabTo(page, dialog.getByRole("button", { name: "К следующему изменению" }));
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("status").filter({ hasText: "1 из 1" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});

test("compares the questions of a quiz by field", async ({ server, openEditor }) => {
  const owner = await signUp(server);
  const { courseId } = await createCourseWithPages(server, owner.token);
  const query = "query ($id: ID!) { course(id: $id) { modules { lessons { id } } } }";
  const { course } = await graphql(server.url, owner.token, query, { id: courseId });
  const id = (end: string) => `0198f000-0000-7000-8000-00000000c0${end}`;
  const question = (changed: boolean) => ({
    id: id("01"),
    type: "single_choice",
    prompt: changed ? "Сколько байт в типе u32?" : "Сколько байт в u32?",
    points: changed ? 2 : 1,
    options: [
      { id: id("11"), content: "Четыре", correct: !changed },
      { id: id("12"), content: changed ? "Ровно восемь" : "Восемь", correct: changed },
    ],
  });
  const text = { id: id("02"), type: "short_text", prompt: "Кто владеет значением?", accepted: ["имя"] };
  const { id: pageId } = await post(
    server.url,
    `/api/v1/courses/create_page/${course.modules[0].lessons[0].id}`,
    { title: "Тест", kind: "quiz", quiz: { pass_percent: 70, questions: [text, question(false)] } },
    owner.token,
  );
  await save(server, owner.token, pageId, {
    quiz: { pass_percent: 80, max_attempts: 3, questions: [question(true)] },
  });
  const { page } = await openEditor(owner, pageId);
  const dialog = await openChanges(page);
  const settings = changes(dialog, "Настройки теста");
  await expect(settings).toContainText("Сколько процентов нужно");
  await expect(settings.locator("del")).toHaveText([/70/, /без ограничений/]);
  await expect(settings.locator("ins")).toHaveText([/80/, /3/]);
  await expect(changes(dialog, "Вопрос 1, удалён")).toContainText("Кто владеет значением?");
  const changed = changes(dialog, "Вопрос 1, изменён");
  for (const field of ["Вопрос", "Баллы", "Вариант 1 верный", "Вариант 2", "Вариант 2 верный"])
    await expect(changed.getByRole("term").filter({ hasText: new RegExp(`^${field}$`) })).toBeVisible();
  await expect(changed.locator("ins").first()).toHaveText(/типе/);
  await expectAccessibleInBothThemes(page, "the changes of a quiz");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the changes of a quiz on a phone");
});

test("says that two versions are the same", async ({ server, adminToken, openEditor }) => {
  const { pageId } = await createCourseWithPages(server, adminToken, doc(paragraph("Кот спит.")));
  await save(server, adminToken, pageId, { title: "Другое название" });
  await save(server, adminToken, pageId, { title: "Страница" });
  const { page } = await openEditor(admin, pageId);
  const dialog = await openChanges(page);
  await expect(changes(dialog, "Название")).toBeVisible();
  await dialog.getByRole("combobox", { name: "Сравнить с версией" }).selectOption({ index: 1 });
  await expect(dialog.getByText("Тексты одинаковые.")).toBeVisible();
});
