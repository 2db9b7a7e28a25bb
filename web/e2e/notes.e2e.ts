import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { paragraph } from "./page-editor.ts";
import { createQuestioned, type Questioned } from "./page-questions.ts";

// Notes, highlights, bookmarks and ticks of a learner.

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const tools = (page: Page) => page.getByRole("button", { name: /^Заметки на странице/ });
const bar = (page: Page) => page.getByRole("toolbar", { name: "Выделенный текст" });

async function openPage(page: Page, pageId: string): Promise<void> {
  await page.goto(`/view-page/${pageId}`);
  await tools(page).waitFor();
}

/** Selects words of a paragraph, as the mouse or the keyboard does. */
async function select(page: Page, words: string): Promise<void> {
  await page
    .getByText(words)
    .first()
    .evaluate((element, wanted) => {
      const node = element.firstChild;
      const at = node?.textContent?.indexOf(wanted) ?? -1;
      if (!node || at < 0) throw new Error(`no «${wanted}»`);
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    }, words);
}

/** Publishes another text of the page. */
async function publish({ server, owner, pageId }: Questioned, words: readonly string[]): Promise<void> {
  const { page } = await graphql(server.url, owner.token, "query ($id: ID!) { page(id: $id) { version } }", {
    id: pageId,
  });
  const change = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  const content = { type: "doc", content: words.map(paragraph) };
  await graphql(server.url, owner.token, change, { input: { pageId, version: page.version, content } });
}

const field = (page: Page) => page.getByRole("textbox", { name: "Текст заметки" });

const highlighted = (page: Page) =>
  page.evaluate(() =>
    [...CSS.highlights.entries()].flatMap(([name, ranges]) =>
      name.startsWith("note-") ? [...ranges].map((range) => `${name}: ${String(range)}`) : [],
    ),
  );

test("a learner highlights words, writes a note, and finds both in the list of the course", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  await select(page, "имя со значением");
  await bar(page).getByRole("button", { name: "Отметить: зелёный цвет" }).click();
  await expect.poll(() => highlighted(page)).toEqual(["note-green: имя со значением"]);

  await select(page, "нельзя изменить");
  await page.keyboard.press("Alt+n");
  await page.getByRole("textbox", { name: "Текст заметки" }).fill("Кроме mut!");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => highlighted(page)).toHaveLength(2);
  await page.reload();
  await expect.poll(() => highlighted(page)).toHaveLength(2);
  await press(page, "Закладка");
  await expect(page.getByRole("button", { name: "Закладка", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );

  await tools(page).click();
  await expect(page.getByRole("dialog")).toContainText("Кроме mut!");
  await expectAccessibleEverywhere(page, "notes: of a page");
  await page.getByRole("link", { name: "Заметки всего курса" }).click();
  await expect(page.getByRole("heading", { name: "Мои заметки", level: 1 })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(2);
  await expectAccessibleEverywhere(page, "notes: of a course");
  await resize(page, { width: 360, height: 780 });
  await expectNoHorizontalScroll(page, "notes: of a course");
  await page.getByLabel("Найти в заметках").fill("кроме");
  await expect(page.getByRole("article")).toHaveCount(1);
  await press(page, "Удалить");
  await expect(page.getByRole("article")).toHaveCount(0);
  await press(page, "Отменить");
  await expect(page.getByRole("article")).toHaveCount(1);
});

test("the list of all notes includes courses that the learner has left", async ({ server, tabFor }) => {
  const { courseId, pageId, learner } = await createQuestioned(server);
  const ask = (query: string, variables: Record<string, unknown>) =>
    graphql(server.url, learner.token, query, variables);
  const { page: shown } = await ask("query ($id: ID!) { page(id: $id) { version } }", { id: pageId });
  const note = {
    pageId,
    version: shown.version,
    color: "YELLOW",
    body: "Кроме mut!",
    block: 1,
    quote: "нельзя изменить",
  };
  const create = "mutation ($input: CreateNoteInput!) { createNote(input: $input) { note { id } } }";
  await ask(create, { input: note });
  const { page } = await tabFor(learner);
  await page.goto("/notes");
  const list = page.getByRole("list", { name: "Курсы с заметками" });
  await expect(list.getByRole("listitem")).toHaveText(/1\sзаметка$/);
  await expect(list).not.toContainText("Курс недоступен");
  await ask("mutation ($input: LeaveCourseInput!) { leaveCourse(input: $input) { courseId } }", {
    input: { courseId },
  });
  await page.reload();
  await expect(list.getByRole("listitem")).toContainText("Курс недоступен");
  await list.getByRole("link").click();
  await expect(page.getByRole("article")).toContainText("Кроме mut!");
  await page.getByRole("link", { name: "Все заметки" }).click();
  await expect(list).toBeVisible();
});

test("ticks of tasks are remembered on another device, and the text stays as it is", async ({
  server,
  tabFor,
}) => {
  const items = ["Прочитать", "Решить"].map((words) => ({ type: "taskItem", content: [paragraph(words)] }));
  const world = await createQuestioned(server, [{ type: "taskList", content: items }]);
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  // At first the text has the author's checkmarks.
  await expect(page.getByRole("checkbox", { name: "Решить" })).toBeEnabled();
  await page.getByRole("checkbox", { name: "Решить" }).check();
  const again = await tabFor(world.learner);
  await openPage(again.page, world.pageId);
  await expect(again.page.getByRole("checkbox", { name: "Решить" })).toBeChecked();
  await expect(again.page.getByRole("checkbox", { name: "Прочитать" })).not.toBeChecked();
  const other = await tabFor(world.other);
  await openPage(other.page, world.pageId);
  await expect(other.page.getByRole("checkbox", { name: "Решить" })).not.toBeChecked();
});

test("highlights stay at their words when the page changes while somebody reads it", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  await select(page, "имя со значением");
  await bar(page).getByRole("button", { name: "Отметить: жёлтый цвет" }).click();
  await expect.poll(() => highlighted(page)).toEqual(["note-yellow: имя со значением"]);

  await publish(world, [
    "Новое начало страницы.",
    "Переменная связывает имя со значением.",
    "Значение по умолчанию нельзя изменить.",
  ]);
  // What is kept is read again before the text: for no moment may the highlight be at other words.
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByText("Новое начало страницы.")).toBeVisible();
  await expect.poll(() => highlighted(page)).toEqual(["note-yellow: имя со значением"]);

  // The bar has several lines on a narrow screen, and stays on it.
  await resize(page, { width: 360, height: 640 });
  await select(page, "нельзя изменить");
  const box = await bar(page).boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 360 && box.y >= 0 && box.y + box.height <= 640).toBe(true);

  // A note that is being written when the page changes is about the same words.
  await select(page, "нельзя изменить");
  await page.keyboard.press("Alt+n");
  await field(page).fill("Кроме mut!");
  await publish(world, ["Значение по умолчанию нельзя изменить.", "Переменная связывает имя со значением."]);
  await press(page, "Сохранить");
  await expect
    .poll(async () => {
      const save = page.getByRole("button", { name: "Сохранить", exact: true });
      // The first attempt names a text that the reader may note no more; then the words are looked for in the new one.
      if ((await save.isVisible()) && (await save.isEnabled())) await save.click();
      return (await highlighted(page)).sort();
    })
    .toEqual(["note-yellow: имя со значением", "note-yellow: нельзя изменить"]);
});

test("a note that was not stored is kept, and one that was changed elsewhere is not overwritten", async ({
  server,
  tabFor,
}) => {
  const world = await createQuestioned(server);
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  await select(page, "имя со значением");
  await page.keyboard.press("Alt+n");
  await field(page).fill("Недописанная мысль");
  await page.keyboard.press("Escape");
  await expect(page.getByText("Переменная связывает имя со значением.")).toBeFocused();
  await page.reload();
  await tools(page).click();
  const draft = page.getByRole("article", { name: "Несохранённая заметка" });
  await expect(draft).toContainText("имя со значением");
  await expectAccessibleEverywhere(page, "notes: a draft");
  await draft.getByRole("button", { name: "Продолжить" }).click();
  await expect(field(page)).toHaveValue("Недописанная мысль");
  await press(page, "Сохранить");
  await expect.poll(() => highlighted(page)).toEqual(["note-yellow: имя со значением"]);

  const { page: other } = await tabFor(world.learner);
  for (const tab of [page, other]) {
    await openPage(tab, world.pageId);
    await tools(tab).click();
    await press(tab, "Изменить");
  }
  await field(other).fill("Мысль с телефона");
  await press(other, "Сохранить");
  await expect(field(other)).toHaveCount(0);
  await field(page).fill("Мысль с компьютера");
  await press(page, "Сохранить");
  await expect(page.getByRole("dialog")).toContainText("Мысль с телефона");
  await expect(field(page)).toHaveValue("Мысль с компьютера");
  await expectAccessibleEverywhere(page, "notes: a conflict");
  await press(page, "Сохранить мой вариант");
  await expect(field(page)).toHaveCount(0);
  await expect(page.getByRole("dialog")).toContainText("Мысль с компьютера");
});

test("a tick without a network is kept until it can be sent", async ({ server, tabFor }) => {
  const items = [{ type: "taskItem", content: [paragraph("Решить")] }];
  const world = await createQuestioned(server, [{ type: "taskList", content: items }]);
  const { page, context } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  const box = (on: Page) => on.getByRole("checkbox", { name: "Решить" });
  await box(page).waitFor();
  await context.setOffline(true);
  await box(page).check();
  await expect(box(page)).toHaveAttribute("title", "Отметка сохранится, когда появится сеть");
  await context.setOffline(false);
  await expect
    .poll(async () => {
      const query = "query ($id: ID!) { page(id: $id) { tickedTasks } }";
      return (await graphql(server.url, world.learner.token, query, { id: world.pageId })).page.tickedTasks;
    })
    .toEqual([0]);
});
