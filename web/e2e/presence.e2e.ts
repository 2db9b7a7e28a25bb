import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { expectAccessible, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { type Account, signUp } from "./api.ts";
import { expect } from "./fixtures.ts";
import {
  test as base,
  type CourseWithPages,
  contentField,
  createCourseWithPages,
  expectSaved,
  storedPage,
  textOf,
  titleField,
  write,
} from "./page-editor.ts";

interface Fixtures {
  owner: Account;
  editor: Account;
  /** A course of `owner` that `editor` may edit. */
  course: CourseWithPages & {
    /** The text of the page as the server has it. */
    storedText: () => Promise<string>;
  };
  /** Opens the page as both accounts and waits until each sees the other. */
  openBoth: () => Promise<{ ownerPage: Page; editorPage: Page }>;
}

const test = base.extend<Fixtures>({
  owner: async ({ server }, use) => {
    await use(await signUp(server, "Соколова Вера Павловна"));
  },

  editor: async ({ server }, use) => {
    await use(await signUp(server, "Петров Пётр Петрович"));
  },

  course: async ({ server, owner, editor }, use) => {
    const content = ["Первый абзац.", "Второй абзац."].map((text) => ({
      type: "paragraph",
      content: [{ type: "text", text }],
    }));
    const course = await createCourseWithPages(server, editor.token, { type: "doc", content });
    // The previous owner of a transferred course stays in it as an editor.
    await graphql(
      server.url,
      editor.token,
      "mutation ($input: HandOverCourseInput!) { handOverCourse(input: $input) { course { id } } }",
      { input: { courseId: course.courseId, email: owner.email } },
    );
    const storedText = async () => textOf((await storedPage(server, owner.token, course.pageId)).content);
    await use({ ...course, storedText });
  },

  openBoth: async ({ owner, editor, course, openEditor }, use) => {
    await use(async () => {
      const { page: ownerPage } = await openEditor(owner, course.pageId);
      const { page: editorPage } = await openEditor(editor, course.pageId);
      await expect(othersHere(ownerPage).getByText(editor.fullName)).toBeAttached();
      await expect(othersHere(editorPage).getByText(owner.fullName)).toBeAttached();
      return { ownerPage, editorPage };
    });
  },
});

const othersHere = (page: Page) => page.getByRole("status").filter({ hasText: "Сейчас здесь" });

test.describe("other users on the page", () => {
  test("are shown beside the block with their cursor", async ({ editor, openBoth }) => {
    const { ownerPage, editorPage } = await openBoth();
    const cursor = ownerPage.getByRole("img", { name: `Курсор здесь: ${editor.fullName}` });
    const isBeside = async (text: string) => {
      const block = await contentField(ownerPage).getByText(text, { exact: true }).boundingBox();
      const shown = await cursor.boundingBox();
      return block !== null && shown !== null && Math.abs(shown.y - block.y) < 16;
    };
    await contentField(editorPage).getByText("Второй абзац.").click();
    await expect(cursor).toBeVisible();
    await expect.poll(() => isBeside("Второй абзац.")).toBe(true);
    await expectAccessible(ownerPage, "the cursor of another user");
    await editorPage.keyboard.press("Control+Home");
    await expect.poll(() => isBeside("Первый абзац.")).toBe(true);
    await resize(ownerPage, { width: 360, height: 800 });
    await expect.poll(() => isBeside("Первый абзац.")).toBe(true);
    await expectNoHorizontalScroll(ownerPage, "the cursor of another user");
    await titleField(editorPage).click();
    await expect(cursor).toHaveCount(0);
  });

  test("are shown to each other until they leave", async ({ owner, course, openBoth }) => {
    const { ownerPage, editorPage } = await openBoth();
    await expect(othersHere(ownerPage)).not.toContainText(owner.fullName);
    await expectAccessible(ownerPage, "another user on the page");
    await resize(ownerPage, { width: 375, height: 812 });
    await expectNoHorizontalScroll(ownerPage, "another user on the page");
    await editorPage.getByRole("link", { name: "Основы языка" }).first().click();
    await editorPage.waitForURL((url) => url.pathname === `/edit-course/${course.courseId}`);
    await expect(othersHere(ownerPage)).toHaveCount(0);
  });

  test("include the user's own second window", async ({ openEditor, owner, course }) => {
    const { page: ownerPage } = await openEditor(owner, course.pageId);
    const { page: again } = await openEditor(owner, course.pageId);
    await expect(othersHere(ownerPage).getByText("вы в другом окне")).toBeAttached();
    await again.close();
    await expect(othersHere(ownerPage)).toHaveCount(0);
  });
});

test.describe("a change of another editor", () => {
  test("appears in an editor without unsaved changes and keeps its cursor", async ({
    editor,
    course,
    openBoth,
  }) => {
    const { ownerPage, editorPage } = await openBoth();
    // The cursor is below the change of the other editor.
    await contentField(ownerPage).focus();
    await ownerPage.keyboard.press("Control+End");
    await contentField(editorPage).focus();
    await editorPage.keyboard.press("Control+Home");
    await editorPage.keyboard.type("Новое начало. ");
    await titleField(editorPage).fill("Новое название");
    await titleField(editorPage).blur();
    await expectSaved(editorPage);
    await expect(contentField(ownerPage).getByText("Новое начало. Первый абзац.")).toBeVisible();
    // The title may arrive after the text.
    await expect(titleField(ownerPage)).toHaveValue("Новое название");
    await expect(ownerPage.getByRole("status").getByText(`Обновлено: ${editor.fullName}`)).toBeAttached();
    await ownerPage.keyboard.type(" И мой конец.");
    await expectSaved(ownerPage);
    const bothTexts = "Новое начало. Первый абзац.Второй абзац. И мой конец.";
    await expect.poll(course.storedText, "both texts").toEqual(bothTexts);
    await expect(contentField(editorPage)).toContainText("И мой конец.");
    // Undo keeps the text of the other editor.
    await ownerPage.keyboard.press("Control+z");
    await expectSaved(ownerPage);
    await expect
      .poll(course.storedText, "the text after undo")
      .toEqual("Новое начало. Первый абзац.Второй абзац.");
  });

  test("is offered beside the user's own unsaved text", async ({ editor, course, openBoth }) => {
    const { ownerPage, editorPage } = await openBoth();
    // The saves of the owner fail for a while.
    await ownerPage.route("**/graphql", (route) =>
      route.request().postDataJSON()?.operationName === "SavePage" ? route.abort() : route.continue(),
    );
    await write(ownerPage, " Моё.");
    await expect(ownerPage.getByText("Нет сети: сохраним позже")).toBeVisible();
    await write(editorPage, " Чужое.");
    await expectSaved(editorPage);
    await expect(contentField(ownerPage)).toContainText("Моё.");
    await ownerPage.unroute("**/graphql");
    await ownerPage.getByRole("button", { name: "Сравнить и выбрать" }).click();
    const dialog = ownerPage.getByRole("dialog", { name: "Два текста одной страницы" });
    await expect(dialog.getByText(editor.fullName).first()).toBeVisible();
    await dialog.getByRole("button", { name: "Оставить мой" }).click();
    await expectSaved(ownerPage);
    await expect.poll(course.storedText, "the chosen text").toEqual("Первый абзац.Второй абзац. Моё.");
    // The other editor has no unsaved text and takes the change.
    await expect(contentField(editorPage)).toContainText("Моё.");
  });

  test("appears after a lost connection", async ({ server, editor, course, openBoth }) => {
    const { ownerPage } = await openBoth();
    await ownerPage.context().setOffline(true);
    await graphql(
      server.url,
      editor.token,
      "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { version } } }",
      { input: { pageId: course.pageId, title: "Пока не было связи" } },
    );
    await ownerPage.context().setOffline(false);
    await server.pause();
    await server.resume();
    await expect(titleField(ownerPage)).toHaveValue("Пока не было связи");
  });

  test("appears when the page is unpublished and when it is deleted", async ({
    server,
    editor,
    course,
    openBoth,
  }) => {
    const { ownerPage, editorPage } = await openBoth();
    await editorPage.getByRole("switch").click();
    await expect(ownerPage.getByRole("switch", { name: "Черновик" })).toBeVisible();
    await graphql(
      server.url,
      editor.token,
      "mutation ($input: DeletePageInput!) { deletePage(input: $input) { pageId } }",
      { input: { pageId: course.pageId } },
    );
    await expect(ownerPage.getByText("Эту страницу удалили.")).toBeVisible();
    await expect(contentField(ownerPage)).toContainText("Второй абзац.");
  });
});
