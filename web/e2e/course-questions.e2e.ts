import type { Page } from "@playwright/test";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { joinTeam, signUp } from "./api.ts";
import {
  type Asking,
  ask,
  change,
  createAsking,
  reply,
  report,
  setSettings,
  storedQuestion,
  storedSettings,
} from "./course-questions.ts";
import { expect, test } from "./fixtures.ts";
import { field, tabTo, toast } from "./ui.ts";

// Questions of a course for its staff: the list with the open question, answering, the settings, and the switch of a page.

const questionsOf = ({ courseId }: Asking, rest = "") => `/edit-course/${courseId}?tab=questions${rest}`;
const list = (page: Page) => page.getByRole("navigation", { name: "Список вопросов" });
const rows = (page: Page) => list(page).getByRole("link");
const row = (page: Page, words: string) => rows(page).filter({ hasText: words });
const tabOfQuestions = (page: Page) =>
  page.getByRole("navigation", { name: "Разделы редактора курса" }).getByRole("link", { name: /^Вопросы/ });
const filter = (page: Page, name: string | RegExp) =>
  page.getByRole("navigation", { name: "Какие вопросы показать" }).getByRole("link", { name });
const opened = (page: Page, words: string) => page.getByRole("region", { name: `Вопрос: ${words}` });

test.describe("the list", () => {
  test("shows who waits the longest first, and a teacher answers in three actions", async ({
    server,
    tabFor,
  }) => {
    const world = await createAsking(server);
    const first = await ask(world, { text: "Почему переменная неизменяема?" });
    await ask(world, { text: "Чем const отличается от let?", page: 2, by: world.other });
    const { page } = await tabFor(world.teacher);
    await page.goto(questionsOf(world));
    await expect(rows(page)).toHaveText([/Почему переменная неизменяема\?/, /Чем const отличается от let\?/]);
    await expect(row(page, "Почему")).toContainText("Иванова Анна Петровна · Переменные");
    await expect(row(page, "Почему")).toContainText("Ждёт меньше минуты");
    await expect(tabOfQuestions(page)).toHaveAccessibleName(/без ответа: 2$/);

    // Open, write, send.
    await row(page, "Почему").click();
    const thread = opened(page, "Почему переменная неизменяема?");
    await thread.getByText("Написать ответ").click();
    await expect(thread.getByRole("textbox")).toBeFocused();
    await page.keyboard.type("Так компилятор находит ошибки.");
    await page.keyboard.press("Control+Enter");
    await expect(thread.getByText("Так компилятор находит ошибки.")).toBeVisible();
    await expect
      .poll(async () => (await storedQuestion(world, first)).answers.nodes)
      .toMatchObject([{ byStaff: true, author: { fullName: world.teacher.fullName } }]);

    // The answered question leaves the list, but stays open.
    await expect(rows(page)).toHaveText([/Чем const отличается от let\?/]);
    await expect(tabOfQuestions(page)).toHaveAccessibleName(/без ответа: 1$/);
    await expect(page.getByText("Так компилятор находит ошибки.")).toBeVisible();
    await filter(page, "Открытые").click();
    await expect(row(page, "Почему")).toContainText(/1\sответ/);
  });

  test("gets new questions and answers of others without a reload, and shows those of its filter", async ({
    server,
    tabFor,
  }) => {
    const world = await createAsking(server);
    const { page } = await tabFor(world.owner);
    await page.goto(questionsOf(world));
    await expect(page.getByRole("heading", { name: "Вопросов пока нет" })).toBeVisible();
    const id = await ask(world, { text: "Где скачать компилятор?" });
    await expect(row(page, "Где скачать компилятор?")).toBeVisible();
    await expect(tabOfQuestions(page)).toHaveAccessibleName(/без ответа: 1$/);
    await row(page, "Где скачать").click();
    await reply(world, world.teacher, id, "На сайте rust-lang.org.");
    await expect(page.getByText("На сайте rust-lang.org.")).toBeVisible();
    await expect(rows(page)).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { name: "На все вопросы есть ответ" })).toBeVisible();

    // A learner who asks again waits again.
    await reply(world, world.learner, id, "А для Windows?");
    await expect(row(page, "Где скачать компилятор?")).toBeVisible();

    await change(world, world.learner, id, { isResolved: true });
    await expect(rows(page)).toHaveCount(0);
    await ask(world, { text: "Можно сдать тест позже?", toTeachers: true });
    const bad = await ask(world, { text: "Кто даст ответы?", by: world.other });
    await report(world, world.learner, bad, "Просит готовые ответы");
    await filter(page, "Решённые").click();
    await expect(rows(page)).toHaveText([/Где скачать компилятор\?/]);
    await filter(page, "Только преподавателям").click();
    await expect(rows(page)).toHaveText([/Можно сдать тест позже\?/]);
    await filter(page, /^Жалобы/).click();
    await expect(rows(page)).toHaveText([/Кто даст ответы\?/]);
    await expect(row(page, "Кто даст")).toContainText(/1\sжалоба/);
    await filter(page, "Все").click();
    await expect(rows(page)).toHaveCount(3);
  });

  test("of an editor has neither questions to the teachers nor reports", async ({ server, tabFor }) => {
    const world = await createAsking(server);
    const editor = await signUp(server, "Егоров Егор Егорович");
    await joinTeam(server, world.owner, editor, world.courseId, "editor");
    await ask(world, { text: "Чем const отличается от let?" });
    await ask(world, { text: "Можно сдать тест позже?", toTeachers: true });
    const { page } = await tabFor(editor);
    await page.goto(questionsOf(world, "&view=all"));
    await expect(rows(page)).toHaveText([/Чем const отличается от let\?/]);
    await expect(filter(page, /Жалобы|преподавателям/)).toHaveCount(0);
    await page.goto(`/edit-course/${world.courseId}?tab=settings`);
    await expect(page.getByRole("heading", { name: "Команда" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Вопросы учеников" })).toHaveCount(0);
  });

  test("is used by keyboard alone", async ({ server, tabFor }) => {
    const world = await createAsking(server);
    for (const text of ["Первый вопрос?", "Второй вопрос?", "Третий вопрос?"]) await ask(world, { text });
    const { page } = await tabFor(world.owner);
    await page.goto(questionsOf(world));
    await expect(rows(page)).toHaveCount(3);
    await rows(page).first().focus();
    await page.keyboard.press("ArrowDown");
    await expect(rows(page).nth(1)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(opened(page, "Второй вопрос?")).toBeFocused();
    await page.keyboard.press("j");
    await expect(opened(page, "Третий вопрос?")).toBeFocused();
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await expect(opened(page, "Первый вопрос?")).toBeFocused();
    const box = opened(page, "Первый вопрос?").getByText("Написать ответ");
    await tabTo(page, opened(page, "Первый вопрос?").locator("button").filter({ has: box }).or(box).first());
    await page.keyboard.press("Enter");
    await expect(opened(page, "Первый вопрос?").getByRole("textbox")).toBeFocused();
    // Letters that are typed into the answer are no shortcuts.
    await page.keyboard.type("j k");
    await expect(opened(page, "Первый вопрос?").getByRole("textbox")).toContainText("j k");
    await page.keyboard.press("Control+Enter");
    await expect(rows(page)).toHaveCount(2);
  });

  test("is a list and then a question on a phone, and goes back to the list", async ({ server, tabFor }) => {
    const world = await createAsking(server);
    await ask(world, { text: `Почему ${"оченьдлинноеслово".repeat(12)} неизменяемо?` });
    await ask(world, { text: "Чем const отличается от let?" });
    const { page } = await tabFor(world.owner, { viewport: "phone" });
    await resize(page, { width: 360, height: 700 });
    await page.goto(questionsOf(world));
    await expect(rows(page)).toHaveCount(2);
    await expectNoHorizontalScroll(page, "the list at 360 px");
    await row(page, "Чем const").click();
    await expect(opened(page, "Чем const отличается от let?")).toBeVisible();
    await expect(list(page)).toBeHidden();
    await expectNoHorizontalScroll(page, "a question at 360 px");
    await page.getByRole("button", { name: "К списку вопросов" }).click();
    await expect(row(page, "Чем const")).toBeFocused();
    await page.goBack();
    await expect(opened(page, "Чем const отличается от let?")).toBeVisible();
  });

  test("is accessible everywhere", async ({ server, tabFor }) => {
    test.setTimeout(300_000);
    const world = await createAsking(server);
    const solved = await ask(world, { text: "Где скачать компилятор?", toTeachers: true });
    await reply(world, world.owner, solved, "На сайте.");
    await change(world, world.owner, solved, { isResolved: true, isPinned: true, isLocked: true });
    const bad = await ask(world, { text: "Кто даст ответы?", by: world.other });
    await report(world, world.learner, bad, "Просит готовые ответы");
    const { page } = await tabFor(world.owner);
    await page.goto(questionsOf(world, "&view=all"));
    await expect(rows(page)).toHaveCount(2);
    await expectAccessibleEverywhere(page, "the list of questions");
    await row(page, "Кто даст").click();
    await expect(opened(page, "Кто даст ответы?").getByText("Написать ответ")).toBeVisible();
    await expectAccessibleEverywhere(page, "a question of the list");
  });
});

test.describe("the settings", () => {
  test("are saved, and take up words that a colleague has changed in the meantime", async ({
    server,
    tabFor,
  }) => {
    const world = await createAsking(server);
    const { page } = await tabFor(world.teacher);
    await page.goto(`/edit-course/${world.courseId}?tab=settings`);
    await expect(page.getByRole("checkbox", { name: "Ученики могут задавать вопросы" })).toBeChecked();
    await page.getByRole("checkbox", { name: "Можно писать без имени" }).check();
    await page.getByRole("checkbox", { name: "Вопрос видит только группа ученика" }).check();
    await field(page, "Запрещённые слова").fill("дурак\nготовые ответы");
    await setSettings(world, world.owner, { words: ["списать"] });
    await page.getByRole("button", { name: "Сохранить настройки вопросов" }).click();
    await expect(field(page, "Запрещённые слова")).toHaveValue("списать\nдурак\nготовые ответы");
    expect(await storedSettings(world)).toEqual({
      isOn: true,
      allowsAnonymous: true,
      isPerGroup: true,
      words: ["списать", "дурак", "готовые ответы"],
    });
    await page.reload();
    await expect(field(page, "Запрещённые слова")).toHaveValue("списать\nдурак\nготовые ответы");
    await page.getByRole("checkbox", { name: "Ученики могут задавать вопросы" }).uncheck();
    await page.getByRole("button", { name: "Сохранить настройки вопросов" }).click();
    await expect.poll(async () => (await storedSettings(world)).isOn).toBe(false);
    await page.goto(questionsOf(world));
    await expect(page.getByText("Вопросы выключены: ученики их не видят и не задают.")).toBeVisible();
  });

  test("of a page are in its menu", async ({ server, tabFor }) => {
    const world = await createAsking(server);
    const { page } = await tabFor(world.owner);
    await page.goto(`/edit-course/${world.courseId}`);
    const openMenu = async (name: string) => {
      await page.getByRole("button", { name: `Действия: ${name}` }).click();
      await page.getByRole("menuitem", { name: "Вопросы под страницей…" }).click();
    };
    await openMenu("Переменные");
    const dialog = page.getByRole("dialog", { name: "Вопросы под страницей «Переменные»" });
    await dialog.getByRole("checkbox", { name: "Вопросы под страницей" }).uncheck();
    await expect(
      toast(page, "").or(page.getByText("Вопросы под страницей выключены.")).first(),
    ).toBeVisible();
    await expectAccessibleEverywhere(page, "the switch of questions");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(ask(world, { text: "Ещё можно спросить?" })).rejects.toThrow(/CONFLICT/);
    await ask(world, { text: "А здесь?", page: 2 });
    await openMenu("Переменные");
    await dialog.getByRole("checkbox", { name: "Вопросы под страницей" }).check();
    await expect(dialog.getByText("Ученики могут читать и задавать вопросы")).toBeVisible();
    await expect.poll(() => ask(world, { text: "Теперь можно?" }).catch(() => null)).not.toBeNull();
  });

  test("of a page are below it, too, for a teacher, whose outline has no menus", async ({
    server,
    tabFor,
  }) => {
    const world = await createAsking(server);
    const { page } = await tabFor(world.teacher);
    await page.goto(`/view-page/${world.pages[0]}`);
    const button = page.getByRole("button", { name: /^Вопросы под страницей/ });
    const dialog = page.getByRole("dialog", { name: "Вопросы под страницей «Переменные»" });
    await button.click();
    await dialog.getByRole("checkbox", { name: "Вопросы под страницей" }).uncheck();
    await expect(dialog.getByText("Ученики не видят вопросов под этой страницей.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(ask(world, { text: "Ещё можно спросить?" })).rejects.toThrow(/CONFLICT/);
    // Where nobody has asked anything, the section stays for those who can switch it on again.
    await page.reload();
    await button.click();
    await dialog.getByRole("checkbox", { name: "Вопросы под страницей" }).check();
    await expect(dialog.getByText("Ученики могут читать и задавать вопросы")).toBeVisible();
    await expect.poll(() => ask(world, { text: "Теперь можно?" }).catch(() => null)).not.toBeNull();
    const learner = await tabFor(world.learner);
    await learner.page.goto(`/view-page/${world.pages[0]}`);
    await expect(learner.page.getByText("Теперь можно?").first()).toBeVisible();
    await expect(learner.page.getByRole("button", { name: /^Вопросы под страницей/ })).toHaveCount(0);
  });
});
