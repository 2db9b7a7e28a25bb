import { afterAll, beforeAll, expect, test } from "vitest";
import { graphql, login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { eventually, field, openUserMenu, signIn } from "./app.ts";
import { newTab, signedIn, withBrowser } from "./browser.ts";
import { linkOf, MailServer } from "./mail.ts";
import { person } from "./people.ts";
import { answerByKeys } from "./quizKeys.ts";
import { type Classroom, classroom, standing } from "./quizzes.ts";

// What the other files show in full on SQLite, in brief on PostgreSQL: every screen of accounts, administration, items, a class and
// learning reads and writes there too.

let server: Server;
let mail: MailServer;
let room: Classroom;

withBrowser();
beforeAll(async () => {
  mail = await MailServer.start();
  server = await Server.start({ database: "postgres", settings: { KURSO_SMTP_URL: mail.url } });
  room = await classroom(server);
});
afterAll(async () => {
  await server?.stop();
  await mail?.stop();
});

test("settings: a name, a password and a session", async () => {
  const who = await person(server, "Старое Имя");
  const elsewhere = await login(server.url, who.email, who.password);
  const { page } = await signedIn(server, who);
  await page.goto("/");
  await openUserMenu(page, who.fullName);
  await page.getByRole("menuitem", { name: "Настройки" }).click();
  const name = field(page, "Фамилия, имя и отчество");
  await name.fill("Новое Имя");
  await name.press("Enter");
  await page.getByText("Имя сохранено.").waitFor();
  await page.getByRole("button", { name: "Новое Имя" }).waitFor();
  await page.getByText("этот браузер").waitFor();
  await field(page, "Текущий пароль").fill(who.password);
  await field(page, "Новый пароль").fill("совсем-другой-пароль");
  await field(page, "Подтверждение пароля").fill("совсем-другой-пароль");
  await page.getByRole("button", { name: "Сменить пароль" }).click();
  await page.getByText("Пароль изменён, остальные сеансы завершены.").waitFor();
  await expect(graphql(server.url, elsewhere, "{ me { id } }", {})).rejects.toThrow();
});

test("recovery: a mail leads to a new password", async () => {
  const who = await person(server);
  const { page } = await newTab(server);
  await page.goto("/recover-password");
  await field(page, "Email").fill(who.email);
  await page.getByRole("button", { name: "Отправить ссылку" }).click();
  await page.getByRole("heading", { name: "Проверьте почту" }).waitFor();
  await page.goto(linkOf(await mail.to(who.email), "/reset-password"));
  await field(page, "Новый пароль").fill("найденный-пароль");
  await field(page, "Подтверждение пароля").fill("найденный-пароль");
  await page.getByRole("button", { name: "Сохранить пароль" }).click();
  await page.waitForURL((url) => url.pathname === "/login");
  await signIn(page, who.email, "найденный-пароль");
  await page.waitForURL(`${server.url}/`);
});

test("administration: people are made and found, courses and the state are seen", async () => {
  const { page } = await newTab(server, { token: await login(server.url, admin.email, admin.password) });
  await page.goto("/admin");
  await page.getByRole("button", { name: "Создать аккаунт" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email", { exact: true }).fill("new@example.com");
  await dialog.getByLabel("Фамилия, имя и отчество", { exact: true }).fill("Ёжикова Юлия");
  await dialog.getByLabel("Пароль", { exact: true }).fill("первый-пароль");
  await dialog.getByLabel("Подтверждение пароля", { exact: true }).fill("первый-пароль");
  await dialog.getByRole("button", { name: "Создать аккаунт" }).click();
  await dialog.waitFor({ state: "detached" });
  await mail.to("new@example.com");
  await field(page, "Найти по имени или email").fill("ёжикова");
  await page.getByText("1 пользователь", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Курсы", exact: true }).click();
  await page.getByText("Основы Rust").first().waitFor();
  await page.getByRole("link", { name: "Система" }).click();
  await page.getByText("Отвечает").waitFor();
});

test("items: made, changed and deleted", async () => {
  const who = await person(server);
  const { page } = await signedIn(server, who);
  await page.goto("/items");
  await page.getByRole("heading", { name: "Здесь пока пусто" }).waitFor();
  await page.getByRole("button", { name: "Добавить элемент" }).click();
  await field(page, "Название").fill("Первый элемент");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Первый элемент", exact: true }).click();
  await field(page, "Название").fill("Он же");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Действия с элементом «Он же»" }).click();
  await page.getByRole("menuitem", { name: "Удалить" }).click();
  await page.getByRole("heading", { name: "Здесь пока пусто" }).waitFor();
  // Sent at the latest when the screen is left.
  await page.goto("/");
  const items = async () =>
    (await graphql(server.url, who.token, "{ items { totalCount } }", {})).items.totalCount;
  await eventually(items, 0, "the item is gone");
});

test("a quiz of every kind of question, the learner's progress, and the class that shows both", async () => {
  const { page } = await signedIn(server, room.learner);
  await page.goto(`/view-page/${room.quizId}`);
  await page.getByRole("form", { name: "Тест" }).waitFor();
  await page.getByRole("heading", { level: 1 }).focus();
  await answerByKeys(page);
  await page.getByRole("heading", { name: "Тест пройден" }).waitFor();
  expect((await standing(room, room.learner)).attempts).toMatchObject([{ percent: 100, passed: true }]);
  await page.goto(`/view-course/${room.courseId}`);
  await page.getByRole("region", { name: "Что осталось" }).getByRole("link").first().waitFor();
  await page.getByRole("link", { name: "Мой прогресс" }).click();
  await page.getByRole("list", { name: "Попытки в тесте «Проверьте себя»" }).waitFor();

  const teacher = await signedIn(server, room.owner);
  await teacher.page.goto(`/edit-course/${room.courseId}?tab=students`);
  await teacher.page.getByRole("link", { name: room.learner.fullName }).click();
  await teacher.page.getByRole("button", { name: "Попытка 1: 100 %" }).click();
  await teacher.page.getByRole("dialog").getByText("Верно", { exact: true }).first().waitFor();
});
