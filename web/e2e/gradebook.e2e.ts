import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { createCourse } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { CLASS, type Class, createClass, decide, firstEnrollment } from "./grades-class.ts";
import { field } from "./ui.ts";

const grid = (page: Page) => page.getByRole("grid", { name: "Журнал оценок" });
const cell = (page: Page, row: number, column: number) =>
  grid(page).locator(`[data-cell="${row}-${column}"]`);
/** The reason of the grades that are typed into cells. */
const reasonField = (page: Page) => field(page, "Причина для оценок, которые вы ставите прямо в ячейках");
const panel = (page: Page) => page.getByRole("dialog");
const open = (page: Page, { courseId }: Class) => page.goto(`/edit-course/${courseId}?tab=grades`);

test("a teacher gives, excuses and withdraws grades by keys alone, and the panel says why", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await open(page, world);
  await expect(cell(page, 0, 1)).toContainText("5");
  await expect(cell(page, 1, 0)).toContainText("100 %, 5");
  await expectAccessibleEverywhere(page, "a gradebook");

  await cell(page, 0, 0).focus();
  await page.keyboard.press("ArrowRight");
  await expect(cell(page, 0, 1)).toBeFocused();
  await page.keyboard.type("8,5");
  await expect(grid(page).getByRole("textbox", { name: "Переменные и типы, Абрамова" })).toHaveValue("8,5");
  await page.keyboard.press("Enter");
  const reason = reasonField(page);
  await expect(reason).toBeFocused();
  await expect(page.getByText("Напишите причину")).toBeVisible();
  await expectAccessibleEverywhere(page, "a grade that is typed into its cell");
  await page.keyboard.type("Устный ответ на занятии");
  await page.keyboard.press("Enter");
  await expect(cell(page, 1, 1)).toBeFocused();
  await expect(cell(page, 0, 1)).toContainText("изменена преподавателем");
  await expect(cell(page, 0, 1)).toContainText("8,5");
  await page.keyboard.press("ArrowUp");
  await expect(cell(page, 0, 0)).toContainText("85 %");

  await page.keyboard.press("Enter");
  await expect(panel(page)).toContainText("Устный ответ на занятии");
  await expect(panel(page)).toContainText("Соколова Вера Павловна");
  await expect(panel(page)).toContainText("Лучшая попытка50 %");
  await expect(field(page, "Причина")).toHaveValue("Устный ответ на занятии");
  await expectAccessibleEverywhere(page, "a panel of a grade");
  await panel(page).getByRole("radio", { name: "Вернуть автоматическую" }).check();
  await expect(field(page, "Причина")).toHaveValue("");
  await panel(page).getByRole("button", { name: "Сохранить" }).press("Enter");
  await expect(panel(page)).toHaveCount(0);
  await expect(cell(page, 0, 1)).not.toContainText("изменена");

  await cell(page, 2, 1).press("Enter");
  await panel(page).getByRole("radio", { name: "Освободить" }).check();
  await field(page, "Причина").fill("Болела");
  await panel(page).getByRole("button", { name: "Сохранить" }).press("Enter");
  await expect(cell(page, 2, 1)).toContainText("осв.");
  await expect(cell(page, 2, 0)).toContainText("—");
  // The reason of one learner is not stored for, and shown to, the next ones.
  await expect(reason).toHaveValue("Устный ответ на занятии");
});

test("a row and a column of grades take a number and a key each, once there is a reason", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await open(page, world);
  await reasonField(page).fill("Зачёт");
  await cell(page, 0, 1).focus();
  await page.keyboard.type("7");
  await page.keyboard.press("Tab");
  await page.keyboard.type("8,25");
  await page.keyboard.press("Tab");
  await expect(cell(page, 0, 3)).toBeFocused();
  await page.keyboard.type("9");
  await page.keyboard.press("Enter");
  await page.keyboard.type("10");
  await page.keyboard.press("Enter");
  await expect(cell(page, 2, 3)).toBeFocused();
  await page.keyboard.type("1");
  await page.keyboard.press("Escape");
  await expect(cell(page, 2, 3)).toBeFocused();
  for (const [row, column, value] of [
    [0, 1, "7"],
    [0, 2, "8,25"],
    [0, 3, "9"],
    [1, 3, "10"],
  ] as const) {
    await expect(cell(page, row, column)).toContainText("изменена");
    await expect(cell(page, row, column)).toContainText(value);
  }
  await expect(cell(page, 2, 3)).toContainText("—");
  await expect(cell(page, 0, 0)).toContainText("80,83 %");
  await page.keyboard.type("3x");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText(
    "Власова Мария Олеговна, «Срезы и строки»: Введите число",
  );
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await expect(cell(page, 2, 3)).toContainText("изменена");
});

test("a number that cannot be stored stays in its cell with the reason, and is stored by Enter", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await open(page, world);
  await reasonField(page).fill("Зачёт");
  await cell(page, 0, 2).focus();
  await page.keyboard.type("7");
  await decide(world, {
    enrollmentId: await firstEnrollment(world),
    pageId: world.quizzes[1],
    kind: "OVERRIDE",
    points: "9",
    reason: "Решение коллеги",
  });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("пока вы печатали, её изменили, сейчас 9");
  await expect(cell(page, 0, 2)).toContainText("7");
  await expectAccessible(page, "a refused number");
  await cell(page, 0, 2).press("Enter");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(cell(page, 0, 2)).toContainText("7");
  await cell(page, 0, 2).press("Enter");
  await expect(panel(page).getByRole("listitem")).toHaveCount(2);
});

test("two teachers who decide on one grade see both decisions, and neither is lost", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await open(page, world);
  await cell(page, 0, 1).press("Enter");
  await field(page, "Баллы из 10").fill("7");
  await field(page, "Причина").fill("Моё решение");
  const query = "mutation ($input: DecideGradeInput!) { decideGrade(input: $input) { grade { pageId } } }";
  await graphql(server.url, world.owner.token, query, {
    input: {
      enrollmentId: await firstEnrollment(world),
      pageId: world.quizzes[0],
      version: 0,
      kind: "OVERRIDE",
      points: "9",
      reason: "Решение коллеги",
    },
  });
  await panel(page).getByRole("button", { name: "Сохранить" }).click();
  await expect(panel(page).getByRole("alert")).toContainText("эту оценку уже изменили");
  await expect(panel(page)).toContainText("Решение коллеги");
  await expect(field(page, "Баллы из 10")).toHaveValue("7");
  await expect(cell(page, 0, 1)).toContainText("9");
  await expectAccessible(page, "a conflict of grades");
  await panel(page).getByRole("button", { name: "Сохранить" }).click();
  await expect(panel(page)).toHaveCount(0);
  await expect(cell(page, 0, 1)).toContainText("7");
  await cell(page, 0, 1).press("Enter");
  await expect(panel(page).getByRole("listitem")).toHaveCount(2);
});

test("what was typed into the panel of a grade stays when its learner leaves the course", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page } = await tabFor(world.owner);
  await open(page, world);
  await page.getByRole("searchbox", { name: "Имя или email" }).fill("абрамова");
  await expect(grid(page).getByRole("rowheader")).toHaveText([CLASS[0] ?? ""]);
  await cell(page, 0, 1).press("Enter");
  await field(page, "Баллы из 10").fill("7");
  await field(page, "Причина").fill("Устный ответ");
  const removed = await fetch(`${server.url}/api/v1/courses/remove_student/${await firstEnrollment(world)}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${world.owner.token}` },
  });
  expect(removed.status).toBe(200);
  await expect(page.getByText("Никто не найден.")).toBeAttached();
  await expect(field(page, "Причина")).toHaveValue("Устный ответ");
  await panel(page).getByRole("button", { name: "Сохранить" }).click();
  await expect(panel(page)).toContainText(/ученика нет|не найдена/);
  await expect(field(page, "Причина")).toHaveValue("Устный ответ");
});

test("the gradebook is searched and sorted, and says what to do when it is empty or offline", async ({
  server,
  tabFor,
}) => {
  const world = await createClass(server);
  const { page, context } = await tabFor(world.owner);
  await open(page, world);
  await expect(grid(page).getByRole("rowheader")).toHaveText(CLASS);
  await page.getByRole("combobox", { name: "Порядок" }).selectOption("Сначала высокий итог");
  await expect(grid(page).getByRole("rowheader").last()).toHaveText(CLASS[0] ?? "");
  await page.getByRole("searchbox", { name: "Имя или email" }).fill("борисов");
  await expect(grid(page).getByRole("rowheader")).toHaveText([CLASS[1] ?? ""]);
  await page.getByRole("searchbox", { name: "Имя или email" }).fill("никого");
  await expect(page.getByText("Никто не найден.")).toBeVisible();
  await page.getByRole("searchbox", { name: "Имя или email" }).fill("");
  await expect(grid(page).getByRole("rowheader")).toHaveCount(CLASS.length);
  await expect(page.getByRole("searchbox", { name: "Имя или email" })).toBeFocused();

  await page.getByRole("searchbox", { name: "Имя или email" }).fill("абрамова");
  await expect(page).toHaveURL(/order=best/);
  await expect(page).toHaveURL(/search=/);
  await expect(grid(page).getByRole("rowheader")).toHaveText([CLASS[0] ?? ""]);
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Порядок" })).toHaveValue("best");
  await expect(grid(page).getByRole("rowheader")).toHaveText([CLASS[0] ?? ""]);
  await page.getByRole("combobox", { name: "Порядок" }).selectOption("По имени");
  await expect(page).not.toHaveURL(/order=/);
  await page.goBack();
  await expect(page.getByRole("combobox", { name: "Порядок" })).toHaveValue("best");

  // The rows of the earlier look stay until the next ones are there, and the table says that it is busy.
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/graphql", async (route) => {
    if (route.request().postDataJSON()?.operationName === "Gradebook") await asked;
    await route.continue();
  });
  await page.getByRole("combobox", { name: "Порядок" }).selectOption("Сначала низкий итог");
  await expect(grid(page)).toHaveAttribute("aria-busy", "true");
  answer();
  await expect(grid(page)).not.toHaveAttribute("aria-busy", "true");
  await page.unroute("**/graphql");

  const empty = await createCourse(server, world.owner, "Пустой");
  await page.goto(`/edit-course/${empty}?tab=grades`);
  await expect(page.getByRole("heading", { name: "Оценивать пока нечего" })).toBeVisible();
  await expectAccessible(page, "an empty gradebook");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Содержание", exact: true }).click();
  await page.getByRole("link", { name: "Оценки", exact: true }).click();
  await expect(page.getByRole("button", { name: "Повторить" })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Оценивать пока нечего" })).toBeVisible();
});
