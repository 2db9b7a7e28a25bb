import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { enroll, joinTeam, signUp } from "./api.ts";
import { publishAll, saveDraft } from "./changes.ts";
import { test as base, type Classroom, createClassroom, quizState } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { publishButton, publishDialog } from "./page-editor.ts";
import { accepting, createTakenQuiz, easier, shorter, takenQuiz, takeQuiz } from "./regrade.ts";

/** Publishing a changed quiz that learners have taken: what becomes of their results, and undoing it. */

const test = base.extend<{ classroom: Classroom }>({
  classroom: async ({ server }, use) => {
    await use(await createTakenQuiz(server));
  },
});

const consequences = (page: Page) => page.getByRole("region", { name: "Что изменится в результатах" });
const regrade = (page: Page) => page.getByRole("radio", { name: /^Пересчитать результаты/ });
const confirm = (page: Page) =>
  page.getByRole("dialog").getByRole("button", { name: "Опубликовать изменения" });

async function openDialog(page: Page, { quizId }: Classroom): Promise<void> {
  await page.goto(`/edit-page/${quizId}`);
  await publishButton(page).click();
  await expect(publishDialog(page).getByRole("group", { name: "Что это за изменение" })).toBeVisible();
}

async function publishRegraded(classroom: Classroom): Promise<void> {
  await saveDraft(classroom, classroom.quizId, accepting);
  await publishAll(classroom, { pastAttempts: "REGRADE" });
}

test("an author sees whose results change before regrading, and learners are told of it", async ({
  classroom,
  tabFor,
}) => {
  await saveDraft(classroom, classroom.quizId, accepting);
  const { page } = await tabFor(classroom.owner);
  await openDialog(page, classroom);
  await expect(page.getByRole("radio", { name: /^Оставить результаты/ })).toBeChecked();
  await expect(consequences(page)).toContainText("Ни у кого ничего не изменится");
  await expectAccessibleEverywhere(page, "publishing a quiz that was taken");
  await regrade(page).check();
  await expect(consequences(page).getByText(/Пересчитаем 1\sпопытку/)).toBeVisible();
  const table = consequences(page).getByRole("table");
  await expect(table).toContainText("Иванова Анна Петровна");
  await expect(table.getByRole("row", { name: /Проверьте себя/ })).toContainText(
    /6 из 10, не пройден.*8 из 10, пройден/,
  );
  await expectAccessibleEverywhere(page, "the consequences of a regrade");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the consequences at 360 px");
  await confirm(page).click();
  await expect(page.getByText(/Пересчёт изменил 1\sрезультат/)).toBeVisible();
  expect((await quizState(classroom, classroom.learner)).attempts).toEqual([
    { percent: 80, passed: true, score: 8 },
  ]);

  const learner = (await tabFor(classroom.learner)).page;
  await learner.goto(`/view-page/${classroom.quizId}`);
  const told = /Пересчитано сегодня в\s\d\d:\d\d: было 6\sиз\s10, стало 8\sиз\s10\./;
  await expect(learner.getByText(told)).toBeVisible();
  await expectAccessibleEverywhere(learner, "a regraded attempt");

  await page.goto(`/edit-course/${classroom.courseId}?tab=students`);
  await page
    .getByRole("main")
    .getByRole("link", { name: "Иванова Анна Петровна" })
    .or(page.getByRole("button", { name: "Иванова Анна Петровна" }))
    .first()
    .click();
  await page.getByRole("button", { name: /Первые шаги/ }).click();
  await page.getByRole("button", { name: /^Попытка 1/ }).click();
  await expect(page.getByRole("dialog").getByText(told)).toContainText(/Теперь тест пройден/);
});

test("results that are kept stay as they are", async ({ classroom, tabFor }) => {
  await saveDraft(classroom, classroom.quizId, accepting);
  const { page } = await tabFor(classroom.owner);
  await openDialog(page, classroom);
  await confirm(page).click();
  await expect(page.getByText("Теперь их видят ученики")).toBeVisible();
  expect((await quizState(classroom, classroom.learner)).attempts).toEqual([
    { percent: 60, passed: false, score: 6 },
  ]);
  await page.goto(`/edit-course/${classroom.courseId}?tab=grades&view=regrades`);
  await expect(page.getByText(/За последние 30\sдней результаты не/)).toBeVisible();
  await expectAccessibleEverywhere(page, "no regrades");
});

test("points of a removed question are left out of the total, or given to everyone", async ({
  classroom,
  tabFor,
}) => {
  await saveDraft(classroom, classroom.quizId, shorter);
  const { page } = await tabFor(classroom.owner);
  await openDialog(page, classroom);
  await expect(page.getByRole("radio", { name: /^Засчитать/ })).toHaveCount(0);
  await regrade(page).check();
  const row = consequences(page).getByRole("row", { name: /Проверьте себя/ });
  await expect(row).toContainText("6 из 8");
  await page.getByRole("radio", { name: /^Засчитать его всем/ }).check();
  await expect(row).toContainText(/6 из 10, не пройден.*8 из 10, пройден/);
  await expectAccessibleEverywhere(page, "the choice for removed questions");
  await confirm(page).click();
  await expect(publishDialog(page)).toHaveCount(0);
  expect((await quizState(classroom, classroom.learner)).attempts).toEqual([
    { percent: 80, passed: true, score: 8 },
  ]);
});

test("a quiz nobody has taken, and a text, ask nothing about results", async ({ server, tabFor }) => {
  const classroom = await createClassroom(server, takenQuiz);
  await saveDraft(classroom, classroom.quizId, accepting);
  const { page } = await tabFor(classroom.owner);
  await openDialog(page, classroom);
  await expect(consequences(page)).toContainText("Ни у кого ничего не изменится");
  await expect(regrade(page)).toHaveCount(0);
  await confirm(page).click();
  await expect(publishDialog(page)).toHaveCount(0);
});

test("when results change while the author looks, the new consequences are shown and confirmed again", async ({
  server,
  classroom,
  tabFor,
}) => {
  await saveDraft(classroom, classroom.quizId, accepting);
  const { page } = await tabFor(classroom.owner);
  await openDialog(page, classroom);
  await regrade(page).check();
  await expect(consequences(page).getByText(/Пересчитаем 1\sпопытку/)).toBeVisible();
  const late = await signUp(server, "Опоздавший Олег Ильич");
  await enroll(server, late, classroom.shareCode);
  await takeQuiz(classroom, late);
  await confirm(page).click();
  await expect(page.getByRole("alert")).toContainText("Пока вы смотрели, результаты изменились");
  await expect(consequences(page).getByRole("table")).toContainText("Опоздавший Олег Ильич");
  await expectAccessibleEverywhere(page, "consequences that have changed");
  expect((await quizState(classroom, late)).attempts[0]?.score).toBe(6);
  await confirm(page).click();
  await expect(publishDialog(page)).toHaveCount(0);
  expect((await quizState(classroom, late)).attempts[0]?.score).toBe(8);
});

test("many learners are folded away, and several pages are published at once", async ({ server, tabFor }) => {
  const classroom = await createTakenQuiz(server, 7);
  await saveDraft(classroom, classroom.quizId, accepting);
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}?view=unpublished`);
  await page.getByRole("button", { name: "Опубликовать всё" }).click();
  await regrade(page).check();
  const summary = consequences(page).locator("summary");
  await expect(summary).toHaveText(/Изменится у\s8\sучеников/);
  await expect(consequences(page).getByRole("table")).toBeHidden();
  await expectAccessibleEverywhere(page, "many consequences, folded");
  await summary.click();
  await expect(consequences(page).getByRole("table")).toContainText("Ученик 07");
  await expectAccessibleEverywhere(page, "many consequences");
  await confirm(page).click();
  await expect(page.getByText(/Пересчёт изменил 8\sрезультатов/)).toBeVisible();
  await page.getByRole("link", { name: "Пересчёты результатов" }).click();
  await expect(page.getByRole("list", { name: "Пересчёты результатов" })).toContainText(
    /пересчитано 8\sпопыток, изменилось 8\sрезультатов/,
  );
});

test("consequences that could not be read are read again, and keeping the results needs none", async ({
  classroom,
  tabFor,
}) => {
  await saveDraft(classroom, classroom.quizId, accepting);
  const { page } = await tabFor(classroom.owner);
  await page.route("**/graphql", (route) =>
    route.request().postDataJSON()?.operationName === "Consequences"
      ? route.fulfill({ status: 500, json: { errors: [{ message: "Сбой" }] } })
      : route.continue(),
  );
  await openDialog(page, classroom);
  const retry = publishDialog(page).getByRole("button", { name: "Повторить" });
  await expect(retry).toBeVisible();
  await expect(confirm(page)).toBeEnabled();
  await expectAccessibleEverywhere(page, "consequences that could not be read");
  await page.unroute("**/graphql");
  await retry.click();
  await expect(regrade(page)).toBeVisible();
});

test("a regrade is undone after one question, and the learner is told", async ({ classroom, tabFor }) => {
  await publishRegraded(classroom);
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}?tab=grades`);
  await page.getByRole("link", { name: "Пересчёты" }).click();
  const list = page.getByRole("list", { name: "Пересчёты результатов" });
  await expect(list).toContainText("Проверьте себя");
  await expect(list).toContainText("Соколова Вера Павловна");
  await expect(list).toContainText(/пересчитана 1\sпопытка, изменился 1\sрезультат/);
  await expectAccessibleEverywhere(page, "the list of regrades");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the list of regrades at 360 px");
  await list.getByRole("button", { name: "Отменить пересчёт: Проверьте себя" }).click();
  const question = page.getByRole("dialog", { name: "Отменить пересчёт?" });
  await expectAccessibleEverywhere(page, "the question before undoing a regrade");
  await question.getByRole("button", { name: "Отменить пересчёт" }).click();
  await expect(page.getByRole("status").getByText("Пересчёт отменён.")).toBeVisible();
  await expect(list).toContainText("Отменён");
  await expect(list.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Пересчёты результатов" })).toBeFocused();
  expect((await quizState(classroom, classroom.learner)).attempts).toEqual([
    { percent: 60, passed: false, score: 6 },
  ]);
  const learner = (await tabFor(classroom.learner)).page;
  await learner.goto(`/view-page/${classroom.quizId}`);
  await expect(
    learner.getByText(/Пересчёт отменён сегодня в\s\d\d:\d\d: было 8\sиз\s10, стало 6\sиз\s10/),
  ).toBeVisible();
});

test("regrades of the same page are undone from the latest to the first", async ({ classroom, tabFor }) => {
  await publishRegraded(classroom);
  const between = (await quizState(classroom, classroom.learner)).attempts[0]?.score;
  await saveDraft(classroom, classroom.quizId, easier);
  await publishAll(classroom, { pastAttempts: "REGRADE" });
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}?tab=grades&view=regrades`);
  const rows = page.getByRole("list", { name: "Пересчёты результатов" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("сначала отмените более поздний пересчёт");
  const undo = page.getByRole("button", { name: /^Отменить пересчёт/ });
  await expect(undo).toHaveCount(1);
  await expectAccessibleEverywhere(page, "a regrade that a later one follows");
  await undo.click();
  await page.getByRole("dialog").getByRole("button", { name: "Отменить пересчёт" }).click();
  await expect(page.getByRole("status").getByText("Пересчёт отменён.")).toBeVisible();
  await expect(rows.nth(1).getByRole("button", { name: /^Отменить пересчёт/ })).toBeVisible();
  expect((await quizState(classroom, classroom.learner)).attempts[0]?.score).toBe(between);
});

test("teachers and learners have no list of regrades", async ({ server, classroom, tabFor }) => {
  await publishRegraded(classroom);
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/edit-course/${classroom.courseId}?tab=grades&view=regrades`);
  await page.waitForURL(`**/view-course/${classroom.courseId}`);
  const query = "query ($id: ID!) { course(id: $id) { regrades { id } } }";
  const { course } = await graphql(server.url, classroom.learner.token, query, { id: classroom.courseId });
  expect(course.regrades).toEqual([]);
  const teacher = await signUp(server, "Петрова Ольга Ильинична");
  await joinTeam(server, classroom.owner, teacher, classroom.courseId, "teacher");
  const other = (await tabFor(teacher)).page;
  await other.goto(`/edit-course/${classroom.courseId}?tab=grades&view=regrades`);
  await expect(other.getByRole("button", { name: "Скачать CSV" })).toBeVisible();
  await expect(other.getByRole("link", { name: "Пересчёты" })).toHaveCount(0);
});
