import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { admin } from "../../scripts/server.mjs";
import { applyTheme, expectAccessible, expectNoHorizontalScroll } from "./accessibility.ts";
import { enroll, generateShareCode, signUp } from "./api.ts";
import { row } from "./course-outline.ts";
import { expect } from "./fixtures.ts";
import {
  contentField,
  createCourseWithPages,
  expectSaved,
  paragraph,
  paste,
  storedPage,
  test,
  textOf,
  write,
} from "./page-editor.ts";
import { signIn } from "./ui.ts";

test.describe("two windows with one page", () => {
  test("show both texts of a conflict and save the chosen one", async ({ openEditor, openNewPage }) => {
    const { page, pageId, storedBlocks } = await openNewPage([paragraph("общее")]);
    const other = await openEditor(admin, pageId);
    let release = await holdSaves(page);
    await write(page, " первое окно");
    await write(other.page, " второе окно");
    await expectSaved(other.page);
    release();
    await expect(page.getByText("Пока вы писали, страницу сохранили в другом месте")).toBeVisible();
    await expect(page.getByText("Страницу изменили в другом месте")).toBeVisible();
    await page.getByRole("button", { name: "Сравнить и выбрать" }).click();
    const dialog = page.getByRole("dialog", { name: "Два текста одной страницы" });
    await expect(dialog.getByText("общее первое окно")).toBeVisible();
    await expect(dialog.getByText("общее второе окно")).toBeVisible();
    await expectAccessible(page, "the conflict");
    release = await holdSaves(other.page);
    await write(other.page, "!");
    await dialog.getByRole("button", { name: "Оставить мой" }).click();
    await expectSaved(page);
    await expect
      .poll(async () => (await storedBlocks()).map(textOf), "the chosen text")
      .toEqual(["общее первое окно"]);

    // The other window now has the outdated text. It takes the saved text and undoes that.
    release();
    await other.page.getByRole("button", { name: "Сравнить и выбрать" }).click();
    await other.page.getByRole("button", { name: "Взять сохранённый" }).click();
    await expect(other.page.getByText("общее первое окно")).toBeVisible();
    await expectSaved(other.page);
    await contentField(other.page).focus();
    await other.page.keyboard.press("Control+z");
    await expectSaved(other.page);
    await expect
      .poll(async () => (await storedBlocks()).map(textOf), "undone")
      .toEqual(["общее второе окно!"]);
  });
});

/** Delays the save requests of a window until the returned function is called. */
async function holdSaves(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/graphql", async (route) => {
    if (route.request().postDataJSON()?.operationName === "SavePage") await released;
    await route.continue();
  });
  return release;
}

test.describe("history", () => {
  test("shows an earlier version and restores it", async ({ server, adminToken, openNewPage }) => {
    const { page, pageId, storedBlocks } = await openNewPage([paragraph("первое")]);
    await write(page, " и второе");
    await expectSaved(page);
    await page.getByRole("button", { name: "История" }).click();
    const dialog = page.getByRole("dialog", { name: "История страницы" });
    await expect(dialog.getByText("первое и второе")).toBeVisible();
    await dialog.getByRole("list", { name: "Версии" }).getByRole("button").last().click();
    await expect(dialog.getByText("первое", { exact: true })).toBeVisible();
    await expectAccessible(page, "the history");
    await dialog.getByRole("button", { name: "Вернуть эту версию" }).click();
    await expect(page.getByText("Страница снова такая, как была")).toBeVisible();
    await expect.poll(async () => (await storedBlocks()).map(textOf), "restored").toEqual(["первое"]);
    await expect(contentField(page)).toHaveText("первое");
    // The next edit causes no conflict.
    await write(page, "!");
    await expectSaved(page);
    await expect
      .poll(async () => textOf((await storedPage(server, adminToken, pageId)).content), "the next edit")
      .toEqual("первое!");
  });
});

test.describe("page header and preview", () => {
  test("unpublishes the page, and previews it with unsaved changes", async ({
    server,
    adminToken,
    openNewPage,
  }) => {
    const { page, pageId } = await openNewPage([paragraph("начало")]);
    await page.getByRole("switch", { name: "Опубликована" }).click();
    await expect(page.getByRole("switch", { name: "Черновик" })).toBeVisible();
    await expect
      .poll(async () => (await storedPage(server, adminToken, pageId)).published, "unpublished")
      .toEqual(false);
    await write(page, ", конец");
    await page.getByRole("button", { name: "Как видит ученик" }).click();
    await expect(page.getByText("начало, конец").filter({ visible: true })).toBeVisible();
    await expect(contentField(page)).toBeHidden();
    await page.getByRole("button", { name: "Вернуться к правке" }).click();
    await expect(contentField(page)).toBeVisible();
  });

  test("counts words", async ({ openNewPage }) => {
    const { page } = await openNewPage([paragraph("раз два три")]);
    await expect(page.getByText("3 слова")).toBeVisible();
    await write(page, " четыре пять");
    await expect(page.getByText("5 слов", { exact: true })).toBeVisible();
  });

  test("redirects a learner to the reading screen and shows 404 to others", async ({
    server,
    adminToken,
    tabFor,
    openNewPage,
  }) => {
    const { pageId, courseId, consoleErrors } = await openNewPage([paragraph("текст")]);
    const shareCode = await generateShareCode(server, { token: adminToken }, courseId);
    const learner = await signUp(server);
    await enroll(server, learner, shareCode);
    const { page } = await tabFor(learner);
    await page.goto(`/edit-page/${pageId}`);
    await page.waitForURL(`**/view-page/${pageId}`);
    await expect(page.getByText("текст")).toBeVisible();
    const otherUser = await tabFor(await signUp(server));
    await otherUser.page.goto(`/edit-page/${pageId}`);
    await expect(otherUser.page.getByRole("heading", { name: "Упс!" })).toBeVisible();
    expect(consoleErrors).toEqual([]);
  });
});

test.describe("unsaved text", () => {
  test("is kept while offline and saved after the network returns", async ({ openNewPage }) => {
    const { page, context, storedBlocks } = await openNewPage();
    await context.setOffline(true);
    await write(page, "написано без сети");
    await expect(page.getByText("Нет сети: сохраним позже")).toBeVisible();
    await context.setOffline(false);
    await expectSaved(page);
    await expect.poll(async () => (await storedBlocks()).map(textOf), "saved").toEqual(["написано без сети"]);
  });

  test("is restored and sent after the tab closes while offline", async ({ openNewPage }) => {
    const { page, context, pageId, storedBlocks } = await openNewPage([paragraph("было")]);
    await context.setOffline(true);
    await write(page, " и стало");
    await expect(page.getByText("Нет сети: сохраним позже")).toBeVisible();
    await page.close();
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(`/edit-page/${pageId}`);
    await expect(contentField(again)).toHaveText("было и стало");
    await expectSaved(again);
    await expect.poll(async () => (await storedBlocks()).map(textOf), "sent").toEqual(["было и стало"]);
    await expect(again.getByText("остался несохранённый текст")).toHaveCount(0);
  });

  test("marks its course at home and its page in the outline", async ({ openNewPage }) => {
    const { page, context, courseId } = await openNewPage([paragraph("было")]);
    const other = await context.newPage();
    await other.goto("/");
    const mark = other.getByText("Есть неотправленный текст");
    await expect(other.getByRole("heading", { level: 3 }).first()).toBeVisible();
    await expect(mark).toHaveCount(0);
    // The other windows stay connected.
    await page.route("**/graphql", (route) => route.abort());
    await write(page, " и стало");
    await expect(page.getByText("Нет сети: сохраним позже")).toBeVisible();
    await page.close();
    // The browser releases the drafts of a closed page a moment later.
    await expect(async () => {
      await other.evaluate(() => window.dispatchEvent(new Event("focus")));
      await expect(mark).toBeVisible({ timeout: 1000 });
    }).toPass();
    await other.goto(`/edit-course/${courseId}`);
    await expect(other.getByText("Не отправлено")).toBeVisible();
  });

  test("is announced, offered and compared when the page has changed meanwhile", async ({
    server,
    adminToken,
    openNewPage,
  }) => {
    const { page, context, courseId, pageId, storedBlocks } = await openNewPage([paragraph("было")]);
    await context.setOffline(true);
    await write(page, " и стало");
    await expect(page.getByText("Нет сети: сохраним позже")).toBeVisible();
    await page.close();
    await context.setOffline(false);
    await graphql(
      server.url,
      adminToken,
      "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }",
      { input: { pageId, content: { type: "doc", content: [paragraph("стало иначе")] } } },
    );
    const again = await context.newPage();
    // The outline marks the page, and every screen but that of the page shows a notice.
    await again.goto(`/edit-course/${courseId}`);
    await expect(row(again, "Страница «Страница»").getByText("Не отправлено")).toBeVisible();
    await expect(again.getByText("Есть несохранённый текст: «Страница».")).toBeVisible();
    await again.getByRole("link", { name: "Открыть" }).click();
    await again.waitForURL(`**/edit-page/${pageId}`);
    await expect(again.getByText("остался несохранённый текст")).toBeVisible();
    await expect(contentField(again)).toHaveText("стало иначе");
    await again.getByRole("button", { name: "Сравнить" }).click();
    await expect(again.getByRole("dialog").getByText("было и стало")).toBeVisible();
    await expectAccessible(again, "the offered text");
    await again.getByRole("dialog").getByRole("button", { name: "Вернуть его" }).click();
    await expectSaved(again);
    await expect.poll(async () => (await storedBlocks()).map(textOf), "restored").toEqual(["было и стало"]);
    await again.reload();
    await expect(contentField(again)).toBeVisible();
    await expect(again.getByText("остался несохранённый текст")).toHaveCount(0);
  });

  test("is kept when the session ends and restored after the same user signs in", async ({ openNewPage }) => {
    const { page, pageId } = await openNewPage();
    // The session ends with the input. If it ended before, another request could leave the screen first.
    await page.evaluate(() => {
      const expire = () => localStorage.setItem("access_token", "expired");
      addEventListener("input", expire, { once: true, capture: true });
    });
    await contentField(page).focus();
    await page.keyboard.insertText("до последней буквы");
    await page.waitForURL("**/login");
    await signIn(page, admin.email, admin.password);
    // Signing in leads back to the page, which nobody has changed.
    await page.waitForURL(`**/edit-page/${pageId}`);
    await expectSaved(page);
    await expect(contentField(page)).toHaveText("до последней буквы");
  });

  test("stays in the editor when the server rejects a file of another user", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage([paragraph("моё")]);
    await write(page, " и ещё");
    await paste(page, {
      "text/html": `<div data-pm-slice="0 0 []"><figure data-type="image" data-src="/files/${"0a".repeat(16)}/x.png"></figure></div>`,
    });
    await expect(page.getByText("Сервер не принял текст")).toBeVisible();
    await expect(page.getByText("Не удалось сохранить")).toBeVisible();
    expect((await storedBlocks()).map(textOf)).not.toContain("");
    await page.locator("[data-type=image]").click();
    await page.keyboard.press("Delete");
    await expectSaved(page);
  });
});

// Floating panels do not follow a resize, so each size has a test of its own.
for (const viewport of ["phone", "tablet", "desktop"] as const)
  test(`the editor is accessible and fits on a ${viewport}, in both themes`, async ({
    server,
    adminToken,
    openEditor,
  }) => {
    const { pageId } = await createCourseWithPages(server, adminToken, {
      type: "doc",
      content: [
        { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "Раздел" }] },
        paragraph("Текст"),
        { type: "taskList", content: [{ type: "taskItem", content: [paragraph("дело")] }] },
        {
          type: "codeBlock",
          attrs: { language: "rust" },
          content: [{ type: "text", text: "fn main() {}" }],
        },
        { type: "callout", attrs: { kind: "warning" }, content: [paragraph("осторожно")] },
        { type: "blockMath", attrs: { latex: "x^2" } },
        {
          type: "details",
          content: [
            { type: "detailsSummary", content: [{ type: "text", text: "Вопрос" }] },
            { type: "detailsContent", content: [paragraph("Ответ")] },
          ],
        },
        {
          type: "table",
          content: [
            { type: "tableRow", content: [{ type: "tableHeader", content: [paragraph("Тип")] }] },
            { type: "tableRow", content: [{ type: "tableCell", content: [paragraph("u8")] }] },
          ],
        },
      ],
    });
    const { page } = await openEditor(admin, pageId, { viewport });
    const check = async (what: string) => {
      for (const theme of ["light", "dark"] as const) {
        await applyTheme(page, theme);
        await expectAccessible(page, `${what}, ${theme}`);
      }
      await expectNoHorizontalScroll(page, what);
    };
    await expect(page.locator("[data-type=blockMath] .katex")).toBeVisible();
    await check("the editor");
    for (const [inside, panel] of [
      ["[data-type=callout] p", "callout"],
      ["[data-type=codeBlock] code", "codeBlock"],
      ["td p", "table"],
      ["[data-type=blockMath]", "blockMath"],
    ] as const) {
      await page.locator(inside).click();
      await expect(page.locator(`[data-panel=${panel}]`)).toBeVisible();
      await check(`the panel of ${panel}`);
    }
    await contentField(page).getByText("Текст", { exact: true }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" /");
    await expect(page.getByRole("listbox", { name: "Вставить" })).toBeVisible();
    await check("the slash menu");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Как видит ученик" }).click();
    await check("the preview");
  });
