import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { type Account, createCourse, enroll, generateShareCode, signUp, visit } from "./api.ts";
import { openOutline, row, shownOutline, storedOutline } from "./course-outline.ts";
import { expect, test } from "./fixtures.ts";
import { tabTo } from "./ui.ts";

// The trash of a course, and deleted courses.

const PLAN = { Начало: { Установка: ["Редактор", "Компилятор"], Проверка: ["Пробный запуск"] } };

async function remove(server: Server, owner: Account, kind: "Module" | "Lesson" | "Page", id: string) {
  const name = kind.toLowerCase();
  await graphql(
    server.url,
    owner.token,
    `mutation ($id: ID!) { delete${kind}(input: { ${name}Id: $id }) { ${name}Id } }`,
    { id },
  );
}

async function partsOf(server: Server, owner: Account, id: string) {
  const query =
    "query ($id: ID!) { course(id: $id) { modules { id title lessons { id title pages { id title } } } } }";
  return (await graphql(server.url, owner.token, query, { id })).course.modules;
}

const openTrash = (page: Page, courseId: string) => page.goto(`/edit-course/${courseId}?tab=trash`);
const entries = (page: Page) => page.getByRole("list", { name: "Корзина" }).getByRole("listitem");

test("a deleted page is restored to its place with the visits of learners", async ({ server, tabFor }) => {
  const owner = await signUp(server, "Соколова Вера Павловна");
  const id = await createCourse(server, owner, "Основы Rust", PLAN);
  const learner = await signUp(server);
  await enroll(server, learner, await generateShareCode(server, owner, id));
  const [module] = await partsOf(server, owner, id);
  await visit(server, learner, module.lessons[0].pages[0].id);
  const before = await storedOutline(server, owner, id);

  const { page } = await tabFor(owner);
  await openOutline(page, id);
  await row(page, "Страница «Редактор»").press("Delete");
  await expect(page.getByText("30 дней она хранится в корзине.")).toBeVisible();
  // The trash does not wait until the time to undo is over.
  await page.getByRole("link", { name: "Корзина" }).click();
  await expect(entries(page)).toHaveCount(1);
  await expect(entries(page)).toContainText("Редактор");
  await expect(entries(page)).toContainText("Начало › Установка");
  await expect(entries(page)).toContainText("Соколова Вера Павловна");
  await expect(entries(page)).toContainText("Ещё 30 дней");
  await expectAccessibleEverywhere(page, "the trash");
  await page.getByRole("button", { name: "Восстановить: Редактор" }).click();
  await expect(page.getByText("Страница «Редактор» восстановлена.")).toBeVisible();
  await expect(page.getByText("Корзина пуста")).toBeVisible();
  await expectAccessible(page, "the empty trash");
  await page.getByRole("link", { name: "Содержание" }).click();
  await expect.poll(() => shownOutline(page)).toEqual(before);
  expect(await storedOutline(server, owner, id)).toEqual(before);
  const progress = "query ($id: ID!) { course(id: $id) { progress { pagesDone } } }";
  const { course } = await graphql(server.url, learner.token, progress, { id });
  expect(course.progress.pagesDone).toBe(1);
});

test("a page whose lesson is gone is restored to a chosen lesson, by keyboard", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server);
  const id = await createCourse(server, owner, "Основы Rust", PLAN);
  const [module] = await partsOf(server, owner, id);
  const [lesson] = module.lessons;
  await remove(server, owner, "Page", lesson.pages[0].id);
  await remove(server, owner, "Lesson", lesson.id);
  const { page } = await tabFor(owner);
  await openTrash(page, id);
  await expect(entries(page)).toHaveCount(2);
  await tabTo(page, page.getByRole("button", { name: "Восстановить: Редактор" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Куда восстановить страницу «Редактор»?" });
  await expect(dialog).toContainText("Урока «Установка», в котором была страница, больше нет в курсе.");
  await tabTo(page, dialog.getByRole("combobox", { name: "Урок" }));
  await expect(dialog.getByRole("combobox", { name: "Урок" })).toHaveText("Начало › Проверка");
  await expectAccessible(page, "the choice of a lesson");
  await tabTo(page, dialog.getByRole("button", { name: "Восстановить" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Страница «Редактор» восстановлена.")).toBeVisible();
  expect(await storedOutline(server, owner, id)).toEqual([
    "Начало",
    "  Проверка",
    "    Пробный запуск",
    "    Редактор",
  ]);
});

test("an entry is deleted forever after one question", async ({ server, tabFor }) => {
  const owner = await signUp(server);
  const id = await createCourse(server, owner, "Основы Rust", PLAN);
  const [module] = await partsOf(server, owner, id);
  await remove(server, owner, "Module", module.id);
  const { page } = await tabFor(owner);
  await openTrash(page, id);
  await expect(entries(page)).toContainText("3 страницы");
  await page.getByRole("button", { name: "Удалить навсегда: Начало" }).click();
  const dialog = page.getByRole("dialog", { name: "Удалить модуль «Начало» навсегда?" });
  await dialog.getByRole("button", { name: "Отмена" }).click();
  await expect(entries(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Удалить навсегда: Начало" }).click();
  await dialog.getByRole("button", { name: "Удалить навсегда" }).click();
  await expect(page.getByText("Модуль «Начало» удалён навсегда.")).toBeVisible();
  await expect(page.getByText("Корзина пуста")).toBeVisible();
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the trash on a phone");
});

test("a deleted course is restored whole", async ({ server, tabFor }) => {
  const owner = await signUp(server);
  const id = await createCourse(server, owner, "Основы Rust", PLAN);
  const { page } = await tabFor(owner);
  await page.goto("/");
  await page.getByRole("button", { name: "Действия с курсом «Основы Rust»" }).click();
  await page.getByRole("menuitem", { name: "Удалить" }).click();
  await expect(page.getByText("30 дней его можно восстановить.")).toBeVisible();
  await page.getByRole("link", { name: "Удалённые курсы" }).click();
  await expect(page.getByRole("heading", { name: "Удалённые курсы", level: 1 })).toBeVisible();
  await expect(entries(page)).toContainText("Основы Rust");
  await expect(entries(page)).toContainText("3 страницы");
  await expectAccessibleEverywhere(page, "deleted courses");
  await page.getByRole("button", { name: "Восстановить: Основы Rust" }).click();
  await expect(page.getByText("Курс «Основы Rust» восстановлен.")).toBeVisible();
  await expect(page.getByText("Удалённых курсов нет")).toBeVisible();
  await page
    .getByRole("navigation", { name: "Вы находитесь здесь" })
    .getByRole("link", { name: "Мои курсы" })
    .click();
  await expect(page.getByRole("link", { name: "Основы Rust" })).toBeVisible();
  expect(await storedOutline(server, owner, id)).toHaveLength(6);
});

test("only those who may delete see the trash", async ({ server, tabFor }) => {
  const owner = await signUp(server);
  const id = await createCourse(server, owner, "Основы Rust", PLAN);
  const [module] = await partsOf(server, owner, id);
  await remove(server, owner, "Page", module.lessons[0].pages[0].id);
  const learner = await signUp(server);
  await enroll(server, learner, await generateShareCode(server, owner, id));
  const { page } = await tabFor(learner);
  await openTrash(page, id);
  await page.waitForURL((url) => url.pathname === `/view-course/${id}`);
  await page.goto("/trash");
  await expect(page.getByText("Удалённых курсов нет")).toBeVisible();
});
