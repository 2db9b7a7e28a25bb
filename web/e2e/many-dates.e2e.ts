import { graphql } from "../../scripts/client.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { type Classroom, createClassroom, oneQuestion } from "./classroom.ts";
import { expect, recordOperations, test } from "./fixtures.ts";

/** Sets dates of the course as its owner. */
async function setDates({ server, owner, courseId }: Classroom, dates: object[]) {
  const query = "mutation ($input: SetDatesInput!) { setDates(input: $input) { dates { dueAt } } }";
  const { setDates } = await graphql(server.url, owner.token, query, { input: { courseId, dates } });
  expect(setDates.dates).toHaveLength(dates.length);
}

/** An extension of the lesson for the only student, and what is stored of the due dates of the lesson, the quiz and the extension. */
async function extended(classroom: Classroom) {
  const { server, owner, courseId, lessonId, quizId } = classroom;
  const ask = (query: string, variables: Record<string, unknown>) =>
    graphql(server.url, owner.token, query, variables);
  const list = "query ($id: ID!) { course(id: $id) { students { nodes { id } } } }";
  const { course } = await ask(list, { id: courseId });
  const set =
    "mutation ($input: SetOverrideInput!) { setOverride(input: $input) { scheduleOverride { id } } }";
  const enrollmentId = course.students.nodes[0].id;
  await ask(set, { input: { courseId, enrollmentId, lessonId, dueAt: "2027-12-15T10:00:00Z" } });
  const due =
    "query ($id: ID!) { course(id: $id) { modules { lessons { dueAt pages { id dueAt } } } } overrides(courseId: $id) { nodes { dueAt } } }";
  return async () => {
    const { course, overrides } = await ask(due, { id: courseId });
    const [lesson] = course.modules[0].lessons;
    const quiz = lesson.pages.find(({ id }: { id: string }) => id === quizId);
    return [lesson.dueAt, quiz.dueAt, overrides.nodes[0].dueAt];
  };
}

test("a shift moves extensions with the dates in one change, and undo puts back every second", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, lessonId, quizId, owner } = classroom;
  await setDates(classroom, [
    { lessonId, dueAt: "2027-12-10T20:59:59Z" },
    { pageId: quizId, dueAt: "2027-12-12T09:00:00.5Z" },
  ]);
  const stored = await extended(classroom);
  const before = ["2027-12-10T20:59:59Z", "2027-12-12T09:00:00.500000Z", "2027-12-15T10:00:00Z"];
  expect(await stored()).toEqual(before);
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=dates`);
  await page.getByRole("checkbox", { name: "Выбрать всё" }).check();
  const bar = page.getByRole("region", { name: "Выбранные части" });
  const withExtensions = bar.getByRole("checkbox", { name: "Также сдвинуть 1 продление" });
  await expect(withExtensions).toBeChecked();
  await expectAccessibleEverywhere(page, "a shift of dates and an extension");
  const operations = recordOperations(page);
  await bar.getByRole("button", { name: "Сдвинуть" }).click();
  await expect
    .poll(stored)
    .toEqual(["2027-12-17T20:59:59Z", "2027-12-19T09:00:00.500000Z", "2027-12-22T10:00:00Z"]);
  expect(operations.filter((name) => name === "SetDates")).toHaveLength(1);
  await page.getByRole("button", { name: "Отменить" }).last().click();
  await expect.poll(stored).toEqual(before);
  expect(operations.filter((name) => name === "SetDates")).toHaveLength(2);
  await withExtensions.uncheck();
  await bar.getByRole("button", { name: "Сдвинуть" }).click();
  await expect.poll(stored).toEqual(["2027-12-17T20:59:59Z", "2027-12-19T09:00:00.500000Z", before[2]]);
});

test("a shift of dates that someone else changed changes nothing and names them, and so does its undo", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, lessonId, quizId, owner } = classroom;
  await setDates(classroom, [
    { lessonId, dueAt: "2027-12-10T12:00:00Z" },
    { pageId: quizId, dueAt: "2027-12-12T09:00:00Z" },
  ]);
  const stored = await extended(classroom);
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=dates`);
  const grid = page.getByRole("grid", { name: "Даты курса" });
  const due = (title: string) =>
    grid.getByRole("row").filter({ hasText: title }).last().locator("[data-cell]").nth(1);
  await page.getByRole("checkbox", { name: "Выбрать всё" }).check();
  const bar = page.getByRole("region", { name: "Выбранные части" });
  await expect(due("Первые шаги")).toHaveText("10.12.2027 12:00");
  await setDates(classroom, [{ lessonId, dueAt: "2027-12-11T12:00:00Z" }]);
  await bar.getByRole("button", { name: "Сдвинуть" }).click();
  const refused = bar.getByRole("alert");
  await expect(refused).toContainText("Ни одна дата не изменена");
  await expect(refused).toContainText(
    "Первые шаги, «Сдать до». Кто-то другой уже изменил эту дату. Было: 10.12.2027 12:00, стало: 11.12.2027 12:00.",
  );
  await expect(due("Первые шаги")).toHaveText("11.12.2027 12:00");
  await expect(due("Проверьте себя")).toHaveText("12.12.2027 09:00");
  expect(await stored()).toEqual(["2027-12-11T12:00:00Z", "2027-12-12T09:00:00Z", "2027-12-15T10:00:00Z"]);
  await expectAccessibleEverywhere(page, "a refused shift");

  await bar.getByRole("button", { name: "Сдвинуть" }).click();
  await expect(due("Первые шаги")).toHaveText("18.12.2027 12:00");
  await expect(refused).toHaveCount(0);
  await expect.poll(async () => (await stored())[1]).toBe("2027-12-19T09:00:00Z");
  await setDates(classroom, [{ pageId: quizId, dueAt: "2027-12-20T09:00:00Z" }]);
  await page.getByRole("button", { name: "Отменить" }).last().click();
  await expect(page.getByText(/Отменить нельзя. Проверьте себя, «Сдать до»/)).toBeVisible();
  expect(await stored()).toEqual(["2027-12-18T12:00:00Z", "2027-12-20T09:00:00Z", "2027-12-22T10:00:00Z"]);
});

test("a typed date is undone by key, never over a later change, and keeps its seconds when it is opened", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, lessonId, owner } = classroom;
  await setDates(classroom, [{ lessonId, dueAt: "2027-12-10T20:59:59Z" }]);
  const stored = await extended(classroom);
  const { page, context } = await tabFor(owner);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/edit-course/${courseId}?tab=dates`);
  const grid = page.getByRole("grid", { name: "Даты курса" });
  const due = (title: string) =>
    grid.getByRole("row").filter({ hasText: title }).last().locator("[data-cell]").nth(1);
  const [lesson, quiz] = [due("Первые шаги"), due("Проверьте себя")];
  await expect(lesson).toHaveText("10.12.2027 20:59");
  const operations = recordOperations(page);
  // Opened and left, typed again in another form, and pasted: the shown minute is no new date.
  await lesson.press("Enter");
  await page.keyboard.press("Enter");
  await lesson.press("Enter");
  await page.keyboard.type("10.12.27 20:59");
  await page.keyboard.press("Enter");
  await lesson.focus();
  await page.evaluate(() => navigator.clipboard.writeText("10.12.2027 20:59"));
  await page.keyboard.press("Control+V");
  await expect(lesson).toHaveText("10.12.2027 20:59");
  expect(operations.filter((name) => /^Set.*Dates$/.test(name))).toEqual([]);
  expect((await stored())[0]).toBe("2027-12-10T20:59:59Z");

  await lesson.press("Enter");
  await page.keyboard.type("1.12.2027");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Даты сохранены.")).toBeVisible();
  await quiz.press("Enter");
  await page.keyboard.type("2.12.2027");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await stored())[1]).toBe("2027-12-02T23:59:00Z");
  await expect(page.getByRole("button", { name: "Отменить" })).toHaveCount(1);
  await quiz.focus();
  await page.keyboard.press("Control+Z");
  await expect(quiz).toHaveText("—");
  await page.keyboard.press("Control+Z");
  await expect(lesson).toHaveText("10.12.2027 20:59");
  await expect.poll(stored).toEqual(["2027-12-10T20:59:59Z", null, "2027-12-15T10:00:00Z"]);

  await lesson.press("Enter");
  await page.keyboard.type("3.12.2027");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Даты сохранены.")).toBeVisible();
  await setDates(classroom, [{ lessonId, dueAt: "2027-12-04T12:00:00Z" }]);
  await page.getByRole("button", { name: "Отменить" }).last().click();
  await expect(page.getByText("Эту дату уже изменил кто-то другой")).toBeVisible();
  expect((await stored())[0]).toBe("2027-12-04T12:00:00Z");
  await expectAccessible(page, "an undo that was refused");
});

test("a pasted column with a refused date changes nothing and says which", async ({ server, tabFor }) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, lessonId, quizId, owner } = classroom;
  await setDates(classroom, [{ pageId: quizId, availableFrom: "2027-12-05T09:00:00Z" }]);
  const { page, context } = await tabFor(owner);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/edit-course/${courseId}?tab=dates`);
  const grid = page.getByRole("grid", { name: "Даты курса" });
  const due = (title: string) =>
    grid.getByRole("row").filter({ hasText: title }).last().locator("[data-cell]").nth(1);
  const paste = async (text: string) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await page.keyboard.press("Control+V");
  };
  await expect(due("Переменные")).toHaveText("—");
  await due("Переменные").focus();
  await paste("3.12.2027\n4.12.2027");
  await expect(due("Проверьте себя").getByRole("alert")).toBeVisible();
  await expect(due("Переменные").getByRole("alert")).toContainText("в другой ячейке ошибка");
  await expectAccessible(page, "a refused paste");
  const query = "query ($id: ID!) { course(id: $id) { modules { lessons { id pages { dueAt } } } } }";
  const { course } = await graphql(server.url, owner.token, query, { id: courseId });
  const [lesson] = course.modules[0].lessons;
  expect(lesson.id).toBe(lessonId);
  expect(lesson.pages.every(({ dueAt }: { dueAt: string | null }) => dueAt === null)).toBe(true);
  await due("Переменные").focus();
  await paste("6.12.2027\n7.12.2027");
  await expect(due("Переменные")).toHaveText("06.12.2027 23:59");
  await expect(due("Проверьте себя")).toHaveText("07.12.2027 23:59");
});
