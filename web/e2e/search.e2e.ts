import type { Page } from "@playwright/test";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessibleEverywhere, expectAccessibleInBothThemes } from "./accessibility.ts";
import { content, saveDraft } from "./changes.ts";
import { createClassroom } from "./classroom.ts";
import { test as base, expect } from "./fixtures.ts";
import { createSearchable, expectMarked, marks, place, type Searchable } from "./searchable.ts";
import { tabTo } from "./ui.ts";

const created = new WeakMap<Server, Promise<Searchable>>();

const test = base.extend<{ searchable: Searchable }>({
  searchable: async ({ server }, use) => {
    const data = created.get(server) ?? createSearchable(server);
    created.set(server, data);
    await use(await data);
  },
});

const results = (page: Page) => page.getByRole("list", { name: "В тексте страниц" });
const note = (page: Page) => page.getByRole("status").filter({ hasText: "Найденное место отмечено" });
const palette = (page: Page) => page.getByRole("dialog", { name: "Поиск и команды" });

async function openSearch(page: Page, text: string) {
  await page.goto(`/search?text=${encodeURIComponent(text)}`);
  await expect(page.getByRole("heading", { level: 1, name: "Поиск по курсам" })).toBeVisible();
}

async function typeIntoPalette(page: Page, text: string) {
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("combobox")).toBeVisible();
  await page.keyboard.insertText(text);
}

test.describe("the search screen", () => {
  test("finds a page by another form of the word and opens it at the place", async ({
    tabFor,
    searchable,
  }) => {
    const { page } = await tabFor(searchable.learner);
    await openSearch(page, "циклом");
    const result = results(page).getByRole("listitem").filter({ hasText: "Умные указатели" });
    await expect(result.locator("mark", { hasText: "циклы" })).toBeVisible();
    await expect(result).toContainText("Основы Rust");
    await expect(result).toContainText("Владение и ссылки");

    await result.getByRole("link", { name: "Умные указатели" }).click();
    await page.waitForURL((url) => url.pathname === `/view-page/${searchable.longId}`);
    await expectMarked(page, "циклы");
    await expect(page.getByText(place.words)).toBeInViewport();
    await expect(note(page)).toBeVisible();
    expect(new URL(page.url()).hash, "the address is that of the page").toBe("");
    await expectAccessibleInBothThemes(page, "a page with a marked place");

    await page.keyboard.press("Escape");
    await expect(note(page)).toHaveCount(0);
    expect((await marks(page)).words).toEqual([]);
  });

  test("finds unpublished changes for authors, and opens them in the editor", async ({ server, tabFor }) => {
    const classroom = await createClassroom(server);
    const [pageId] = classroom.pages;
    await saveDraft(classroom, pageId, content("Ящерица греется на камне."));
    const { page } = await tabFor(classroom.owner);
    await openSearch(page, "ящерицы");
    const result = results(page).getByRole("listitem");
    await expect(result).toContainText("В неопубликованных изменениях");
    await expectAccessibleInBothThemes(page, "a result in unpublished changes");
    await result.getByRole("link", { name: "Переменные" }).click();
    await page.waitForURL((url) => url.pathname === `/edit-page/${pageId}`);
    await expectMarked(page, "Ящерица");
    const learner = await tabFor(classroom.learner);
    await openSearch(learner.page, "ящерицы");
    await expect(learner.page.getByRole("heading", { name: "Ничего не нашлось" })).toBeVisible();
  });

  test("a mark does not stay when the page is left", async ({ tabFor, searchable }) => {
    const { page } = await tabFor(searchable.learner);
    await openSearch(page, "циклом");
    await results(page)
      .getByRole("link", { name: /подсказывает, как их разорвать/ })
      .click();
    await expectMarked(page, "циклы");
    await page.goBack();
    await expect(results(page)).toBeVisible();
    await expect(note(page)).toHaveCount(0);
    await page.goForward();
    await expect(page.getByRole("heading", { level: 1, name: "Умные указатели" })).toBeVisible();
    await expect(page.getByText(place.words)).toBeInViewport();
    expect((await marks(page)).words).toEqual([]);
  });

  test("a result opened in a new tab is marked too", async ({ tabFor, searchable, server }) => {
    const { page } = await tabFor(searchable.learner);
    await openSearch(page, "циклы");
    const href = await results(page).getByRole("link", { name: "Умные указатели" }).getAttribute("href");
    await page.goto(server.url + href);
    await expectMarked(page, "циклы");
  });

  test("shows drafts to authors only, and opens them in the editor", async ({ tabFor, searchable }) => {
    const learner = await tabFor(searchable.learner);
    await openSearch(learner.page, "слабая");
    await expect(learner.page.getByRole("heading", { name: "Ничего не нашлось" })).toBeVisible();

    const { page } = await tabFor(searchable.owner);
    await openSearch(page, "слабая");
    const result = results(page).getByRole("listitem").filter({ hasText: "Слабые ссылки" });
    await expect(result.getByText("Черновик", { exact: true })).toBeVisible();
    await result.getByRole("link", { name: "Слабые ссылки" }).click();
    await page.waitForURL((url) => url.pathname === `/edit-page/${searchable.draftId}`);
    await expect(page.getByRole("textbox", { name: "Текст страницы" })).toBeVisible();
    await expectMarked(page, "Слабая");
  });

  test("leads to a question of a quiz and of a bank", async ({ tabFor, searchable }) => {
    const learner = await tabFor(searchable.learner);
    await openSearch(learner.page, "круговорот");
    await results(learner.page).getByRole("link", { name: "Проверьте себя" }).click();
    await expectMarked(learner.page, "круговорот");

    const { page } = await tabFor(searchable.owner);
    await openSearch(page, "круговорот");
    await results(page).getByRole("link", { name: "Проверьте себя" }).click();
    await page.waitForURL((url) => url.pathname === `/edit-page/${searchable.quizId}`);
    await expectMarked(page, "круговорот");

    await openSearch(page, "постусловие");
    const question = results(page).getByRole("listitem").filter({ hasText: "Алгоритмы" });
    await expect(question).toContainText("Банк вопросов");
    await question.getByRole("link", { name: "Алгоритмы" }).click();
    await page.waitForURL((url) => url.pathname === `/banks/${searchable.bankId}`);
    await expect(page.locator("[data-open-question]")).toHaveCount(1);
    await expectMarked(page, "постусловием");
  });

  test("narrows the search to a course and shows more results on demand, all of it in the address", async ({
    tabFor,
    searchable,
  }) => {
    const { page } = await tabFor(searchable.learner);
    await openSearch(page, "остаток");
    const links = results(page).getByRole("heading");
    await expect(links).toHaveCount(20);
    await expect(page.getByText(/^Показано 20 из 22/)).toBeVisible();
    await page.getByRole("button", { name: "Показать ещё" }).click();
    await expect(links).toHaveCount(22);
    await expect(results(page).getByRole("listitem").nth(20).getByRole("link").first()).toBeFocused();
    await expect(page).toHaveURL(/page=2/);
    await page.reload();
    await expect(links).toHaveCount(22);

    await page.getByLabel("Где искать").selectOption({ label: "Основы Rust" });
    await expect(page.getByRole("heading", { name: "Ничего не нашлось" })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`course=${searchable.courseId}`));
    await page.getByRole("button", { name: "Искать во всех курсах" }).click();
    await expect(links).toHaveCount(20);
    await page.getByRole("searchbox", { name: "Слова из текста" }).fill("цикл");
    await expect(page).toHaveURL(({ searchParams }) => searchParams.get("text") === "цикл");
    await expect(links).toHaveCount(2);
  });

  test("shows courses and lessons by their titles above the results", async ({ tabFor, searchable }) => {
    const { page } = await tabFor(searchable.learner);
    await openSearch(page, "ссылки");
    const titles = page.getByRole("region", { name: "Курсы и уроки" });
    await expect(titles.getByRole("link", { name: "Владение и ссылки" })).toBeVisible();
    await expect(titles).toContainText("Основы Rust");
  });

  test("works by keyboard, is accessible and fits in every state", async ({ tabFor, searchable }) => {
    const { page } = await tabFor(searchable.owner);
    await page.goto("/search");
    const field = page.getByRole("searchbox", { name: "Слова из текста" });
    await expect(field).toBeFocused();
    await expect(page.getByRole("heading", { name: "Что найти?" })).toBeVisible();
    await expectAccessibleEverywhere(page, "the search without words");
    await page.keyboard.insertText("циклы");
    await tabTo(page, results(page).getByRole("link", { name: "Умные указатели" }));
    await expectAccessibleEverywhere(page, "results");
    await field.fill("щщщщщ");
    await expect(page.getByRole("heading", { name: "Ничего не нашлось" })).toBeVisible();
    await expectAccessibleEverywhere(page, "no results");
  });

  test("fits a window of 360 pixels", async ({ tabFor, searchable }) => {
    const { page } = await tabFor(searchable.owner, { viewport: "phone" });
    await page.setViewportSize({ width: 360, height: 740 });
    await openSearch(page, "циклы");
    await expect(results(page)).toBeVisible();
    const [content, window] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(content).toBe(window);
  });

  test("tells that the search has failed, and tries again when the network is back", async ({
    tabFor,
    searchable,
  }) => {
    const { page, context } = await tabFor(searchable.learner);
    await page.goto("/search");
    const field = page.getByRole("searchbox", { name: "Слова из текста" });
    await expect(field).toBeVisible();
    await context.setOffline(true);
    await field.fill("циклы");
    await expect(page.getByRole("alert").getByRole("heading")).toBeVisible();
    await context.setOffline(false);
    await expect(results(page).getByRole("link", { name: "Умные указатели" })).toBeVisible();
  });
});

test.describe("the palette", () => {
  test("shows matches in texts below those in titles, and opens one by keyboard", async ({
    tabFor,
    searchable,
  }) => {
    const { page } = await tabFor(searchable.learner);
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await typeIntoPalette(page, "циклом");
    const texts = palette(page).getByRole("group", { name: "В тексте страниц" });
    await expect(texts.getByRole("option")).toHaveCount(2);
    await expect(texts.locator("mark", { hasText: "циклы" })).toBeVisible();
    await expectAccessibleInBothThemes(page, "the palette with matches in texts");
    const wanted = texts.getByRole("option", { name: /Умные указатели/ });
    while ((await wanted.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === `/view-page/${searchable.longId}`);
    await expectMarked(page, "циклы");
  });

  test("separates the open course from others, and leads to all results", async ({ tabFor, searchable }) => {
    const { page } = await tabFor(searchable.learner);
    await page.goto(`/view-page/${searchable.longId}`);
    await expect(page.getByRole("article")).toBeVisible();
    await typeIntoPalette(page, "цикл");
    await expect(
      palette(page).getByRole("group", { name: "На страницах этого курса" }).getByRole("option"),
    ).toHaveCount(1);
    await expect(
      palette(page)
        .getByRole("group", { name: "В других курсах" })
        .getByRole("option", { name: /Оператор for/ }),
    ).toBeVisible();
    // The last entry is one step above the first.
    await page.keyboard.press("ArrowUp");
    await expect(palette(page).getByRole("option", { name: "Все результаты: «цикл»" })).toHaveAttribute(
      "aria-selected",
      "true",
    );
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/search" && url.searchParams.get("text") === "цикл");
    await expect(results(page).getByRole("heading")).toHaveCount(2);
  });

  test("marks another place of the open page, and a button removes the mark", async ({
    tabFor,
    searchable,
  }) => {
    const { page } = await tabFor(searchable.learner);
    await page.goto(`/view-page/${searchable.longId}`);
    await expect(page.getByRole("article")).toBeVisible();
    await typeIntoPalette(page, "разорвать");
    const found = palette(page).getByRole("option", { name: /Умные указатели/ });
    await expect(found).toBeVisible();
    await found.click();
    await expectMarked(page, "разорвать");
    await page.getByRole("button", { name: "Снять отметку" }).click();
    expect((await marks(page)).words).toEqual([]);
  });

  test("finds texts on the screen of a course that is not there", async ({ tabFor, searchable }) => {
    const { page } = await tabFor(searchable.learner);
    await page.goto("/view-course/01900000-0000-7000-8000-000000000000");
    await expect(page.getByText("Not Found")).toBeVisible();
    await typeIntoPalette(page, "циклом");
    await expect(
      palette(page).getByRole("group", { name: "В тексте страниц" }).getByRole("option"),
    ).toHaveCount(2);
  });
});
