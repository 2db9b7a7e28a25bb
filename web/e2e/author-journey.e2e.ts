import type { Locator, Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { signUp } from "./api.ts";
import { row, storedOutline, typeTitle } from "./course-outline.ts";
import { expect, test } from "./fixtures.ts";
import { contentField, expectSaved, type StoredNode, storedPage, textOf } from "./page-editor.ts";
import { field, tabTo } from "./ui.ts";

// The journey of an author on both databases: a new course, a text page, a quiz, their publication, the history, and the share
// code.
for (const database of ["sqlite", "postgres"] as const) {
  test.describe(`on ${database}`, () => {
    test.use({ database });

    test("an author creates, fills and publishes a course with a quiz using only the keyboard", async ({
      server,
      tabFor,
    }) => {
      const author = await signUp(server);
      const { page } = await tabFor(author);
      const press = (key: string) => page.keyboard.press(key);
      await page.goto("/");
      await tabTo(page, page.getByRole("button", { name: "Создать курс" }));
      await press("Enter");
      await expect(field(page, "Название курса")).toBeFocused();
      await page.keyboard.type("Основы Rust");
      await press("Enter");
      await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
      const courseId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

      await tabTo(page, page.getByRole("button", { name: "Добавить модуль" }));
      await press("Enter");
      await typeTitle(page, "Модуль", "Начало");
      await press("Alt+ArrowRight");
      await typeTitle(page, "Урок", "Переменные");
      await press("Alt+ArrowRight");
      await typeTitle(page, "Страница", "Что такое mut");
      await press("Escape");
      await expect(row(page, "Страница «Что такое mut»")).toBeFocused();

      // The menu of the page creates a quiz below the page.
      for (let stop = 0; stop < 3; stop++) await press("Tab");
      await press("Enter");
      await expect(page.getByRole("menuitem", { name: "Открыть" })).toBeVisible();
      for (let down = 0; down < 3; down++) await press("ArrowDown");
      await press("Enter");
      await typeTitle(page, "Тест", "Проверьте себя");
      await press("Escape");
      await expect(row(page, "Тест «Проверьте себя»")).toBeFocused();
      const outline = ["Начало", "  Переменные", "    Что такое mut", "    Проверьте себя (тест)"];
      const drafts = outline.map((line) => (line.startsWith("    ") ? `${line} (черновик)` : line));
      await expect.poll(() => storedOutline(server, author, courseId), "the outline").toEqual(drafts);

      // Enter opens the page in the editor.
      await press("ArrowUp");
      await expect(row(page, "Страница «Что такое mut»")).toBeFocused();
      await press("Enter");
      await page.waitForURL((url) => url.pathname.startsWith("/edit-page/"));
      const pageId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      await expect(contentField(page)).toBeVisible();
      await tabTo(page, contentField(page));
      await page.keyboard.type("## Изменяемость\nПеременная не меняется, пока её не объявить с `mut`. \n");
      await page.keyboard.type("```rust let mut x = 5;");
      await press("Control+Enter");
      await expectSaved(page);
      const blocks = async () =>
        (await storedPage(server, author.token, pageId)).content.content.map((node: StoredNode) => node.type);
      await expect.poll(blocks, "the text").toEqual(["heading", "paragraph", "codeBlock", "paragraph"]);
      await tabTo(page, page.getByRole("switch", { name: "Черновик" }), "Shift+Tab");
      await press("Space");
      await expect(page.getByRole("switch", { name: "Опубликована" })).toBeVisible();

      // Open and close the history.
      await tabTo(page, page.getByRole("button", { name: "История" }));
      await press("Enter");
      const history = page.getByRole("dialog", { name: "История страницы" });
      await expect(history.getByText("Изменяемость").first()).toBeVisible();
      await press("Escape");
      await expect(history).toHaveCount(0);

      // Open the quiz with the command palette.
      await tabTo(page, page.getByRole("button", { name: "История" }));
      await press("Control+k");
      await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
      await page.keyboard.type("проверьте");
      await expect(page.getByRole("option", { name: /^Проверьте себя/ }).first()).toBeVisible();
      await press("Enter");
      await expect(page.getByRole("heading", { name: "Вопросы", exact: true })).toBeVisible();
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
      await expectSaved(page);
      await tabTo(page, page.getByRole("switch", { name: "Черновик" }), "Shift+Tab");
      await press("Space");
      await expect(page.getByRole("switch", { name: "Опубликована" })).toBeVisible();
      await expect
        .poll(() => storedOutline(server, author, courseId), "everything published")
        .toEqual(outline);
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

      // Create a share code in the settings.
      await tabTo(page, page.getByRole("link", { name: "Основы Rust" }).first(), "Shift+Tab");
      await press("Enter");
      await page.waitForURL((url) => url.pathname === `/edit-course/${courseId}`);
      await tabTo(page, page.getByRole("link", { name: "Настройки", exact: true }).first());
      await press("Enter");
      await tabTo(page, page.getByRole("button", { name: "Создать код" }));
      await press("Enter");
      await expect(page.getByRole("img", { name: /QR-код/ })).toBeVisible();
    });
  });
}

interface Option {
  content: StoredNode;
  correct: boolean;
}

function box(page: Page, name: string): Locator {
  return page.getByRole("textbox", { name, exact: true });
}
