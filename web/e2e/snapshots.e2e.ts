import type { Locator, Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { joinTeam, signUp, visit } from "./api.ts";
import { content, saveDraft } from "./changes.ts";
import { type Classroom, test } from "./classroom.ts";
import { openOutline, storedOutline } from "./course-outline.ts";
import { expect } from "./fixtures.ts";
import { seenPage, textOf } from "./page-editor.ts";
import { snapshotsTab, takeSnapshot } from "./snapshots.ts";
import { field, tabTo } from "./ui.ts";

/** Snapshots of a course: taken, looked at, compared and restored. */

const list = (page: Page) => page.getByRole("list", { name: "Снимки курса" });
const rows = (page: Page) => list(page).getByRole("listitem");
const group = (page: Page, name: string) =>
  page.getByRole("region", { name: new RegExp(`^${name.replaceAll(" ", "\\s")}`) });
const restoreDialog = (page: Page) => page.getByRole("dialog", { name: /^Восстановить курс из/ });
const outlineOf = ({ server, owner, courseId }: Classroom) => storedOutline(server, owner, courseId);
const seen = async ({ server, owner }: Classroom, id: string) =>
  textOf((await seenPage(server, owner.token, id)).content);

async function call({ server, owner }: Classroom, query: string, input: object) {
  return graphql(server.url, owner.token, query, { input });
}

/** Changes the course: its title, the text of the first page, the page after the quiz, and a new page. Returns the id of the new page. */
async function change(classroom: Classroom): Promise<string> {
  const { courseId, lessonId, pages } = classroom;
  await call(
    classroom,
    "mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }",
    {
      courseId,
      title: "Основы C++",
    },
  );
  await call(classroom, "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }", {
    pageId: pages[0],
    ...content("Совсем другой текст."),
  });
  await call(classroom, "mutation ($input: DeletePageInput!) { deletePage(input: $input) { pageId } }", {
    pageId: pages[2],
  });
  const { createPage } = await call(
    classroom,
    "mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }",
    { lessonId, title: "Указатели", ...content("Адреса.") },
  );
  return createPage.page.id;
}

/** Confirms the question of the dialog as soon as it is ready. */
async function confirmRestore(page: Page): Promise<void> {
  await restoreDialog(page).getByRole("button", { name: "Восстановить курс" }).click();
}

async function openSnapshot(page: Page, { courseId }: Classroom, id: string, more = ""): Promise<void> {
  await page.goto(`${snapshotsTab(courseId)}&snapshot=${id}${more}`);
  await expect(page.getByRole("navigation", { name: "Разделы снимка" })).toBeVisible();
}

test("a snapshot is taken with the keyboard, renamed and deleted", async ({ classroom, tabFor }) => {
  const { page } = await tabFor(classroom.owner);
  await openOutline(page, classroom.courseId);
  await tabTo(page, page.getByRole("link", { name: "Снимки курса" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Снимков пока нет")).toBeVisible();
  await expectAccessible(page, "no snapshots");
  await tabTo(page, field(page, "Название снимка"));
  await page.keyboard.type("До правок");
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("До правок");
  await expect(rows(page)).toContainText("Соколова Вера Павловна");
  await expect(rows(page)).toContainText(/3\sстраницы/);
  await expect(rows(page)).not.toContainText("Хранится до");
  await expect(field(page, "Название снимка")).toHaveValue("");

  const menu = page.getByRole("button", { name: "Действия со снимком «До правок»" });
  await tabTo(page, menu);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Первая четверть");
  await page.keyboard.press("Enter");
  await expect(rows(page)).toContainText("Первая четверть");
  await expectAccessibleEverywhere(page, "the list of snapshots");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the list of snapshots at 360 px");

  await page.getByRole("button", { name: "Действия со снимком «Первая четверть»" }).click();
  await page.getByRole("menuitem", { name: "Удалить…" }).click();
  const question = page.getByRole("dialog", { name: "Удалить снимок «Первая четверть»?" });
  await question.getByRole("button", { name: "Отмена" }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Действия со снимком «Первая четверть»" }).click();
  await page.getByRole("menuitem", { name: "Удалить…" }).click();
  await question.getByRole("button", { name: "Удалить снимок" }).click();
  await expect(page.getByText("Снимков пока нет")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Снимки курса" })).toBeFocused();
});

test("a snapshot shows the course as it was, with its quizzes and unpublished changes", async ({
  classroom,
  tabFor,
}) => {
  const [first, quiz] = classroom.pages;
  await saveDraft(classroom, first, { ...content("Текст. Точнее."), title: "Переменные и константы" });
  const id = await takeSnapshot(classroom, "До правок");
  await change(classroom);
  const { page } = await tabFor(classroom.owner);
  await page.goto(snapshotsTab(classroom.courseId));
  await list(page).getByRole("link", { name: "До правок" }).click();
  const contents = page.getByRole("navigation", { name: "Содержание снимка" });
  await expect(contents.getByRole("link")).toHaveText([
    /^Переменные\s*Есть изменения$/,
    "Проверьте себя",
    "Что дальше",
  ]);
  await expect(page.getByText("Текст.", { exact: true })).toBeVisible();
  await page.getByRole("checkbox", { name: "С неопубликованными изменениями" }).check();
  await expect(page.getByRole("heading", { name: "Переменные и константы" })).toBeVisible();
  await expect(page.getByText("Текст. Точнее.")).toBeVisible();
  await expectAccessibleEverywhere(page, "a page of a snapshot");
  await tabTo(page, contents.getByRole("link", { name: "Проверьте себя" }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Сколько бит в числе типа u16?")).toBeVisible();
  await expect(page).toHaveURL(`${snapshotsTab(classroom.courseId)}&snapshot=${id}&page=${quiz}`);
  await expectAccessibleEverywhere(page, "a quiz of a snapshot");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "a snapshot at 360 px");
  await page.reload();
  await expect(page.getByText("Сколько бит в числе типа u16?")).toBeVisible();
});

test("a snapshot is compared with the course, and with another snapshot", async ({ classroom, tabFor }) => {
  const early = await takeSnapshot(classroom, "До правок");
  await change(classroom);
  await takeSnapshot(classroom, "После правок");
  const { page } = await tabFor(classroom.owner);
  await openSnapshot(page, classroom, early);
  await page.getByRole("link", { name: "Отличия от курса" }).click();
  await expect(group(page, "Отличаются настройки курса")).toContainText("название");
  await expect(group(page, "Есть только в курсе")).toContainText("Указатели");
  await expect(group(page, "Есть только в снимке")).toContainText("Что дальше");
  await expect(group(page, "Отличается")).toContainText("Переменные");
  await expect(group(page, "Отличается")).toContainText("текст");
  await expectAccessibleEverywhere(page, "differences from the course");

  await tabTo(page, page.getByRole("button", { name: "Сравнить: Переменные" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Отличия: Переменные" });
  await expect(dialog.getByText("Совсем другой").first()).toBeVisible();
  await expect(dialog.getByRole("heading", { name: "До правок" })).toBeVisible();
  await expectAccessibleEverywhere(page, "a page of a snapshot beside the one of now");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Сравнить: Переменные" })).toBeFocused();

  const other = page.getByRole("combobox", { name: "Сравнить с" });
  const late = other.getByRole("option", { name: /^После правок/ });
  await other.selectOption((await late.getAttribute("value")) ?? "");
  await expect(page.getByText("Что изменилось от снимка «До правок» к снимку «После правок».")).toBeVisible();
  await expect(group(page, "Добавлено")).toContainText("Указатели");
  await expect(group(page, "Удалено")).toContainText("Что дальше");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "differences at 360 px");
  await group(page, "Удалено").getByRole("link", { name: "Открыть: Что дальше" }).click();
  await expect(page.getByText("Ещё.", { exact: true })).toBeVisible();
});

test("restoring a course asks once and can be undone", async ({ classroom, tabFor }) => {
  const { server, learner, owner, courseId, pages } = classroom;
  const before = await outlineOf(classroom);
  const id = await takeSnapshot(classroom, "До правок");
  const added = await change(classroom);
  await visit(server, learner, added);
  const changed = await outlineOf(classroom);

  const { page } = await tabFor(owner);
  await openSnapshot(page, classroom, id);
  await page.getByRole("button", { name: "Восстановить", exact: true }).click();
  const dialog = restoreDialog(page);
  await expect(dialog).toContainText(/Уйдёт в\sкорзину\s*1\sстраница/);
  await expect(dialog).toContainText(/Появится снова\s*1\sстраница/);
  await expect(dialog).toContainText(/уже занимался 1\sученик/);
  await dialog.getByText("Показать по частям").click();
  await expect(dialog).toContainText("Указатели");
  await expectAccessibleEverywhere(page, "the question before restoring");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the question before restoring at 360 px");
  await dialog.getByRole("button", { name: "Отмена" }).click();
  expect(await outlineOf(classroom)).toEqual(changed);

  await page.getByRole("button", { name: "Восстановить", exact: true }).click();
  await confirmRestore(page);
  const note = page.getByRole("status").filter({ hasText: "Курс восстановлен из снимка «До правок»." });
  await expect(note).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Основы Rust" })).toBeVisible();
  expect(await outlineOf(classroom)).toEqual(before);
  expect(await seen(classroom, pages[0])).toBe("Текст.");
  await expectAccessibleEverywhere(page, "a restored course");
  await expectTrash(classroom, ["Указатели"]);

  await note.getByRole("link", { name: /^Перед восстановлением/ }).click();
  await expect(page.getByRole("heading", { name: /^Перед восстановлением/, level: 2 })).toContainText(
    "Хранится до",
  );
  await page.getByRole("button", { name: "Отменить" }).click();
  await expect(page.getByText("Восстановление отменено")).toBeVisible();
  expect(await outlineOf(classroom)).toEqual(changed);
  expect(await seen(classroom, pages[0])).toBe("Совсем другой текст.");
  const progress = "query ($id: ID!) { course(id: $id) { progress { pagesDone } } }";
  const { course } = await graphql(server.url, learner.token, progress, { id: courseId });
  expect(course.progress.pagesDone, "the visit of the page that was in the trash").toBe(1);
});

async function expectTrash({ server, owner, courseId }: Classroom, titles: string[]): Promise<void> {
  const query = "query ($id: ID!) { course(id: $id) { trash { title } } }";
  const { course } = await graphql(server.url, owner.token, query, { id: courseId });
  expect(course.trash.map(({ title }: { title: string }) => title)).toEqual(titles);
}

test("a course that has changed since the question was shown is not restored unseen", async ({
  classroom,
  tabFor,
}) => {
  const before = await outlineOf(classroom);
  const id = await takeSnapshot(classroom, "До правок");
  await change(classroom);
  const { page } = await tabFor(classroom.owner);
  await openSnapshot(page, classroom, id);
  await page.getByRole("button", { name: "Восстановить", exact: true }).click();
  await expect(restoreDialog(page).getByRole("button", { name: "Восстановить курс" })).toBeEnabled();
  await call(classroom, "mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }", {
    lessonId: classroom.lessonId,
    title: "Ссылки",
  });
  await confirmRestore(page);
  await expect(restoreDialog(page).getByRole("alert")).toContainText("ничего не восстановлено");
  await expect(restoreDialog(page)).toContainText(/Уйдёт в\sкорзину\s*2\sстраницы/);
  await expectAccessible(page, "the question after a conflict");
  await confirmRestore(page);
  await expect(page.getByText("Курс восстановлен из снимка «До правок».")).toBeVisible();
  expect(await outlineOf(classroom)).toEqual(before);
});

test("undoing does not undo what came later without a question", async ({ classroom, tabFor }) => {
  const id = await takeSnapshot(classroom, "До правок");
  await change(classroom);
  const { page } = await tabFor(classroom.owner);
  await openSnapshot(page, classroom, id);
  await page.getByRole("button", { name: "Восстановить", exact: true }).click();
  await confirmRestore(page);
  await expect(page.getByText("Курс восстановлен из снимка «До правок».")).toBeVisible();
  await call(classroom, "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }", {
    pageId: classroom.pages[2],
    ...content("Работа после восстановления."),
  });
  await page.getByRole("button", { name: "Отменить" }).click();
  await expect(restoreDialog(page)).toContainText("Перед восстановлением");
  await restoreDialog(page).getByRole("button", { name: "Отмена" }).click();
  expect(await seen(classroom, classroom.pages[2])).toBe("Работа после восстановления.");
});

test("the list says why it is not there, and changes nothing offline", async ({ classroom, tabFor }) => {
  await takeSnapshot(classroom, "До правок");
  const { page } = await tabFor(classroom.owner);
  await page.route("**/graphql", (route) =>
    route.request().postDataJSON()?.operationName === "CourseSnapshots"
      ? route.fulfill({ status: 500, json: { errors: [{ message: "Сбой" }] } })
      : route.continue(),
  );
  await page.goto(snapshotsTab(classroom.courseId));
  const retry: Locator = page.getByRole("button", { name: "Повторить" });
  await expect(retry).toBeVisible();
  await expectAccessibleEverywhere(page, "snapshots that could not be loaded");
  await page.unroute("**/graphql");
  await retry.click();
  await expect(rows(page)).toHaveCount(1);
  await page.context().setOffline(true);
  await expect(page.getByText("Снимки можно будет делать и восстанавливать")).toBeVisible();
  await expect(page.getByRole("button", { name: "Сделать снимок" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Восстановить: До правок" })).toBeDisabled();
  await expectAccessible(page, "snapshots offline");
  await page.context().setOffline(false);
  await expect(page.getByRole("button", { name: "Сделать снимок" })).toBeEnabled();
});

test("a snapshot that is gone leads back to the list", async ({ classroom, tabFor }) => {
  const id = await takeSnapshot(classroom, "До правок");
  await call(
    classroom,
    "mutation ($input: DeleteSnapshotInput!) { deleteSnapshot(input: $input) { snapshotId } }",
    {
      snapshotId: id,
    },
  );
  const { page } = await tabFor(classroom.owner);
  await page.goto(`${snapshotsTab(classroom.courseId)}&snapshot=${id}`);
  await expect(page.getByText("Этого снимка больше нет")).toBeVisible();
  await expectAccessible(page, "a snapshot that is gone");
  await page.getByRole("link", { name: "Все снимки" }).click();
  await expect(page.getByText("Снимков пока нет")).toBeVisible();
});

test("only those who edit a course have its snapshots", async ({ classroom, tabFor }) => {
  const { server, owner, courseId, learner } = classroom;
  await takeSnapshot(classroom, "До правок");
  const teacher = await signUp(server, "Петров Пётр Петрович");
  await joinTeam(server, owner, teacher, courseId, "teacher");
  const { page } = await tabFor(teacher);
  await page.goto(snapshotsTab(courseId));
  await expect(page.getByRole("heading", { level: 1, name: "Основы Rust" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Снимки курса" })).toHaveCount(0);
  await expect(page.getByText("До правок")).toHaveCount(0);
  const { page: learners } = await tabFor(learner);
  await learners.goto(snapshotsTab(courseId));
  await learners.waitForURL((url) => url.pathname === `/view-course/${courseId}`);
});
