import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import {
  expectAccessibleEverywhere,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { type Account, joinTeam, signUp } from "./api.ts";
import { expect } from "./fixtures.ts";
import {
  test as base,
  type CourseWithPages,
  contentField,
  createCourseWithPages,
  expectSaved,
  paragraph,
  storedPage,
  textOf,
} from "./page-editor.ts";
import { tabTo } from "./ui.ts";

/** Comments of authors: at blocks of a page, with suggestions, by reviewers, and the list of a course. */

interface Reviewed extends CourseWithPages {
  owner: Account;
  reviewer: Account;
}

interface Fixtures {
  reviewed: Reviewed;
  /** Opens the page as a reviewer sees it. */
  openReview: (path?: string) => Promise<Page>;
}

const BLOCKS = ["Первый абзац о переменных.", "Второй абзац о типах.", "Третий абзац о функциях."];

const test = base.extend<Fixtures>({
  reviewed: async ({ server }, use) => {
    const owner = await signUp(server, "Соколова Вера Павловна");
    const reviewer = await signUp(server, "Рябов Роман Львович");
    const content = { type: "doc", content: BLOCKS.map(paragraph) };
    const course = await createCourseWithPages(server, owner.token, content);
    await joinTeam(server, owner, reviewer, course.courseId, "reviewer");
    await use({ ...course, owner, reviewer });
  },

  openReview: async ({ reviewed, tabFor }, use) => {
    await use(async (path = `/edit-page/${reviewed.pageId}`) => {
      const { page } = await tabFor(reviewed.reviewer);
      await page.goto(path);
      await expect(page.getByText("Править эту страницу нельзя")).toBeVisible();
      return page;
    });
  },
});

const panel = (page: Page) => page.getByRole("region", { name: "Комментарии", exact: true });
const threads = (page: Page) => panel(page).locator("li[id^=thread-]");
const newComment = (page: Page) => panel(page).getByRole("textbox", { name: "Новый комментарий" });
const openButton = (page: Page) => page.getByRole("main").getByRole("button", { name: /^Комментарии/ });
const mark = (page: Page, block: number) =>
  page.getByRole("button", { name: new RegExp(`обсуждени\\S+ у\\sблока ${block}`) });

/** Puts the cursor into a block of the editor, by its number from 1. */
async function goTo(page: Page, block: number): Promise<void> {
  await contentField(page)
    .locator("> p")
    .nth(block - 1)
    .click();
}

/** Starts a thread over GraphQL and returns its ID. */
async function startThread(
  { server }: { server: { url: string } },
  author: Account,
  { pageId }: CourseWithPages,
  text: string,
  block: number | null = null,
): Promise<string> {
  const { page } = await graphql(
    server.url,
    author.token,
    "query ($id: ID!) { page(id: $id) { version pageDraft { version } } }",
    { id: pageId },
  );
  const version = page.pageDraft?.version ?? page.version;
  const { startThread } = await graphql(
    server.url,
    author.token,
    "mutation ($input: StartThreadInput!) { startThread(input: $input) { thread { id } } }",
    { input: { pageId, text, ...(block !== null && { version, block }) } },
  );
  return startThread.thread.id;
}

test.describe("an editor", () => {
  test("keeps a comment without the network, and sends it when the network is back", async ({
    reviewed,
    openEditor,
  }) => {
    const { page, context } = await openEditor(reviewed.owner, reviewed.pageId);
    await goTo(page, 2);
    await page.keyboard.press("Control+Alt+KeyM");
    await newComment(page).fill("Здесь нужен пример.");
    await context.setOffline(true);
    await expect(panel(page).getByText("отправить комментарий можно будет, когда")).toBeVisible();
    const send = panel(page).getByRole("button", { name: "Отправить", exact: true });
    await expect(send).toBeDisabled();
    await context.setOffline(false);
    await expect(send).toBeEnabled();
    await expect(newComment(page)).toHaveValue("Здесь нужен пример.");
    await send.click();
    await expect(threads(page)).toHaveCount(1);
    await expect(newComment(page)).toHaveCount(0);
  });

  test("comments on a block by keys, answers, resolves and reopens", async ({ reviewed, openEditor }) => {
    const { page } = await openEditor(reviewed.owner, reviewed.pageId);
    await goTo(page, 2);
    await page.keyboard.press("Control+Alt+KeyM");
    await expect(newComment(page)).toBeFocused();
    await expect(panel(page).getByText(BLOCKS[1] ?? "")).toBeVisible();
    await page.keyboard.type("Здесь нужен пример.");
    await page.keyboard.press("Control+Enter");
    await expect(threads(page)).toHaveCount(1);
    await expect(threads(page).first()).toBeFocused();
    await expect(mark(page, 2)).toBeVisible();
    await expect(openButton(page)).toHaveAccessibleName(/1\sоткрытое обсуждение/);

    const answer = threads(page).first().getByRole("textbox");
    await answer.fill("Добавлю.");
    await answer.press("Control+Enter");
    await expect(threads(page).first().getByText("Добавлю.")).toBeVisible();
    await expectAccessibleInBothThemes(page, "comments beside the editor");

    // The mark follows its block.
    await goTo(page, 1);
    await page.keyboard.press("Home");
    await page.keyboard.type("Новый абзац.");
    await page.keyboard.press("Enter");
    await expect(mark(page, 3)).toBeVisible();
    await expectSaved(page);

    await threads(page).first().getByRole("button", { name: "Решено" }).click();
    await expect(threads(page)).toHaveCount(0);
    await expect(panel(page).getByText("Открытых обсуждений нет")).toBeVisible();
    await panel(page)
      .getByRole("button", { name: /^Решённые: 1/ })
      .click();
    await threads(page).first().getByRole("button", { name: "Открыть снова" }).click();
    await panel(page)
      .getByRole("button", { name: /^Открытые: 1/ })
      .click();
    await expect(threads(page)).toHaveCount(1);
    // Escape leads back to the text.
    await threads(page).first().focus();
    await page.keyboard.press("Escape");
    await expect(panel(page)).toHaveCount(0);
    await expect(contentField(page)).toBeFocused();
  });

  test("comments on selected words", async ({ reviewed, openEditor }) => {
    const { page } = await openEditor(reviewed.owner, reviewed.pageId);
    await goTo(page, 3);
    await page.keyboard.press("Home");
    for (let letter = 0; letter < 6; letter += 1) await page.keyboard.press("Shift+ArrowRight");
    // The toolbar has another button with this name.
    await page.getByRole("button", { name: "Комментировать", exact: true }).last().click();
    await expect(panel(page).locator("q", { hasText: /^Третий$/ })).toBeVisible();
    await newComment(page).fill("Какой по счёту?");
    await panel(page).getByRole("button", { name: "Отправить" }).click();
    await expect(threads(page).first().getByRole("button", { name: "Третий", exact: true })).toBeVisible();
    await expect(mark(page, 3)).toBeVisible();
  });

  test("keeps what was typed and not sent, and edits and deletes what was", async ({
    reviewed,
    openEditor,
  }) => {
    const { page } = await openEditor(reviewed.owner, reviewed.pageId);
    await openButton(page).click();
    await expect(panel(page).getByRole("heading", { name: "Комментарии" })).toBeFocused();
    await panel(page).getByRole("button", { name: "О странице" }).click();
    await newComment(page).fill("Вся страница длинная.");
    await page.reload();
    await openButton(page).click();
    await expect(newComment(page)).toHaveValue("Вся страница длинная.");
    await panel(page).getByRole("button", { name: "Отправить" }).click();
    const thread = threads(page).first();
    await expect(thread.getByText("О странице целиком")).toBeVisible();

    await thread.getByRole("button", { name: /^Действия с\sкомментарием/ }).click();
    await page.getByRole("menuitem", { name: "Изменить" }).click();
    const field = thread.getByRole("textbox", { name: "Текст комментария" });
    await expect(field).toBeFocused();
    await field.fill("Вся страница слишком длинная.");
    await thread.getByRole("button", { name: "Сохранить" }).click();
    await expect(thread.getByText("Вся страница слишком длинная.")).toBeVisible();
    await expect(thread.getByText("(изменён)")).toBeVisible();

    await thread.getByRole("button", { name: /^Действия с\sкомментарием/ }).click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    await expect(threads(page)).toHaveCount(0);
    await page.getByRole("button", { name: "Отменить" }).last().click();
    await expect(threads(page)).toHaveCount(1);
  });

  test("opens a thread by its address, and is told when there is none", async ({
    server,
    reviewed,
    tabFor,
  }) => {
    const id = await startThread({ server }, reviewed.reviewer, reviewed, "Вопрос о типах.", 1);
    const { page } = await tabFor(reviewed.owner);
    await page.goto(`/edit-page/${reviewed.pageId}?thread=${id}`);
    await expect(threads(page).first()).toBeFocused();
    await expect(threads(page).first().getByText("Новое")).toBeVisible();
    await page.goto(`/edit-page/${reviewed.pageId}?thread=11111111-1111-4111-8111-111111111111`);
    await expect(page.getByText("Такого обсуждения больше нет")).toBeVisible();
  });

  test("sees what others write, and the comment whose place was deleted at the end", async ({
    server,
    reviewed,
    openEditor,
  }) => {
    await startThread({ server }, reviewed.owner, reviewed, "О первом.", 0);
    const { page } = await openEditor(reviewed.owner, reviewed.pageId);
    await openButton(page).click();
    await expect(threads(page)).toHaveCount(1);
    await startThread({ server }, reviewed.reviewer, reviewed, "О третьем.", 2);
    await expect(threads(page)).toHaveCount(2);
    await expect(threads(page).last()).toContainText("О третьем.");
    await contentField(page).locator("> p").first().click({ clickCount: 3 });
    await page.keyboard.press("Delete");
    await page.keyboard.press("Delete");
    await expect(contentField(page).locator("> p")).toHaveCount(2);
    await expectSaved(page);
    await expect(threads(page).last()).toContainText("О первом.");
    await expect(threads(page).last()).toContainText("Этого места в тексте больше нет");
  });
});

test.describe("a mention", () => {
  test("is chosen by keys and shown as a name", async ({ reviewed, openReview }) => {
    const page = await openReview();
    await openButton(page).click();
    await panel(page).getByRole("button", { name: "О странице" }).click();
    await newComment(page).pressSequentially("Посмотрите, @сок");
    const list = page.getByRole("listbox", { name: "Кого позвать" });
    await expect(list.getByRole("option")).toHaveCount(1);
    await expect(newComment(page)).toHaveAttribute("aria-activedescendant", /.+/);
    await expectAccessibleInBothThemes(page, "the list of people");
    await page.keyboard.press("Enter");
    await expect(newComment(page)).toHaveValue(`Посмотрите, @${reviewed.owner.fullName} `);
    await page.keyboard.press("Control+Enter");
    await expect(threads(page).first().getByText(`@${reviewed.owner.fullName}`)).toBeVisible();
  });
});

test.describe("a reviewer", () => {
  test("reads the outline and the pages, and changes nothing", async ({ reviewed, tabFor, openReview }) => {
    const { page } = await tabFor(reviewed.reviewer);
    await page.goto(`/edit-course/${reviewed.courseId}`);
    await expect(page.getByText("Вы рецензент")).toBeVisible();
    await expect(page.getByRole("link", { name: "Ученики" })).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Корзина" })).toHaveCount(0);
    await expectAccessibleEverywhere(page, "the course of a reviewer");
    await page.getByRole("link", { name: "Страница", exact: true }).click();
    await page.waitForURL((url) => url.pathname === `/edit-page/${reviewed.pageId}`);
    await expect(page.getByText(BLOCKS[0] ?? "")).toBeVisible();
    await expect(page.getByRole("switch")).toHaveCount(0);
    await expect(contentField(page)).toHaveCount(0);
    await expect(page.getByText("Сохранено")).toHaveCount(0);
    const review = await openReview();
    await expectAccessibleEverywhere(review, "the page of a reviewer");
  });

  test("proposes a change, which an editor accepts", async ({ server, reviewed, openReview, openEditor }) => {
    const page = await openReview();
    // The comment button is a single tab stop; the arrow keys move it between blocks.
    const add = page.getByRole("button", { name: /^Комментировать блок/ });
    await add.focus();
    await page.keyboard.press("ArrowDown");
    await expect(add).toHaveAccessibleName(/блок 2/);
    await page.keyboard.press("Enter");
    await panel(page).getByRole("button", { name: "Предложить правку" }).click();
    const proposed = panel(page).getByRole("textbox", { name: "Как должно быть" });
    await expect(proposed).toContainText("Второй абзац");
    await proposed.click();
    await page.keyboard.press("End");
    await page.keyboard.type(" И о проверках.");
    await expectAccessibleInBothThemes(page, "a proposed change");
    await panel(page).getByRole("button", { name: "Предложить правку" }).click();
    const own = threads(page).first();
    await expect(own.locator("ins")).toContainText("И о проверках.");
    await expect(own.getByRole("button", { name: "Принять" })).toHaveCount(0);

    const { page: editor } = await openEditor(reviewed.owner, reviewed.pageId);
    await mark(editor, 2).click();
    await expect(threads(editor).first()).toBeFocused();
    await expectAccessibleInBothThemes(editor, "a suggestion");
    await threads(editor).first().getByRole("button", { name: "Принять" }).click();
    await expect(contentField(editor)).toContainText("Второй абзац о типах. И о проверках.");
    await expect
      .poll(async () => textOf((await storedPage(server, reviewed.owner.token, reviewed.pageId)).content))
      .toContain("И о проверках.");
    // The reviewer sees the new text without loading the page again.
    const changed = page
      .getByRole("main")
      .locator("p", { hasText: /^Второй абзац о типах\. И о проверках\.$/ });
    await expect(changed).toBeVisible();
    await panel(editor)
      .getByRole("button", { name: /^Решённые: 1/ })
      .click();
    await expect(threads(editor).first()).toContainText("Правка принята");
  });

  test("uses the comments on a phone", async ({ server, reviewed, openReview }) => {
    await startThread({ server }, reviewed.owner, reviewed, "О втором.", 1);
    const page = await openReview();
    await resize(page, { width: 360, height: 740 });
    await mark(page, 2).click();
    await expect(threads(page).first()).toBeFocused();
    await expectNoHorizontalScroll(page, "comments at 360 px");
    await expectAccessibleInBothThemes(page, "comments at 360 px");
    await panel(page).getByRole("button", { name: "Закрыть комментарии" }).click();
    await expect(openButton(page)).toBeFocused();
  });
});

test("the course lists its threads, and those that mention the user", async ({
  server,
  reviewed,
  tabFor,
}) => {
  const { data } = { data: await graphql(server.url, reviewed.reviewer.token, "query { me { id } }", {}) };
  await startThread({ server }, reviewed.owner, reviewed, "Просто вопрос.", 0);
  await startThread(
    { server },
    reviewed.owner,
    reviewed,
    `@[${reviewed.reviewer.fullName}](user:${data.me.id}), посмотрите`,
    1,
  );
  const { page } = await tabFor(reviewed.reviewer);
  await page.goto(`/edit-course/${reviewed.courseId}`);
  await expect(page.getByRole("row", { name: /Страница.*2\sоткрытых обсуждения/ })).toBeVisible();
  await page.getByRole("navigation", { name: "Разделы редактора курса" }).getByText("Комментарии").click();
  const rows = page.getByRole("list", { name: "Обсуждения, новые сверху" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("посмотрите");
  await expectAccessibleEverywhere(page, "the threads of a course");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the threads of a course at 360 px");
  await page.getByRole("checkbox", { name: "Упомянули меня" }).check();
  await expect(rows).toHaveCount(1);
  await page.getByRole("radio", { name: "Решённые" }).check();
  await expect(page.getByText("Вас пока не упоминали")).toBeVisible();
  await page.getByRole("radio", { name: "Открытые" }).check();
  await tabTo(page, rows.first().getByRole("link"));
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.has("thread"));
  await expect(threads(page).filter({ hasText: "посмотрите" })).toBeFocused();
});

test("the owner invites a reviewer", async ({ server, reviewed, tabFor }) => {
  const { page } = await tabFor(reviewed.owner);
  await page.goto(`/edit-course/${reviewed.courseId}?tab=settings`);
  const form = page.getByRole("form", { name: "Приглашение в команду" });
  await form.getByRole("textbox").fill("reader@example.com");
  await form.getByRole("combobox").selectOption({ label: "Рецензент" });
  await expect(form.getByText("Рецензент читает черновики")).toBeVisible();
  await form.getByRole("button", { name: "Пригласить" }).click();
  await expect(page.getByRole("combobox", { name: "Роль: reader@example.com" })).toHaveValue("REVIEWER");
  await expect
    .poll(async () => {
      const query = "query ($id: ID!) { course(id: $id) { collaborators { email role } } }";
      const { course } = await graphql(server.url, reviewed.owner.token, query, { id: reviewed.courseId });
      return course.collaborators.find(({ email }: { email: string }) => email === "reader@example.com")
        ?.role;
    })
    .toBe("REVIEWER");
});
