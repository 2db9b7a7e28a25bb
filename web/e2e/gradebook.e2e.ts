import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { createCourse } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { CLASS, type Class, createClass, firstEnrollment } from "./grades-class.ts";
import { field } from "./ui.ts";

const grid = (page: Page) => page.getByRole("grid", { name: "Журнал оценок" });
const cell = (page: Page, row: number, column: number) =>
  grid(page).locator(`[data-cell="${row}-${column}"]`);
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
  await expect(field(page, "Баллы из 10")).toHaveValue("8,5");
  await page.keyboard.press("Enter");
  await expect(panel(page)).toContainText("Напишите причину");
  await field(page, "Причина").fill("Устный ответ на занятии");
  await expectAccessibleEverywhere(page, "a panel of a grade");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(panel(page)).toHaveCount(0);
  await expect(cell(page, 0, 1)).toContainText("8,5");
  await expect(cell(page, 0, 1)).toContainText("изменена преподавателем");
  await expect(cell(page, 0, 1)).toBeFocused();
  await expect(cell(page, 0, 0)).toContainText("85 %");

  await page.keyboard.press("Enter");
  await expect(panel(page)).toContainText("Устный ответ на занятии");
  await expect(panel(page)).toContainText("Соколова Вера Павловна");
  await expect(panel(page)).toContainText("Лучшая попытка50 %");
  await panel(page).getByRole("radio", { name: "Вернуть автоматическую" }).check();
  await panel(page).getByRole("button", { name: "Сохранить" }).press("Enter");
  await expect(panel(page)).toHaveCount(0);
  await expect(cell(page, 0, 1)).not.toContainText("изменена");

  await cell(page, 2, 1).press("Enter");
  await panel(page).getByRole("radio", { name: "Освободить" }).check();
  await field(page, "Причина").fill("Болела");
  await panel(page).getByRole("button", { name: "Сохранить" }).press("Enter");
  await expect(cell(page, 2, 1)).toContainText("осв.");
  await expect(cell(page, 2, 0)).toContainText("—");
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
  const decide = "mutation ($input: DecideGradeInput!) { decideGrade(input: $input) { grade { pageId } } }";
  await graphql(server.url, world.owner.token, decide, {
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
