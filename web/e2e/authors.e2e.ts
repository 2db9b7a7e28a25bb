import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { eventually, field } from "./app.ts";
import { focused, row, storedOutline, tabTo, writeTitle } from "./authoring.ts";
import { signedIn, withBrowser } from "./browser.ts";
import { type StoredNode, stored, text, textOf, waitUntilSaved } from "./editing.ts";
import { type Person, person } from "./people.ts";

// The whole way of an author without a mouse, on both databases: a course from nothing, a page of text, a quiz, both published,
// the code for the students, and what the page said before.
describe.each(["sqlite", "postgres"] as const)("on %s", (database) => {
  let server: Server;
  let author: Person;

  withBrowser();
  beforeAll(async () => {
    server = await Server.start({ database });
    author = await person(server);
  });
  afterAll(() => server?.stop());

  test("a course with a quiz is written by the keyboard alone", async () => {
    const { page } = await signedIn(server, author);
    const press = (key: string) => page.keyboard.press(key);
    await page.goto("/");
    await tabTo(page, page.getByRole("button", { name: "Создать курс" }));
    await press("Enter");
    await focused(field(page, "Название курса"));
    await page.keyboard.type("Основы Rust");
    await press("Enter");
    await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
    const courseId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

    await tabTo(page, page.getByRole("button", { name: "Добавить модуль" }));
    await press("Enter");
    await writeTitle(page, "Модуль", "Начало");
    await press("Alt+ArrowRight");
    await writeTitle(page, "Урок", "Переменные");
    await press("Alt+ArrowRight");
    await writeTitle(page, "Страница", "Что такое mut");
    await press("Escape");
    await focused(row(page, "Страница «Что такое mut»"));

    // The quiz stands below the page; the page's own menu makes it.
    for (let stop = 0; stop < 3; stop++) await press("Tab");
    await press("Enter");
    await page.getByRole("menuitem", { name: "Открыть" }).waitFor();
    for (let down = 0; down < 3; down++) await press("ArrowDown");
    await press("Enter");
    await writeTitle(page, "Тест", "Проверьте себя");
    await press("Escape");
    await focused(row(page, "Тест «Проверьте себя»"));
    const outline = ["Начало", "  Переменные", "    Что такое mut", "    Проверьте себя (тест)"];
    const drafts = outline.map((line) => (line.startsWith("    ") ? `${line} (черновик)` : line));
    await eventually(() => storedOutline(server, author, courseId), drafts, "the outline");

    // The page: Enter opens it.
    await press("ArrowUp");
    await focused(row(page, "Страница «Что такое mut»"));
    await press("Enter");
    await page.waitForURL((url) => url.pathname.startsWith("/edit-page/"));
    const pageId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await text(page).waitFor();
    await tabTo(page, text(page));
    await page.keyboard.type("## Изменяемость\nПеременная не меняется, пока её не объявить с `mut`. \n");
    await page.keyboard.type("```rust let mut x = 5;");
    await press("Control+Enter");
    await waitUntilSaved(page);
    const blocks = async () =>
      (await stored(server, author.token, pageId)).content.content.map((node: StoredNode) => node.type);
    await eventually(blocks, ["heading", "paragraph", "codeBlock", "paragraph"], "the text");
    await tabTo(page, page.getByRole("switch", { name: "Черновик" }), "Shift+Tab");
    await press("Space");
    await page.getByRole("switch", { name: "Опубликована" }).waitFor();

    // What it said before, and back to the text.
    await tabTo(page, page.getByRole("button", { name: "История" }));
    await press("Enter");
    const history = page.getByRole("dialog", { name: "История страницы" });
    await history.getByText("Изменяемость").first().waitFor();
    await press("Escape");
    await history.waitFor({ state: "detached" });

    // The quiz, through the palette.
    await tabTo(page, page.getByRole("button", { name: "История" }));
    await press("Control+k");
    await focused(page.getByRole("dialog").getByRole("combobox"));
    await page.keyboard.type("проверьте");
    await page
      .getByRole("option", { name: /^Проверьте себя/ })
      .first()
      .waitFor();
    await press("Enter");
    await page.getByRole("heading", { name: "Вопросы", exact: true }).waitFor();
    const quizId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await tabTo(page, page.getByRole("group", { name: "Добавить вопрос" }).getByRole("button").first());
    await press("Enter");
    await tabTo(page, box(page, "Вопрос"));
    await page.keyboard.insertText("Какое слово делает переменную изменяемой?");
    await tabTo(page, box(page, "Вариант 1"));
    await page.keyboard.insertText("mut");
    await tabTo(page, box(page, "Вариант 2"));
    await page.keyboard.insertText("var");
    await tabTo(page, page.getByRole("radio", { name: "Вариант 1 верный" }), "Shift+Tab");
    await press("Space");
    await waitUntilSaved(page);
    await tabTo(page, page.getByRole("switch", { name: "Черновик" }), "Shift+Tab");
    await press("Space");
    await page.getByRole("switch", { name: "Опубликована" }).waitFor();
    await eventually(() => storedOutline(server, author, courseId), outline, "all of it published");
    const { page: quiz } = await graphql(
      server.url,
      author.token,
      "query ($id: ID!) { page(id: $id) { authorQuiz } }",
      { id: quizId },
    );
    const [question] = quiz.authorQuiz.questions;
    expect(question.options.map((one: Option) => [textOf(one.content), one.correct])).toEqual([
      ["mut", true],
      ["var", false],
    ]);

    // The settings, and the code that the students will type.
    await tabTo(page, page.getByRole("link", { name: "Основы Rust" }).first(), "Shift+Tab");
    await press("Enter");
    await page.waitForURL((url) => url.pathname === `/edit-course/${courseId}`);
    await tabTo(page, page.getByRole("link", { name: "Настройки", exact: true }).first());
    await press("Enter");
    await tabTo(page, page.getByRole("button", { name: "Создать код" }));
    await press("Enter");
    await page.getByRole("img", { name: /QR-код/ }).waitFor();
  });
});

interface Option {
  content: StoredNode;
  correct: boolean;
}

function box(page: Page, name: string): Locator {
  return page.getByRole("textbox", { name, exact: true });
}
