import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { applyTheme, expectAccessible, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { joinTeam, signUp } from "./api.ts";
import { type Classroom, test as classroomTest } from "./classroom.ts";
import { expect, viewports } from "./fixtures.ts";
import {
  contentField,
  expectSaved,
  paragraph,
  publishButton,
  publishChanges,
  publishDialog,
  seenPage,
  storedPage,
  textOf,
  write,
} from "./page-editor.ts";

/** Changes of a published page in its editor: learners see them when they are published. */

interface Fixtures {
  /** Opens the first page of the course in the editor, as its owner. */
  openAsOwner: () => Promise<Page>;
  /** Opens the first page of the course as a learner. */
  openAsLearner: () => Promise<Page>;
}

const test = classroomTest.extend<Fixtures>({
  openAsOwner: async ({ classroom, tabFor }, use) => {
    await use(async () => {
      const { page } = await tabFor(classroom.owner);
      await page.goto(`/edit-page/${classroom.pages[0]}`);
      await expect(contentField(page)).toBeVisible();
      return page;
    });
  },
  openAsLearner: async ({ classroom, tabFor }, use) => {
    await use(async () => {
      const { page } = await tabFor(classroom.learner);
      await page.goto(`/view-page/${classroom.pages[0]}`);
      await expect(page.getByRole("article")).toBeVisible();
      return page;
    });
  },
});

const notSeen = (page: Page) => page.getByText(/^Ученики пока не видят ваших/);
const confirm = (page: Page) => publishDialog(page).getByRole("button", { name: "Опубликовать изменения" });

/** The text that learners see, as the server has it. */
const seenText = async ({ server, owner, pages }: Classroom) =>
  textOf((await seenPage(server, owner.token, pages[0])).content);
const storedText = async ({ server, owner, pages }: Classroom) =>
  textOf((await storedPage(server, owner.token, pages[0])).content);

/** Changes the published text at once, as a script does over the API. */
async function changeDirectly({ server, owner, pages }: Classroom, ...lines: string[]): Promise<void> {
  const content = { type: "doc", content: lines.map(paragraph) };
  const query = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await graphql(server.url, owner.token, query, { input: { pageId: pages[0], content } });
}

async function expectAccessibleOnBoth(page: Page, what: string): Promise<void> {
  for (const size of [{ width: 360, height: 740 }, viewports.desktop]) {
    await resize(page, size);
    for (const theme of ["light", "dark"] as const) {
      await applyTheme(page, theme);
      await expectAccessible(page, `${what}, ${size.width} px, ${theme}`);
    }
    await expectNoHorizontalScroll(page, what);
  }
}

test("the first letter in a published page does not move its text", async ({ openAsOwner }) => {
  const page = await openAsOwner();
  for (const size of [viewports.desktop, viewports.phone]) {
    await resize(page, size);
    await page.reload();
    await expect(page.getByText("Все изменения опубликованы")).toBeVisible();
    await contentField(page).locator("> p").first().click();
    const top = () => contentField(page).evaluate((field) => field.getBoundingClientRect().top);
    const before = await top();
    await page.keyboard.type("я");
    await expect(publishButton(page)).toBeVisible();
    expect(await top(), `the text at ${size.width} px`).toBe(before);
    await publishButton(page).click();
    await confirm(page).click();
    await expect(publishButton(page)).toHaveCount(0);
    expect(await top(), `the text after publishing at ${size.width} px`).toBe(before);
  }
});

test("a corrected typo is published in two actions, and learners see nothing of it before", async ({
  classroom,
  openAsOwner,
  openAsLearner,
}) => {
  const page = await openAsOwner();
  const learner = await openAsLearner();
  await expect(publishButton(page)).toHaveCount(0);
  await write(page, " Исправлено.");
  await expectSaved(page);
  await expect(notSeen(page)).toBeVisible();
  expect(await storedText(classroom)).toBe("Текст. Исправлено.");
  expect(await seenText(classroom)).toBe("Текст.");
  await learner.reload();
  await expect(learner.getByText("Текст.", { exact: true })).toBeVisible();
  await expect(learner.getByText("Исправлено")).toHaveCount(0);

  let actions = 0;
  const act = async (action: () => Promise<void>) => {
    actions += 1;
    await action();
  };
  await act(() => publishButton(page).click());
  const dialog = publishDialog(page);
  await expect(dialog.locator("ins")).toHaveText(/Исправлено\./);
  await expect(dialog.locator("del")).toHaveCount(0);
  await expect(confirm(page)).toBeFocused();
  await act(() => confirm(page).click());
  await expect(dialog).toHaveCount(0);
  expect(actions).toBe(2);
  await expect(page.getByText("Теперь их видят ученики")).toBeVisible();
  await expect(publishButton(page)).toHaveCount(0);
  expect(await seenText(classroom)).toBe("Текст. Исправлено.");
  await learner.reload();
  await expect(learner.getByText("Текст. Исправлено.")).toBeVisible();

  // The next change begins new changes, without a conflict.
  await write(page, " И ещё.");
  await expectSaved(page);
  expect(await seenText(classroom)).toBe("Текст. Исправлено.");
  expect(await storedText(classroom)).toBe("Текст. Исправлено. И ещё.");
});

test("changes are published with the keyboard alone, right from the text", async ({
  classroom,
  openAsOwner,
}) => {
  const page = await openAsOwner();
  await write(page, " С клавиатуры.");
  // Everything typed is saved first.
  await page.keyboard.press("Control+Alt+Enter");
  await expect(publishDialog(page).getByText("С клавиатуры").first()).toBeVisible();
  await expect(confirm(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(publishDialog(page)).toHaveCount(0);
  await expect.poll(() => seenText(classroom)).toBe("Текст. С клавиатуры.");
  await expect(contentField(page)).toBeFocused();
  await expect(contentField(page)).toHaveText("Текст. С клавиатуры.");
});

test("two editors work on the same changes, and what one publishes ends in the other window", async ({
  server,
  classroom,
  tabFor,
  openAsOwner,
}) => {
  const page = await openAsOwner();
  const colleague = await signUp(server, "Петров Пётр Петрович");
  await joinTeam(server, classroom.owner, colleague, classroom.courseId, "editor");
  const other = (await tabFor(colleague)).page;
  await other.goto(`/edit-page/${classroom.pages[0]}`);
  await expect(page.getByRole("status").getByText(/Сейчас здесь/)).toBeAttached();
  await write(page, " Первый.");
  await expectSaved(page);
  await expect(contentField(other)).toHaveText("Текст. Первый.");
  await expect(notSeen(other)).toBeVisible();

  // The text changes while the dialog of the first editor is open.
  await publishButton(page).click();
  await expect(publishDialog(page).getByText("Первый.").first()).toBeVisible();
  await write(other, " Второй.");
  await expectSaved(other);
  await confirm(page).click();
  await expect(publishDialog(page).getByRole("alert")).toContainText("Пока вы смотрели, страницу изменили");
  const since = publishDialog(page).getByRole("region", { name: "Что изменилось с тех пор" });
  await expect(since.locator("ins")).toHaveText(/Второй\./);
  expect(await seenText(classroom)).toBe("Текст.");
  await expectAccessible(page, "a conflict of publishing");
  await confirm(page).click();
  await expect(publishDialog(page)).toHaveCount(0);
  expect(await seenText(classroom)).toBe("Текст. Первый. Второй.");
  await expect(publishButton(other)).toHaveCount(0);
  await write(other, " Третий.");
  await expectSaved(other);
  await expect(contentField(page)).toHaveText("Текст. Первый. Второй. Третий.");
  await expect(notSeen(page)).toBeVisible();
  await publishChanges(other);
  await expect(publishButton(page)).toHaveCount(0);
});

test("changes that were written offline are saved later, and publishing waits for them", async ({
  classroom,
  openAsOwner,
}) => {
  const page = await openAsOwner();
  // The dialog of publishing is loaded with the editor.
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await write(page, " Без сети.");
  await expect(page.getByText("Нет сети: сохраним позже")).toBeVisible();
  await publishButton(page).click();
  await expect(publishDialog(page).getByText("публиковать пока нечего")).toBeVisible();
  await expectAccessible(page, "publishing offline");
  await page.keyboard.press("Escape");
  await page.context().setOffline(false);
  await expectSaved(page);
  expect(await seenText(classroom)).toBe("Текст.");
  await publishChanges(page);
  expect(await seenText(classroom)).toBe("Текст. Без сети.");
});

test("changes are merged with a text that was published beside them", async ({ classroom, openAsOwner }) => {
  await changeDirectly(classroom, "Один.", "Два.", "Три.");
  const page = await openAsOwner();
  await write(page, " Моё.");
  await expectSaved(page);
  await changeDirectly(classroom, "Чужое. Один.", "Два.", "Три.");
  const merge = page.getByRole("button", { name: "Объединить" });
  await expect(merge).toBeVisible();
  await expect(contentField(page)).toHaveText("Один.Два.Три. Моё.");
  await expectAccessibleOnBoth(page, "changes behind the published text");
  await merge.click();
  await expect(contentField(page)).toHaveText("Чужое. Один.Два.Три. Моё.");
  await expectSaved(page);
  await expect(merge).toHaveCount(0);

  // Changes of the same paragraph are left to the author.
  await changeDirectly(classroom, "Чужое. Один.", "Два.", "Три. Их.");
  await merge.click();
  const dialog = page.getByRole("dialog", { name: "Объединить с опубликованным" });
  await expectAccessibleOnBoth(page, "a merge with the published text");
  await dialog.getByRole("radio", { name: "И то и другое" }).check();
  await dialog.getByRole("button", { name: "Сохранить выбранное" }).click();
  await expect(contentField(page)).toHaveText("Чужое. Один.Два.Три. Их.Три. Моё.");
  await expectSaved(page);
  await expect(merge).toHaveCount(0);
  await publishChanges(page);
  expect(await seenText(classroom)).toBe("Чужое. Один.Два.Три. Их.Три. Моё.");
});

test("discarding asks once, shows what learners see, and leaves the text in the history", async ({
  classroom,
  openAsOwner,
}) => {
  const page = await openAsOwner();
  await write(page, " Лишнее.");
  await expectSaved(page);
  await page.getByRole("button", { name: "Отменить изменения" }).click();
  const question = page.getByRole("dialog", { name: "Отменить изменения?" });
  await expectAccessible(page, "the question before discarding");
  await question.getByRole("button", { name: "Отменить изменения" }).click();
  await expect(contentField(page)).toHaveText("Текст.");
  await expect(publishButton(page)).toHaveCount(0);
  expect(await storedText(classroom)).toBe("Текст.");

  await page.getByRole("button", { name: "История" }).click();
  const history = page.getByRole("dialog", { name: "История страницы" });
  const versions = history.getByRole("list", { name: "Версии" }).getByRole("button");
  await expect(versions.filter({ hasText: "сейчас" })).toContainText("видят ученики");
  await versions.filter({ hasText: "не публиковалась" }).first().click();
  await expect(history.getByText("Текст. Лишнее.")).toBeVisible();
  await history.getByRole("button", { name: "Вернуть эту версию" }).click();
  await expect(contentField(page)).toHaveText("Текст. Лишнее.");
  await expect(notSeen(page)).toBeVisible();
  expect(await seenText(classroom)).toBe("Текст.");
  await write(page, " Или нет.");
  await expectSaved(page);
});

test("a page that is hidden keeps its changes as its text", async ({ classroom, openAsOwner }) => {
  const page = await openAsOwner();
  await write(page, " Впрок.");
  await expectSaved(page);
  await page.getByRole("switch", { name: "Опубликована" }).click();
  await expect(page.getByRole("switch", { name: "Черновик" })).toBeVisible();
  await expect(publishButton(page)).toHaveCount(0);
  await expect.poll(() => seenText(classroom)).toBe("Текст. Впрок.");
  await write(page, " И дальше.");
  await expectSaved(page);
  await expect(publishButton(page)).toHaveCount(0);
  await page.getByRole("switch", { name: "Черновик" }).click();
  await expect(page.getByRole("switch", { name: "Опубликована" })).toBeVisible();
  await expect.poll(() => seenText(classroom)).toBe("Текст. Впрок. И дальше.");
});

test("an incomplete question is named before publishing, and the dialog leads to it", async ({
  classroom,
  tabFor,
}) => {
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-page/${classroom.quizId}`);
  await page.locator("[data-header]").nth(3).click();
  const value = page.getByRole("textbox", { name: "Верное число", exact: true });
  await value.fill("");
  await page.locator("[data-header]").first().click();
  await expectSaved(page);
  await publishButton(page).click();
  const dialog = publishDialog(page);
  await expect(dialog.getByText(/Прежде чем публиковать/)).toBeVisible();
  await expect(dialog.getByRole("group", { name: "Вопрос 4, изменён" })).toBeVisible();
  await expect(confirm(page)).toBeDisabled();
  await expectAccessibleOnBoth(page, "changes that are incomplete");
  await dialog.getByRole("button", { name: /Вопрос 4.*Укажите верное число/ }).click();
  await expect(dialog).toHaveCount(0);
  await expect(value).toBeFocused();
  await value.fill("17");
  await value.blur();
  await publishChanges(page);
});

test("the notice of changes and the dialog are accessible and fit, in both themes", async ({
  openAsOwner,
}) => {
  const page = await openAsOwner();
  await write(page, " Исправлено.");
  await expectSaved(page);
  await expectAccessibleOnBoth(page, "unpublished changes");
  await publishButton(page).click();
  await expect(publishDialog(page).getByText("Исправлено.").first()).toBeVisible();
  await expectAccessibleOnBoth(page, "the dialog of publishing");
});
