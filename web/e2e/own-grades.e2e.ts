import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { createCourse, enroll, generateShareCode, signUp } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { type Class, createClass, createGraded, decide } from "./grades-class.ts";

const open = (page: Page, courseId: string) => page.goto(`/view-course/${courseId}?tab=grades`);
const row = (page: Page, title: string) =>
  page.getByRole("main").getByRole("listitem").filter({ hasText: title });

test("a learner sees each grade with its origin, the category, and the grade of the course", async ({
  server,
  tabFor,
}) => {
  const { learner, courseId, quizzes, ...world } = await createGraded(server);
  const { page } = await tabFor(learner);
  await page.goto(`/view-course/${courseId}`);
  await page.getByRole("navigation", { name: "Разделы курса" }).getByRole("link", { name: "Оценки" }).click();
  await expect(page).toHaveURL(/\?tab=grades$/);
  await expect(page).toHaveTitle("Оценки — Основы Rust — Kurso");

  const total = page.getByRole("region", { name: "Итоговая оценка" });
  await expect(total).toContainText("3 67,5 %");
  await expect(total).toContainText("Оценено 2 из 3. Итог посчитан по тому, что уже оценено.");
  await expect(total).toContainText("Что не сдано, на итог не влияет.");
  await expect(total).toContainText("5 — от 85 %, 4 — от 70 %, 3 — от 50 %, 2 — ниже");
  const tests = page.getByRole("region", { name: "Тесты" });
  await expect(tests).toContainText("Вес 40 из 40");
  await expect(tests).toContainText("67,5 %");

  await expect(row(page, "Переменные и типы")).toContainText("Лучшая попытка");
  await expect(row(page, "Переменные и типы")).toContainText("5 из 10");
  await expect(row(page, "Владение")).toContainText("Оценку поставил преподаватель, сегодня в");
  await expect(row(page, "Владение")).toContainText("Устный ответ на занятии");
  await expect(row(page, "Владение")).toContainText("8,5 из 10");
  await expect(row(page, "Срезы и строки")).toContainText("Не сдано в срок, до");
  await expect(row(page, "Срезы и строки")).toContainText("на итог не влияет");
  // Who has decided is not told: the teacher's name is in the head of the course only.
  for (const part of [total, tests]) await expect(part).not.toContainText("Соколова");
  await expectAccessibleEverywhere(page, "own grades");

  await decide({ ...world, server, courseId, quizzes } as Class, {
    enrollmentId: world.enrollmentId,
    pageId: quizzes[0],
    kind: "EXCUSED",
    reason: "Болела",
  });
  await decide({ ...world, server, courseId, quizzes } as Class, {
    enrollmentId: world.enrollmentId,
    pageId: null,
    kind: "OVERRIDE",
    points: "90",
    reason: "Победа на олимпиаде",
  });
  await page.reload();
  await expect(total).toContainText("5 90 %");
  await expect(total).toContainText("Победа на олимпиаде");
  await expect(total).toContainText("По оценкам выходит 85 %");
  await expect(row(page, "Переменные и типы")).toContainText("Преподаватель освободил вас");
  await expect(row(page, "Переменные и типы")).toContainText("Лучшая попытка — 50 %");
  await expect(row(page, "Переменные и типы")).toContainText("освобождение");

  await page.getByRole("link", { name: "Владение" }).press("Enter");
  await expect(page).toHaveURL(`${server.url}/view-page/${quizzes[1]}`);
});

test("own grades speak English, and count what is missing as 0 where the course does", async ({
  server,
  tabFor,
}) => {
  const { learner, courseId, owner } = await createGraded(server);
  await graphql(
    server.url,
    owner.token,
    "mutation ($input: UpdateGradeSettingsInput!) { updateGradeSettings(input: $input) { settings { courseId } } }",
    { input: { courseId, scheme: "PASS_FAIL", missingCountsAsZero: true } },
  );
  const { page } = await tabFor(learner);
  await page.addInitScript(() => localStorage.setItem("language", "en"));
  await open(page, courseId);
  await expect(page.getByRole("region", { name: "Course grade" })).toContainText("Fail 45%");
  await expect(row(page, "Срезы и строки")).toContainText("counts as 0");
  await expect(row(page, "Владение")).toContainText("Given by a teacher, today at");
  await expectAccessible(page, "own grades in English");
});

test("own grades say when there is nothing to grade, and load again when the network is back", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server, "Соколова Вера Павловна");
  const courseId = await createCourse(server, owner, "Чтение вслух", {
    Начало: { "Первый урок": ["Глава"] },
  });
  const learner = await signUp(server, "Егоров Егор Егорович");
  await enroll(server, learner, await generateShareCode(server, owner, courseId));
  const { page, context } = await tabFor(learner);
  await page.goto(`/view-course/${courseId}`);
  const tab = page.getByRole("link", { name: "Оценки", exact: true });
  await expect(tab).toBeVisible();
  // The code of the tab is loaded, its grades are not.
  await page.route("**/graphql", (route) =>
    route.request().postDataJSON()?.operationName === "OwnGrades" ? route.abort() : route.continue(),
  );
  await tab.click();
  await expect(page.getByRole("alert")).toContainText("Сервер не отвечает");
  await expectAccessible(page, "own grades without the server");
  await page.unroute("**/graphql");
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Оценок в этом курсе пока нет" })).toBeVisible();
  await expectAccessibleEverywhere(page, "no own grades");
});

test("staff without enrollment have no grades of their own, and an address of them shows the contents", async ({
  server,
  tabFor,
}) => {
  const { owner, courseId } = await createClass(server);
  const { page } = await tabFor(owner);
  await open(page, courseId);
  await expect(page.getByText("Предпросмотр").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Оценки", exact: true })).toHaveCount(0);
});
