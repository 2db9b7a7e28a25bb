import { graphql, login } from "../../scripts/client.mjs";
import { linkIn } from "../../scripts/mail-server.mjs";
import { signUp } from "./api.ts";
import { quizState, test } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { answerWithKeyboard } from "./quiz-keyboard.ts";
import { field, openUserMenu, signIn } from "./ui.ts";

// The other files test on SQLite. This file tests briefly that the same screens read and write on PostgreSQL.

test.use({ database: "postgres", smtp: true });

test("the settings save a name and a password and list the session", async ({ server, tabFor }) => {
  const account = await signUp(server, "Старое Имя");
  const otherToken = await login(server.url, account.email, account.password);
  const { page } = await tabFor(account);
  await page.goto("/");
  await openUserMenu(page, account.fullName);
  await page.getByRole("menuitem", { name: "Настройки" }).click();
  const name = field(page, "Фамилия, имя и отчество");
  await name.fill("Новое Имя");
  await name.press("Enter");
  await expect(page.getByText("Имя сохранено.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Новое Имя" })).toBeVisible();
  await expect(page.getByText("этот браузер")).toBeVisible();
  await field(page, "Текущий пароль").fill(account.password);
  await field(page, "Новый пароль").fill("совсем-другой-пароль");
  await field(page, "Подтверждение пароля").fill("совсем-другой-пароль");
  await page.getByRole("button", { name: "Сменить пароль" }).click();
  await expect(page.getByText("Пароль изменён, остальные сеансы завершены.")).toBeVisible();
  await expect(graphql(server.url, otherToken, "{ me { id } }", {})).rejects.toThrow();
});

test("a recovery mail leads to a new password", async ({ server, mail, newTab }) => {
  const account = await signUp(server);
  const { page } = await newTab();
  await page.goto("/recover-password");
  await field(page, "Email").fill(account.email);
  await page.getByRole("button", { name: "Отправить ссылку" }).click();
  await expect(page.getByRole("heading", { name: "Проверьте почту" })).toBeVisible();
  await page.goto(linkIn(await mail.waitFor(account.email), "/reset-password"));
  await field(page, "Новый пароль").fill("найденный-пароль");
  await field(page, "Подтверждение пароля").fill("найденный-пароль");
  await page.getByRole("button", { name: "Сохранить пароль" }).click();
  await page.waitForURL((url) => url.pathname === "/login");
  await signIn(page, account.email, "найденный-пароль");
  await page.waitForURL(`${server.url}/`);
});

test("administration creates and finds users and shows courses and the server's state", async ({
  mail,
  adminToken,
  newTab,
  classroom,
}) => {
  const { page } = await newTab({ token: adminToken });
  await page.goto("/admin");
  await page.getByRole("button", { name: "Создать аккаунт" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email", { exact: true }).fill("new@example.com");
  await dialog.getByLabel("Фамилия, имя и отчество", { exact: true }).fill("Ёжикова Юлия");
  await dialog.getByLabel("Пароль", { exact: true }).fill("первый-пароль");
  await dialog.getByLabel("Подтверждение пароля", { exact: true }).fill("первый-пароль");
  await dialog.getByRole("button", { name: "Создать аккаунт" }).click();
  await expect(dialog).toHaveCount(0);
  await mail.waitFor("new@example.com");
  await field(page, "Найти по имени или email").fill("ёжикова");
  await expect(page.getByText("1 пользователь", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Курсы", exact: true }).click();
  const course = page.getByRole("link", { name: "Основы Rust" });
  await expect(course).toHaveAttribute("href", `/edit-course/${classroom.courseId}`);
  await page.getByRole("link", { name: "Система" }).click();
  await expect(page.getByText("Отвечает")).toBeVisible();
});

test("items are created, changed and deleted", async ({ server, tabFor }) => {
  const account = await signUp(server);
  const { page } = await tabFor(account);
  await page.goto("/items");
  await expect(page.getByRole("heading", { name: "Здесь пока пусто" })).toBeVisible();
  await page.getByRole("button", { name: "Добавить элемент" }).click();
  await field(page, "Название").fill("Первый элемент");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Первый элемент", exact: true }).click();
  await field(page, "Название").fill("Он же");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Действия с элементом «Он же»" }).click();
  await page.getByRole("menuitem", { name: "Удалить" }).click();
  await expect(page.getByRole("heading", { name: "Здесь пока пусто" })).toBeVisible();
  // Leaving the screen sends the deletion.
  await page.goto("/");
  const items = async () =>
    (await graphql(server.url, account.token, "{ items { totalCount } }", {})).items.totalCount;
  await expect.poll(items, "the item is gone").toEqual(0);
});

test("a quiz with every kind of question is graded and shown to the learner and the teacher", async ({
  classroom,
  tabFor,
}) => {
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.quizId}`);
  await expect(page.getByRole("form", { name: "Тест" })).toBeVisible();
  await page.getByRole("heading", { level: 1 }).focus();
  await answerWithKeyboard(page);
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  expect((await quizState(classroom, classroom.learner)).attempts).toMatchObject([
    { percent: 100, passed: true },
  ]);
  await page.goto(`/view-course/${classroom.courseId}`);
  await expect(page.getByRole("region", { name: "Что осталось" }).getByRole("link").first()).toBeVisible();
  await page.getByRole("link", { name: "Мой прогресс" }).click();
  await expect(page.getByRole("list", { name: "Попытки: «Проверьте себя»" })).toBeVisible();

  const teacher = await tabFor(classroom.owner);
  await teacher.page.goto(`/edit-course/${classroom.courseId}?tab=students`);
  const students = teacher.page.getByRole("region", { name: "Ученики" });
  await students.getByRole("link", { name: classroom.learner.fullName }).click();
  await teacher.page.getByRole("button", { name: "Попытка 1: 100 %" }).click();
  await expect(teacher.page.getByRole("dialog").getByText("Верно", { exact: true }).first()).toBeVisible();
});
