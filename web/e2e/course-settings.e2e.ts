import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { eventually, field, signIn, toast } from "./app.ts";
import { makeCourse } from "./authoring.ts";
import { newTab, signedIn, withBrowser } from "./browser.ts";
import { enroll, type Person, person } from "./people.ts";

let server: Server;
let author: Person;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
  author = await person(server, "Иванова Анна Петровна", "anna@example.com");
});
afterAll(() => server?.stop());

async function settings(title: string, who = author) {
  const id = await makeCourse(server, author, title, { Модуль: { Урок: ["Страница"] } });
  const tab = await signedIn(server, who);
  const open = () => tab.page.goto(`/edit-course/${id}?tab=settings`);
  await open();
  await tab.page.getByRole("heading", { name: "Команда" }).waitFor();
  const stored = async (fields: string) =>
    (await graphql(server.url, author.token, `query ($id: ID!) { course(id: $id) { ${fields} } }`, { id }))
      .course;
  return { ...tab, id, open, stored };
}

describe("title and description", () => {
  test("are saved; nothing and too much are refused in words, and nothing typed is lost", async () => {
    const { page, stored } = await settings("Черновое имя");
    await field(page, "Название").fill("");
    await field(page, "Описание").fill("Для тех, кто начинает.");
    await field(page, "Название").focus();
    await field(page, "Название").blur();
    await page.getByText("Введите название").waitFor();
    await field(page, "Название").fill("я".repeat(256));
    await page.getByRole("button", { name: "Сохранить", exact: true }).click();
    await page.getByText("Название не длиннее 255 знаков").waitFor();
    expect(await field(page, "Описание").inputValue()).toBe("Для тех, кто начинает.");
    await field(page, "Название").fill("Настоящее имя");
    await page.getByRole("button", { name: "Сохранить", exact: true }).click();
    await toast(page, "").or(page.getByText("Название и описание сохранены.")).first().waitFor();
    await page.getByRole("heading", { level: 1, name: "Настоящее имя" }).waitFor();
    await expect
      .poll(() => stored("title description"))
      .toEqual({
        title: "Настоящее имя",
        description: "Для тех, кто начинает.",
      });
  });
});

describe("the share code", () => {
  test("is made, copied as a link, drawn as a QR code, and replaced after a warning", async () => {
    const { page, context, stored, id } = await settings("Курс с кодом");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Создать код" }).click();
    await page.getByText("Код создан.").waitFor();
    const { shareCode } = await stored("shareCode");
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole("button", { name: "Копировать: Код курса" }).click();
    await eventually(copied, shareCode, "the code");
    await page.getByRole("button", { name: "Копировать: Ссылка для записи" }).click();
    await eventually(copied, `${server.url}/?code=${shareCode}`, "the link");
    await page.getByRole("img", { name: /QR-код/ }).waitFor();

    await page.getByRole("button", { name: "Создать новый код" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(shareCode).waitFor();
    await dialog.getByRole("button", { name: "Отмена" }).click();
    await expect.poll(async () => (await stored("shareCode")).shareCode).toBe(shareCode);
    await page.getByRole("button", { name: "Создать новый код" }).click();
    await dialog.getByRole("button", { name: "Создать новый код" }).click();
    await page.getByText("Новый код создан, прежний больше не действует.").waitFor();
    const now = (await stored("shareCode")).shareCode;
    expect(now).not.toBe(shareCode);
    await page.getByText(now, { exact: true }).waitFor();

    // The link brings a newcomer through signing up and in to the course.
    const { page: other } = await newTab(server);
    await other.goto(`/?code=${now}`);
    await other.getByRole("link", { name: "Нет аккаунта? Зарегистрироваться" }).click();
    await field(other, "Фамилия").fill("Петров");
    await field(other, "Имя").fill("Пётр");
    await field(other, "Отчество").fill("Петрович");
    await field(other, "Email").fill("petr-code@example.com");
    await field(other, "Пароль").fill("очень-тайный-пароль");
    await field(other, "Подтверждение пароля").fill("очень-тайный-пароль");
    await other.getByRole("button", { name: "Зарегистрироваться" }).click();
    await other.waitForURL((url) => url.pathname === "/login");
    await signIn(other, "petr-code@example.com", "очень-тайный-пароль");
    await expect.poll(() => field(other, "Код курса").inputValue()).toBe(now);
    await other.getByRole("button", { name: "Записаться" }).click();
    await other.waitForURL((url) => url.pathname === `/view-course/${id}`);
  });
});

describe("the team", () => {
  test("grows by a mailed link, changes roles, and shrinks", async () => {
    const { page, id, stored, open } = await settings("Общий курс");
    const colleague = { email: "kollega@example.com", password: "очень-тайный-пароль" };
    await page.getByRole("button", { name: "Пригласить" }).click();
    await page.getByText("Введите email").waitFor();
    await field(page, "Email").fill("kollega@");
    await page.getByRole("button", { name: "Пригласить" }).click();
    await page.getByText("Неверный формат email").waitFor();
    await field(page, "Email").fill(colleague.email);
    await field(page, "Роль").selectOption("TEACHER");
    await page.getByRole("button", { name: "Пригласить" }).click();
    await page.getByText(`Приглашение отправлено: ${colleague.email}.`).waitFor();
    await page.getByText(/приглашение действует до/).waitFor();

    // The link is opened by somebody who is not signed in, and waits until they are.
    const them = await person(server, "Коллега Кира Кирилловна", colleague.email);
    const link = await mailedLink(colleague.email);
    const { page: other } = await newTab(server);
    await other.goto(new URL(link).pathname + new URL(link).search);
    await other.waitForURL((url) => url.pathname === "/login");
    await signIn(other, them.email, them.password);
    await other.waitForURL((url) => url.pathname === `/edit-course/${id}`);
    await other.getByText("менять его могут только владелец и редакторы").waitFor();
    expect(await other.getByRole("button", { name: "Добавить модуль" }).count()).toBe(0);

    await open();
    await page.getByText("Коллега Кира Кирилловна").waitFor();
    await field(page, "Роль: Коллега Кира Кирилловна").selectOption("EDITOR");
    await page.getByText(`Роль изменена: ${colleague.email}.`).waitFor();
    await expect
      .poll(async () => (await stored("collaborators { role state }")).collaborators)
      .toEqual([{ role: "EDITOR", state: "ACCEPTED" }]);
    await other.reload();
    await other.getByRole("button", { name: "Добавить модуль" }).waitFor();
    // An editor sees the team, and may leave it.
    await other.goto(`/edit-course/${id}?tab=settings`);
    await other.getByRole("button", { name: "Покинуть команду" }).click();
    await other.getByRole("dialog").getByRole("button", { name: "Покинуть команду" }).click();
    await other.waitForURL(`${server.url}/`);
    await expect.poll(async () => (await stored("collaborators { role }")).collaborators).toEqual([]);
  });

  test("an invitation is withdrawn after a question", async () => {
    const { page, stored } = await settings("Курс без команды");
    await field(page, "Email").fill("nikto@example.com");
    await page.getByRole("button", { name: "Пригласить" }).click();
    await page.getByRole("button", { name: "Отозвать приглашение: nikto@example.com" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Отозвать", exact: true }).click();
    await page.getByText(/приглашение действует до/).waitFor({ state: "detached" });
    await expect.poll(async () => (await stored("collaborators { role }")).collaborators).toEqual([]);
  });

  test("a link that is no longer good says so", async () => {
    const { page } = await signedIn(server, author);
    await page.goto("/accept-invitation?token=not.a.token");
    await page.getByRole("heading", { name: "Приглашение не подошло" }).waitFor();
    await page.getByRole("link", { name: "Вернуться на главную" }).waitFor();
  });
});

describe("giving up a course", () => {
  test("it is handed over when its name was typed", async () => {
    const heir = await person(server, "Наследник Ник Никитич");
    const { page, stored } = await settings("Курс в хорошие руки");
    await field(page, "Email нового владельца").fill("nobody-at-all@example.com");
    await page.getByRole("button", { name: "Передать курс…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("Курс в хорошие руки");
    await dialog.getByRole("button", { name: "Передать курс" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Отмена" }).click();
    await field(page, "Email нового владельца").fill(heir.email);
    await page.getByRole("button", { name: "Передать курс…" }).click();
    await dialog.getByRole("textbox").fill("Курс в хорошие руки");
    await dialog.getByRole("button", { name: "Передать курс" }).click();
    await page.getByText(`Новый владелец курса: ${heir.email}.`).waitFor();
    await page.getByRole("button", { name: "Покинуть команду" }).waitFor();
    await expect
      .poll(() => stored("myRole owner { fullName }"))
      .toEqual({
        myRole: "EDITOR",
        owner: { fullName: heir.fullName },
      });
  });

  test("it is deleted: with students when its name was typed, without them at once and back again", async () => {
    const { page, id, stored } = await settings("Ненужный курс");
    await page.getByRole("button", { name: "Удалить курс…" }).click();
    await page.waitForURL(`${server.url}/`);
    await page.getByRole("button", { name: "Отменить" }).click();
    await page.getByRole("link", { name: "Ненужный курс" }).waitFor();
    await graphql(
      server.url,
      author.token,
      "mutation ($id: ID!) { generateShareCode(input: {courseId: $id}) { course { id } } }",
      { id },
    );
    await enroll(server, await person(server), (await stored("shareCode")).shareCode);
    await page.goto(`/edit-course/${id}?tab=settings`);
    await page.getByRole("button", { name: "Удалить курс…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/На\sкурсе 1\sученик/).waitFor();
    const button = dialog.getByRole("button", { name: "Удалить курс" });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("Ненужный курс");
    await button.click();
    await page.waitForURL(`${server.url}/`);
    await expect(stored("id")).rejects.toThrow("NOT_FOUND");
  });
});

/** The link of the newest mail to an address, out of the outbox in the data folder. */
async function mailedLink(email: string): Promise<string> {
  const outbox = join(server.dataDir, "outbox");
  let link = "";
  await expect
    .poll(async () => {
      for (const name of (await readdir(outbox)).sort()) {
        const mail = (await readFile(join(outbox, name), "utf8"))
          .replaceAll("=\r\n", "")
          .replaceAll("=3D", "=");
        const found = mail.includes(email) && /https?:\/\/\S+\/accept-invitation\?token=[\w.-]+/.exec(mail);
        if (found) [link] = found;
      }
      return link;
    })
    .not.toBe("");
  return link;
}
