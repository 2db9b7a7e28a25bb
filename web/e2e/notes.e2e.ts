import type { Page } from "@playwright/test";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { paragraph } from "./page-editor.ts";
import { createQuestioned } from "./page-questions.ts";

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
  await bar(page).getByRole("button", { name: "Выделить: зелёный" }).click();
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

test("ticks of tasks are remembered on another device, and the text stays as it is", async ({
  server,
  tabFor,
}) => {
  const items = ["Прочитать", "Решить"].map((words) => ({ type: "taskItem", content: [paragraph(words)] }));
  const world = await createQuestioned(server, [{ type: "taskList", content: items }]);
  const { page } = await tabFor(world.learner);
  await openPage(page, world.pageId);
  await page.getByRole("checkbox", { name: "Решить" }).check();
  const again = await tabFor(world.learner);
  await openPage(again.page, world.pageId);
  await expect(again.page.getByRole("checkbox", { name: "Решить" })).toBeChecked();
  await expect(again.page.getByRole("checkbox", { name: "Прочитать" })).not.toBeChecked();
  const other = await tabFor(world.other);
  await openPage(other.page, world.pageId);
  await expect(other.page.getByRole("checkbox", { name: "Решить" })).not.toBeChecked();
});
