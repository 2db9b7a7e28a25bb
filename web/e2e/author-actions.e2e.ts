import type { Page } from "@playwright/test";
import { signUp } from "./api.ts";
import { outline, row, shownOutline, storedOutline } from "./course-outline.ts";
import { expect, test } from "./fixtures.ts";
import { contentField, expectSaved, pasteIntoFocused } from "./page-editor.ts";
import { field } from "./ui.ts";

/** Counts what an author does besides typing words: clicks, keys and pastes. */
function counted(page: Page) {
  let actions = 0;
  const count = async (done: Promise<unknown>) => {
    actions += 1;
    await done;
  };
  return {
    click: (name: string | RegExp, role: "button" | "link" = "button") =>
      count(page.getByRole(role, { name }).first().click()),
    press: (key: string) => count(page.keyboard.press(key)),
    paste: (text: string) => count(pasteIntoFocused(page, { "text/plain": text })),
    total: () => actions,
  };
}

/** Creates a course on the home screen, pastes this outline into it and waits for the last page. */
async function createByPasting(page: Page, pasted: string) {
  await page.goto("/");
  await page.getByRole("button", { name: "Создать курс" }).click();
  await expect(field(page, "Название курса")).toBeFocused();
  await page.keyboard.type("Курс");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Добавить модуль" }).click();
  await expect(field(page, "Название модуля")).toBeFocused();
  await pasteIntoFocused(page, { "text/plain": pasted });
  const last = pasted.split("\n").at(-1)?.trim();
  await expect(row(page, `Страница «${last}»`)).toBeVisible();
}

test("a first course of three lessons takes at most 14 actions besides typing", async ({
  server,
  tabFor,
}) => {
  const author = await signUp(server);
  const { page } = await tabFor(author);
  await page.goto("/");
  const act = counted(page);
  await act.click("Создать курс");
  await expect(field(page, "Название курса")).toBeFocused();
  await page.keyboard.type("Основы Rust");
  await act.press("Enter");
  await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
  const courseId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await act.click("Добавить модуль");
  await expect(field(page, "Название модуля")).toBeFocused();
  await act.paste("Начало\n\tУстановка\n\tПеременные\n\tЦиклы");
  await expect(row(page, "Страница «Циклы»")).toBeVisible();
  for (const title of ["Установка", "Переменные", "Циклы"]) {
    // In the editor the sidebar has the other lessons closed.
    if (title !== "Установка") await act.click(title);
    await act.click(title, "link");
    await page.waitForURL((url) => url.pathname.startsWith("/edit-page/"));
    await expect(contentField(page)).toBeFocused();
    await page.keyboard.type(`Урок о теме «${title}».`);
    await expectSaved(page);
  }
  await act.click("Основы Rust", "link");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("option", { name: "Этот курс: опубликовать всё" })).toBeVisible();
  await page.keyboard.press("Escape");
  await act.click(/^Опубликовать всё/);
  const expected = ["Начало"].concat(
    ["Установка", "Переменные", "Циклы"].flatMap((title) => [`  ${title}`, `    ${title}`]),
  );
  await expect.poll(() => storedOutline(server, author, courseId)).toEqual(expected);
  expect(act.total()).toBeLessThanOrEqual(14);
});

test("a deleted new page does not come back as one being saved", async ({ server, tabFor }) => {
  const author = await signUp(server);
  const { page } = await tabFor(author);
  await createByPasting(page, "Модуль\n  Урок\n    Страница\n    Другая");
  await row(page, "Страница «Страница»").focus();
  await page.keyboard.press("Delete");
  await expect(page.getByText("Страница «Страница» удалена")).toBeVisible();
  await expect.poll(() => shownOutline(page)).toEqual(["Модуль", "  Урок", "    Другая (черновик)"]);
  await expect(outline(page).getByText("Сохраняется")).toHaveCount(0);
});

test("the preview of a course has no drafts and leads back to editing", async ({ server, tabFor }) => {
  const author = await signUp(server);
  const { page } = await tabFor(author);
  await createByPasting(page, "Модуль\n  Урок\n    Готовая\n    Черновая");
  await row(page, "Страница «Готовая»").getByRole("button", { name: "Опубликовать" }).click();
  await expect(row(page, "Страница «Готовая», опубликована")).toBeVisible();
  await page.getByRole("link", { name: "Как видит ученик" }).click();
  await expect(page.getByRole("link", { name: "Готовая" })).toBeVisible();
  await expect(page.getByText("Черновая")).toHaveCount(0);
  await page.getByRole("link", { name: "Готовая" }).click();
  await page.getByRole("link", { name: "Вернуться к правке" }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/edit-page/"));
});
