import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import {
  type AssignmentClass,
  createAssignmentClass,
  decide,
  gradedByRubric,
  handIn,
  storedWork,
} from "./assignments.ts";
import { box, savedState, storedQuiz, write } from "./builder.ts";
import { createClassroom, oneQuestion } from "./classroom.ts";
import { type ChosenFile, pdf, picture } from "./file-answers.ts";
import { expect, test, viewports } from "./fixtures.ts";
import { field } from "./ui.ts";

const narrow = { width: 360, height: 740 };
const text = (page: Page) => page.getByRole("textbox", { name: /^Текст/ });
const link = (page: Page, number: number) =>
  page.getByRole("textbox", { name: new RegExp(`^Ссылка ${number}`) });
const submit = (page: Page) => page.getByRole("button", { name: "Сдать работу" });
const draftSaved = (page: Page) => page.getByRole("status").filter({ hasText: "Черновик сохранён" });
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });
const versions = (page: Page) => page.getByRole("region", { name: "Сданные версии" });
const words = "Срез строки не владеет текстом, поэтому копия не нужна.";

/** Checks the screen on a phone of 360 px and on a wide screen, in both themes. */
async function expectAccessibleOnBoth(page: Page, screen: string): Promise<void> {
  for (const viewport of [narrow, viewports.desktop]) {
    await resize(page, viewport);
    await expectAccessibleInBothThemes(page, `${screen}, ${viewport.width}`);
    await expectNoHorizontalScroll(page, `${screen}, ${viewport.width}`);
  }
}

async function choose(page: Page, ...chosen: ChosenFile[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /^Выбрать файл/ }).click();
  await (await chooser).setFiles(chosen);
  for (const { name } of chosen)
    await expect(page.getByRole("button", { name: `Убрать: ${name}` })).toBeVisible();
}

const open = async (page: Page, { assignmentId }: AssignmentClass) => {
  await page.goto(`/view-page/${assignmentId}`);
  await expect(heading(page, "Частые слова")).toBeVisible();
};

/** The words in a stored document. */
const said = (content: unknown) => JSON.stringify(content);

test("an author makes an assignment, a learner hands it in, a teacher returns it, and grades the second version", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const author = (await tabFor(classroom.owner)).page;
  await author.goto(`/edit-course/${classroom.courseId}`);
  await author.getByRole("button", { name: "Задание: добавить в урок «Первые шаги»" }).click();
  await field(author, "Название задания").fill("Частые слова");
  await field(author, "Название задания").press("Enter");
  await field(author, "Название задания").press("Escape");
  const row = author.getByRole("row", { name: /^Задание «Частые слова», черновик/ });
  await expect(row).toBeVisible();
  await expectAccessibleOnBoth(author, "an outline with an assignment");
  await row.getByRole("link", { name: "Частые слова" }).click();

  await expect(heading(author, "Сдача работы")).toBeVisible();
  await expect(author.getByRole("checkbox", { name: "Текст" })).toBeChecked();
  await write(
    author.locator(".ProseMirror").first(),
    "Посчитайте слова в файле и объясните, где вы заимствуете.",
  );
  await author.getByRole("checkbox", { name: "Текст" }).uncheck();
  await author.getByRole("checkbox", { name: "Файлы" }).uncheck();
  await expect(author.getByText("Разрешите сдать текст, файлы или ссылки")).toBeVisible();
  await expectAccessibleOnBoth(author, "an assignment that takes nothing");
  await author.getByRole("switch").click();
  const unfinished = author.getByRole("dialog", { name: "Задание ещё не готово" });
  await unfinished.getByRole("button", { name: /Разрешите сдать/ }).click();
  await expect(author.getByRole("checkbox", { name: "Текст" })).toBeFocused();
  await author.keyboard.press("Space");
  await box(author, "Слов не меньше").fill("5");
  await author.getByRole("checkbox", { name: "Файлы" }).check();
  await expect(box(author, "Файлов не больше")).toHaveValue("5");
  await box(author, "Файлов не больше").fill("2");
  await author.getByRole("checkbox", { name: "Ссылки" }).check();
  await box(author, "Ссылок не больше").fill("3");
  await box(author, "Баллы").fill("8");
  await box(author, "Сколько процентов нужно для зачёта").fill("50");
  await author.getByRole("button", { name: "Добавить указания проверяющим" }).click();
  await write(author.getByRole("textbox", { name: /^Указания проверяющим/ }), "Смотрите на время жизни.");
  await box(author, "Версий работы не больше").fill("2");
  await box(author, "Версий работы не больше").blur();
  await expect(savedState(author)).toBeVisible();
  await author.getByRole("switch").click();
  await expect(author.getByRole("switch", { name: "Опубликована" })).toBeChecked();
  const assignmentId = /[^/]+$/.exec(new URL(author.url()).pathname)?.[0] ?? "";
  const work = { ...classroom, assignmentId };
  const { max_attempts, pass_percent, questions } = await storedQuiz(classroom, assignmentId);
  expect({ max_attempts, pass_percent }).toEqual({ max_attempts: 2, pass_percent: 50 });
  expect(questions).toMatchObject([
    { type: "hand_in", points: 8, takes_text: true, min_words: 5, max_files: 2, max_links: 3 },
  ]);
  await expectAccessibleOnBoth(author, "the settings of an assignment");

  await author.getByRole("button", { name: "Посмотреть как ученик" }).click();
  await write(author.getByRole("region", { name: "Проба" }).getByRole("textbox", { name: /^Текст/ }), words);
  await author.getByRole("button", { name: "Проверить форму" }).click();
  await expect(author.getByText("ничего не сохранено")).toBeVisible();
  await expectAccessibleOnBoth(author, "a try-out of an assignment");

  const { page } = await tabFor(classroom.learner);
  await open(page, work);
  await expect(page.getByText("Посчитайте слова в файле")).toBeVisible();
  await expect(page.getByText("Сдать можно ещё 2 раза")).toBeVisible();
  await expectAccessibleOnBoth(page, "an assignment before anything is written");
  await submit(page).click();
  await expect(page.getByText("Сдавать пока нечего")).toBeVisible();
  await expect(text(page)).toBeFocused();
  await page.keyboard.insertText("Мало слов.");
  await submit(page).click();
  await expect(page.getByText("Объём текста не подходит")).toBeVisible();
  await write(text(page), ` ${words}`);
  await choose(page, pdf("Отчёт.pdf"), await picture("Результат.png"));
  await link(page, 1).fill("git.example.org/anna/words");
  await link(page, 1).blur();
  await expect(link(page, 1)).toHaveValue("https://git.example.org/anna/words");
  await expect(draftSaved(page)).toBeVisible();
  await expectAccessibleOnBoth(page, "a draft of an assignment");
  await page.reload();
  await expect(text(page)).toContainText(words);
  await expect(page.getByRole("button", { name: /^Убрать: / })).toHaveCount(2);
  await submit(page).click();
  await expect(heading(page, "Работа на проверке")).toBeFocused();
  await expect(versions(page)).toContainText("на проверке");
  await expect(versions(page).getByRole("link", { name: /git\.example\.org/ })).toHaveAttribute(
    "rel",
    /noopener/,
  );
  await expectAccessibleOnBoth(page, "work that waits");
  expect(await storedWork(work, classroom.learner)).toMatchObject({
    attemptsLeft: 1,
    draft: null,
    attempts: [{ waitingAnswers: 1, answers: [{ links: ["https://git.example.org/anna/words"] }] }],
  });

  const teacher = (await tabFor(classroom.owner)).page;
  await teacher.goto(`/edit-course/${classroom.courseId}?tab=grading`);
  await teacher.getByRole("button", { name: "Начать проверку" }).press("Enter");
  const answer = teacher.getByRole("region", { name: "Ответ ученика" });
  await expect(answer).toContainText(words);
  await expect(answer.getByRole("link")).toHaveCount(3);
  await expect(teacher.getByText("Смотрите на время жизни.")).toBeVisible();
  await expectAccessibleOnBoth(teacher, "work in the grading queue");
  await teacher.keyboard.press("Escape");
  await teacher.getByRole("article").getByRole("heading").first().press("r");
  await expect(field(teacher, "Что исправить")).toBeFocused();
  await teacher.keyboard.press("Control+Enter");
  await expect(teacher.getByText("Напишите, что исправить")).toBeVisible();
  await expectAccessibleOnBoth(teacher, "work that is being returned");
  await field(teacher, "Что исправить").fill("Добавьте пример.");
  await teacher.keyboard.press("Control+Enter");
  await expect(heading(teacher, "Всё проверено")).toBeVisible();
  await teacher.getByRole("combobox", { name: "Состояние" }).selectOption("Опубликованы");
  await expect(teacher.getByRole("navigation", { name: "Очередь проверки" })).toContainText(
    "Возвращено на доработку",
  );
  await expectAccessibleOnBoth(teacher, "a queue with returned work");

  await page.reload();
  await expect(heading(page, "Возвращено на доработку")).toBeVisible();
  await expect(page.getByText("Добавьте пример.")).toBeVisible();
  await expect(page.getByText("Сдать можно ещё 2 раза")).toBeVisible();
  await expectAccessibleOnBoth(page, "returned work");
  await page.goto("/");
  await expect(page.getByText("Возвращено на доработку: Частые слова")).toBeVisible();
  await page.goto(`/view-course/${classroom.courseId}`);
  await expect(page.getByText("Возвращено на доработку: Частые слова")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Частые слова/ })).toContainText("Возвращено на доработку");
  await expectAccessibleOnBoth(page, "an outline with returned work");
  await page.getByRole("link", { name: /^Частые слова/ }).click();
  await page.getByRole("button", { name: "Исправить и сдать снова" }).click();
  await expect(heading(page, "Версия 2")).toBeFocused();
  await expect(text(page)).toContainText(words);
  await expect(link(page, 1)).toHaveValue("https://git.example.org/anna/words");
  await text(page).press("Control+End");
  await page.keyboard.insertText(" Пример: words[0].");
  await page.getByRole("button", { name: "Убрать: Результат.png" }).click();
  await submit(page).click();
  await expect(heading(page, "Работа на проверке")).toBeFocused();
  await expect(versions(page).getByText(/^Версия \d$/)).toHaveText(["Версия 2", "Версия 1"]);

  await teacher.getByRole("combobox", { name: "Состояние" }).selectOption("Ждут проверки");
  await teacher.getByRole("button", { name: "Начать проверку" }).click();
  await expect(answer).toContainText("Пример: words[0].");
  await teacher.keyboard.press("6");
  await teacher.keyboard.press("Control+Enter");
  await expect(heading(teacher, "Всё проверено")).toBeVisible();
  await page.reload();
  await expect(heading(page, "Задание зачтено")).toBeVisible();
  await expect(versions(page)).toContainText("6 из 8 баллов");
  await expectAccessibleOnBoth(page, "graded work");
  expect(await storedWork(work, classroom.learner)).toMatchObject({
    isCompleted: true,
    attempts: [{ isReturned: true }, { isReturned: false, score: 6 }],
  });

  await teacher.goto(`/edit-course/${classroom.courseId}?tab=grades`);
  await expect(teacher.getByRole("columnheader", { name: /Частые слова/ })).toBeVisible();
  await expect(teacher.getByRole("gridcell", { name: /75/ }).first()).toBeVisible();
  await teacher.goto(`/edit-course/${classroom.courseId}?tab=students`);
  await teacher.getByRole("link", { name: classroom.learner.fullName }).first().click();
  await expect(teacher.getByRole("button", { name: "Версия 1: возвращено на доработку" })).toBeVisible();
  await teacher.getByRole("button", { name: /^Версия 2: 75/ }).click();
  await expect(teacher.getByRole("dialog")).toContainText("Пример: words[0].");
  await expectAccessibleOnBoth(teacher, "a version of a student's work");
});

test("work is written and handed in by keys alone, and the last version asks once", async ({
  server,
  tabFor,
}) => {
  const classroom = await createAssignmentClass(server, { min_words: null }, { max_attempts: 1 });
  const { page } = await tabFor(classroom.learner);
  await open(page, classroom);
  await text(page).focus();
  await page.keyboard.insertText(words);
  // The toolbar of the text is one stop.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Выбрать файлы" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(link(page, 1)).toBeFocused();
  await page.keyboard.type("example.org");
  await page.keyboard.press("Enter");
  await expect(link(page, 2)).toBeFocused();
  await expect(link(page, 1)).toHaveValue("https://example.org");
  await page.keyboard.type("не адрес");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Убрать ссылку 2" })).toBeFocused();
  await expect(page.getByText("Это не адрес страницы")).toBeVisible();
  await expectAccessibleOnBoth(page, "a link that is no address");
  await page.keyboard.press("Enter");
  await expect(link(page, 1)).toBeFocused();
  await submit(page).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Больше сдать не получится")).toBeVisible();
  await expectAccessibleOnBoth(page, "the question before the last version");
  await page.keyboard.press("Enter");
  await expect(heading(page, "Работа на проверке")).toBeFocused();
  await expect(page.getByText("Сдать больше нельзя")).toBeVisible();
  await expect(page.getByRole("button", { name: "Исправить и сдать снова" })).toHaveCount(0);
});

test("a draft that was written without a network survives the closed tab, and goes on on another device", async ({
  server,
  tabFor,
}) => {
  const classroom = await createAssignmentClass(server);
  const tab = await tabFor(classroom.learner);
  const { page, context } = tab;
  await open(page, classroom);
  await write(text(page), "Начало.");
  await expect(draftSaved(page)).toBeVisible();
  await context.setOffline(true);
  await text(page).press("Control+End");
  await page.keyboard.insertText(" Продолжение без сети.");
  await expect(page.getByText("Нет сети: черновик на этом устройстве")).toBeVisible();
  await expectAccessibleOnBoth(page, "a draft without a network");
  await page.close();
  tab.consoleErrors.length = 0;
  await context.setOffline(false);
  expect(said((await storedWork(classroom, classroom.learner)).draft)).not.toContain("без сети");

  const again = await context.newPage();
  await open(again, classroom);
  await expect(text(again)).toHaveText("Начало. Продолжение без сети.");
  await expect(draftSaved(again)).toBeVisible();
  const other = (await tabFor(classroom.learner)).page;
  await open(other, classroom);
  await expect(text(other)).toHaveText("Начало. Продолжение без сети.");
});

test("two windows merge what they wrote apart, and show both drafts where that is impossible", async ({
  server,
  tabFor,
}) => {
  const classroom = await createAssignmentClass(server);
  const { page, context } = await tabFor(classroom.learner);
  await open(page, classroom);
  await write(text(page), "Общее начало.");
  await expect(draftSaved(page)).toBeVisible();
  const other = await context.newPage();
  await open(other, classroom);
  await expect(text(other)).toHaveText("Общее начало.");

  // Different parts become one draft without a question.
  await link(page, 1).fill("https://first.example");
  await link(page, 1).blur();
  await expect(draftSaved(page)).toBeVisible();
  await expect.poll(async () => (await storedWork(classroom, classroom.learner)).draft?.version).toBe(2);
  await text(other).press("Control+End");
  await other.keyboard.insertText(" Второе окно.");
  await expect(link(other, 1)).toHaveValue("https://first.example");
  await expect(draftSaved(other)).toBeVisible();
  await expect
    .poll(async () => (await storedWork(classroom, classroom.learner)).draft?.answer)
    .toMatchObject({ links: ["https://first.example"] });

  // The same paragraph is a conflict.
  await text(page).press("Control+End");
  await page.keyboard.insertText(" Первое окно.");
  const conflict = page.getByRole("alert").filter({ hasText: "Черновик изменили в другом окне" });
  await expect(conflict).toBeVisible();
  await expect(conflict.getByRole("group", { name: "В этом окне" })).toContainText("Первое окно.");
  await expect(conflict.getByRole("group", { name: /^Сохранённый/ })).toContainText("Второе окно.");
  await expectAccessibleOnBoth(page, "two drafts of one work");
  await submit(page).click();
  await expect(page.getByText("Сначала решите, какой черновик оставить.")).toBeVisible();
  await conflict.getByRole("button", { name: "Соединить оба" }).click();
  await expect(draftSaved(page)).toBeVisible();
  await expect(text(page)).toContainText("Первое окно.");
  await expect(text(page)).toContainText("Второе окно.");

  // A window that is looked at again shows what the other one has handed in.
  await submit(page).click();
  await expect(heading(page, "Работа на проверке")).toBeFocused();
  await other.bringToFront();
  await other.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(heading(other, "Работа на проверке")).toBeVisible();
  const { attempts, draft } = await storedWork(classroom, classroom.learner);
  expect(attempts).toHaveLength(1);
  expect(said(attempts[0]?.answers)).toContain("Первое окно.");
  expect(draft).toBeNull();
});

test("work without an answer of the server is sent again once, and a draft stays readable after the close", async ({
  server,
  tabFor,
}) => {
  const classroom = await createAssignmentClass(server);
  const tab = await tabFor(classroom.learner);
  const { page } = tab;
  await open(page, classroom);
  await write(text(page), words);
  await expect(draftSaved(page)).toBeVisible();
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes('"HandIn"')) return route.fallback();
    // The server stores the work, and its answer is lost.
    await route.fetch();
    await route.abort("connectionreset");
  });
  await submit(page).click();
  await expect(page.getByText("Сервер не ответил, принята ли работа")).toBeVisible();
  await expectAccessibleOnBoth(page, "work without an answer of the server");
  await page.unroute("**/graphql");
  tab.consoleErrors.length = 0;
  await page.reload();
  await expect(heading(page, "Работа на проверке")).toBeVisible();
  expect((await storedWork(classroom, classroom.learner)).attempts).toHaveLength(1);

  await page.getByRole("button", { name: "Исправить и сдать снова" }).click();
  await text(page).press("Control+End");
  await page.keyboard.insertText(" Не успел сдать.");
  await expect(draftSaved(page)).toBeVisible();
  const past = new Date(Date.now() - 60_000).toISOString();
  const closed = await fetch(`${server.url}/api/v1/courses/update_page/${classroom.assignmentId}`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${classroom.owner.token}` },
    body: JSON.stringify({ available_until: past }),
  });
  expect(closed.ok).toBe(true);
  await page.reload();
  await expect(heading(page, "Черновик, который не сдан")).toBeVisible();
  await expect(page.getByText("Не успел сдать.")).toBeVisible();
  await expect(page.getByText("Приём работ закончился")).toBeVisible();
  await expect(submit(page)).toHaveCount(0);
  await expectAccessibleOnBoth(page, "a closed assignment");
});

test("staff see a student's work in a preview and cannot hand in", async ({ server, tabFor }) => {
  const classroom = await createAssignmentClass(server, gradedByRubric);
  await handIn(classroom, classroom.learner, { texts: [words], links: ["https://example.org"] });
  await decide(classroom, { isReturned: true, comment: "Подробнее." });
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}?tab=students`);
  await page.getByRole("link", { name: classroom.learner.fullName }).first().click();
  await page.getByRole("link", { name: "Посмотреть как этот ученик" }).click();
  await page
    .getByRole("link", { name: /Частые слова/ })
    .first()
    .click();
  await expect(heading(page, "Возвращено на доработку")).toBeVisible();
  await expect(page.getByText("В просмотре сдать нельзя")).toBeVisible();
  await expect(page.getByRole("list", { name: "Критерии оценки" })).toContainText("Объяснение");
  await expect(submit(page)).toHaveCount(0);
  await expectAccessibleOnBoth(page, "a preview of a student's work");
});
