import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql, login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { field } from "./app.ts";
import { makeCourse } from "./authoring.ts";
import { newTab, signedIn, watchOperations, withBrowser } from "./browser.ts";
import { MailServer } from "./mail.ts";
import { enroll, person } from "./people.ts";

let server: Server;
let mail: MailServer;
let root: { token: string };

withBrowser();
beforeAll(async () => {
  mail = await MailServer.start();
  server = await Server.start({ settings: { KURSO_SMTP_URL: mail.url } });
  root = { token: await login(server.url, admin.email, admin.password) };
});
afterAll(async () => {
  await server?.stop();
  await mail?.stop();
});

async function administration(path = "/admin") {
  const tab = await newTab(server, root);
  await tab.page.goto(path);
  await tab.page.getByRole("heading", { level: 1, name: "Администрирование" }).waitFor();
  return tab;
}

const users = (words: string) =>
  graphql(
    server.url,
    root.token,
    "query ($s: String) { users(search: $s) { nodes { email fullName isActive isSuperuser } } }",
    { s: words },
  ).then(({ users }) => users.nodes);

describe("who is no superuser", () => {
  test("finds nothing at /admin, and no forbidden call is made", async () => {
    const who = await person(server);
    const { page } = await signedIn(server, who);
    const operations = watchOperations(page);
    await page.goto("/admin");
    await page.getByRole("heading", { name: "Упс!" }).waitFor();
    await page.getByText("Страница, которую вы ищете, не найдена.").waitFor();
    expect(operations.filter((name) => name.startsWith("Admin"))).toEqual([]);
    await page.getByRole("link", { name: "Вернуться на главную" }).click();
    await page.waitForURL(`${server.url}/`);
  });
});

describe("people", () => {
  test("are reached by the menu, found by words, and paged by the address", async () => {
    for (let number = 1; number <= 21; number++) {
      await person(server, `Множество Номер ${number}`, `many-${number}@example.com`);
    }
    const { page } = await newTab(server, root);
    await page.goto("/");
    await page.getByRole("link", { name: "Администрирование" }).click();
    await page.waitForURL((url) => url.pathname === "/admin");
    const rows = page.getByRole("list", { name: "Пользователи" }).getByRole("listitem");
    await field(page, "Найти по имени или email").fill("МНОЖЕСТВО");
    await page.getByText("21 пользователь", { exact: true }).waitFor();
    await page.getByText("1 из 2", { exact: true }).waitFor();
    expect(await rows.count()).toBe(20);
    await page.getByRole("link", { name: "Вперёд" }).click();
    await page.getByText("2 из 2", { exact: true }).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("page")).toBe("2");
    await field(page, "Найти по имени или email").fill("many-7@");
    await expect.poll(() => rows.count()).toBe(1);
    await rows.first().getByText("Множество Номер 7").waitFor();
    await field(page, "Найти по имени или email").fill("нет таких");
    await page.getByText("По запросу «нет таких» ничего не нашлось.").waitFor();
    await page.goto("/admin?page=abc");
    await page.getByText(/^1 из/).waitFor();
    await page.goto("/admin?page=99");
    await expect.poll(() => new URL(page.url()).searchParams.get("page")).not.toBe("99");
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
  });

  test("are made with a mail, and what is wrong is said at the field", async () => {
    const { page } = await administration();
    await page.getByRole("button", { name: "Создать аккаунт" }).click();
    const dialog = page.getByRole("dialog");
    const make = () => dialog.getByRole("button", { name: "Создать аккаунт" }).click();
    await make();
    for (const message of ["Email обязателен", "Пароль обязателен", "Подтверждение пароля обязательно"]) {
      await dialog.getByText(message).waitFor();
    }
    await field(page, "Email").fill(admin.email);
    await field(page, "Фамилия, имя и отчество").fill("Новая Нина Николаевна");
    await field(page, "Пароль").fill("первый-пароль");
    await field(page, "Подтверждение пароля").fill("первый-пароль");
    await make();
    await dialog.getByText("Пользователь с таким email уже есть").waitFor();
    expect(await field(page, "Фамилия, имя и отчество").inputValue()).toBe("Новая Нина Николаевна");
    await field(page, "Email").fill("nina@example.com");
    await dialog.getByRole("checkbox", { name: "Администратор" }).check();
    await make();
    await page.getByText("Аккаунт создан. Письмо отправлено: nina@example.com.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Новая Нина Николаевна" }).waitFor();
    expect(await users("nina@")).toEqual([
      { email: "nina@example.com", fullName: "Новая Нина Николаевна", isActive: true, isSuperuser: true },
    ]);
    expect((await mail.to("nina@example.com")).text).toContain("/reset-password");
    expect(await login(server.url, "nina@example.com", "первый-пароль")).toBeTruthy();
  });

  test("are changed: name, rank and password", async () => {
    const who = await person(server, "Правка Пелагея Петровна");
    const { page } = await administration(`/admin?search=${who.email}`);
    await page.getByRole("button", { name: `Действия с аккаунтом: ${who.fullName}` }).click();
    await page.getByRole("menuitem", { name: "Изменить" }).click();
    await field(page, "Фамилия, имя и отчество").fill("Иная Инна Ивановна");
    await field(page, "Новый пароль").fill("1234567");
    await field(page, "Новый пароль").blur();
    await page.getByText("Пароль должен содержать минимум 8 символов").waitFor();
    await field(page, "Новый пароль").fill("от администратора");
    await field(page, "Подтверждение пароля").fill("от администратора");
    await page.getByRole("dialog").getByRole("button", { name: "Сохранить" }).click();
    await page.getByRole("listitem").filter({ hasText: "Иная Инна Ивановна" }).waitFor();
    expect(await login(server.url, who.email, "от администратора")).toBeTruthy();
    expect((await users(who.email))[0]).toMatchObject({ isSuperuser: false, isActive: true });
  });

  test("are deactivated after a question, and activated again", async () => {
    const who = await person(server, "Тихая Таисия Тихоновна");
    const { page } = await administration(`/admin?search=${who.email}`);
    const menu = page.getByRole("button", { name: `Действия с аккаунтом: ${who.fullName}` });
    await menu.click();
    await page.getByRole("menuitem", { name: "Отключить" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Отключить" }).click();
    await page.getByRole("listitem").getByText("отключён").waitFor();
    await expect(login(server.url, who.email, who.password)).rejects.toThrow("Inactive user");
    await menu.click();
    await page.getByRole("menuitem", { name: "Включить" }).click();
    await page.getByRole("listitem").getByText("отключён").waitFor({ state: "detached" });
    expect(await login(server.url, who.email, who.password)).toBeTruthy();
  });

  test("are deleted when their address was typed, and it is said what becomes of their courses", async () => {
    const who = await person(server, "Последняя Полина Павловна");
    const course = await makeCourse(server, who, "Курс без хозяйки");
    const { generateShareCode } = await graphql(
      server.url,
      who.token,
      "mutation ($i: GenerateShareCodeInput!) { generateShareCode(input: $i) { course { shareCode } } }",
      { i: { courseId: course } },
    );
    await enroll(server, await person(server), generateShareCode.course.shareCode);
    const { page } = await administration(`/admin?search=${who.email}`);
    await page.getByRole("button", { name: `Действия с аккаунтом: ${who.fullName}` }).click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Курс без хозяйки: 1 ученик").waitFor();
    const confirm = dialog.getByRole("button", { name: "Удалить аккаунт" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(/Чтобы продолжить, введите/).fill(who.email);
    await confirm.click();
    await page.getByText(`Аккаунт удалён: ${who.fullName}.`).waitFor();
    expect(await users(who.email)).toEqual([]);
    const { course: left } = await graphql(
      server.url,
      root.token,
      "query ($id: ID!) { course(id: $id) { owner { email } } }",
      { id: course },
    );
    expect(left.owner.email).not.toBe(who.email);
  });

  test("one's own account keeps its rights, and cannot be taken away", async () => {
    const { page } = await administration(`/admin?search=${admin.email}`);
    await page.getByRole("listitem").getByText("это вы").waitFor();
    await page.getByRole("button", { name: `Действия с аккаунтом: ${admin.email}` }).click();
    expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Изменить"]);
    await page.getByRole("menuitem", { name: "Изменить" }).click();
    expect(await page.getByRole("checkbox", { name: "Администратор" }).isDisabled()).toBe(true);
    await field(page, "Фамилия, имя и отчество").fill("Главная Галина Глебовна");
    await page.getByRole("dialog").getByRole("button", { name: "Сохранить" }).click();
    await page.getByRole("button", { name: "Главная Галина Глебовна" }).first().waitFor();
    expect((await users(admin.email))[0]).toMatchObject({ isSuperuser: true, isActive: true });
  });
});

describe("courses", () => {
  test("are all there, found by their author, opened, and deleted when their name was typed", async () => {
    const who = await person(server, "Авторова Алла Андреевна");
    const title = "Курс одной Аллы";
    const course = await makeCourse(server, who, title);
    const { generateShareCode } = await graphql(
      server.url,
      who.token,
      "mutation ($i: GenerateShareCodeInput!) { generateShareCode(input: $i) { course { shareCode } } }",
      { i: { courseId: course } },
    );
    await enroll(server, await person(server), generateShareCode.course.shareCode);
    const { page } = await administration();
    await page.getByRole("navigation", { name: "Разделы администрирования" }).getByText("Курсы").click();
    await page.waitForURL((url) => url.search === "?tab=courses");
    await field(page, "Найти по названию, автору или email").fill("авторова алла");
    await page.getByText("1 курс", { exact: true }).waitFor();
    await page.getByRole("link", { name: title }).click();
    await page.waitForURL((url) => url.pathname === `/edit-course/${course}`);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.goBack();
    await page.getByRole("button", { name: `Действия с курсом «${title}»` }).click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/Чтобы продолжить, введите/).fill(title);
    await dialog.getByRole("button", { name: "Удалить курс" }).click();
    await page.getByText("По запросу «авторова алла» ничего не нашлось.").waitFor();
  });
});

describe("the log", () => {
  test("says what was done, of one kind if asked", async () => {
    const { page } = await administration("/admin?tab=audit");
    const list = page.getByRole("list", { name: "Что было сделано" });
    await list.getByText("Аккаунт создан").first().waitFor();
    await page.getByLabel("Вид действия").selectOption("Сервер запущен");
    await page.getByText("1 запись", { exact: true }).waitFor();
    expect(await list.getByRole("listitem").allTextContents()).toEqual([
      expect.stringContaining("Сервер запущен"),
    ]);
    expect(new URL(page.url()).search).toContain("kind=SERVER_STARTED");
  });

  test("shows what a person did, and what was done in a span of days", async () => {
    const { page } = await administration("/admin?tab=audit");
    const list = page.getByRole("list", { name: "Что было сделано" });
    const someone = list.getByRole("link", { name: /^Кого касается: / }).first();
    const name = (await someone.textContent())?.replace("Кого касается: ", "") ?? "";
    await someone.click();
    const only = page.getByText(`Только действия с участием: ${name}`);
    await only.waitFor();
    const others = list.getByRole("listitem").filter({ hasNotText: name });
    await expect.poll(() => others.count()).toBe(0);
    expect(await list.getByRole("listitem").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Показать все" }).click();
    await only.waitFor({ state: "detached" });
    await others.first().waitFor();

    await page.getByLabel("По", { exact: true }).fill("2020-01-01");
    await page.getByText("Таких записей в журнале нет.").waitFor();
    await page.getByLabel("По", { exact: true }).fill("");
    await others.first().waitFor();
    const today = new Date().toLocaleDateString("sv");
    await page.getByLabel("С", { exact: true }).fill("2999-01-01");
    await page.getByText("Таких записей в журнале нет.").waitFor();
    await page.getByLabel("С", { exact: true }).fill(today);
    await others.first().waitFor();
    expect(new URL(page.url()).search).toContain(`from=${today}`);
  });
});

describe("the system", () => {
  test("says how it is, and a test mail arrives", async () => {
    const { page } = await administration("/admin?tab=system");
    await page.getByText("Отвечает").waitFor();
    await page.getByText("Запросы SQL", { exact: true }).waitFor();
    await field(page, "Кому").fill("proba@");
    await page.getByRole("button", { name: "Отправить пробное письмо" }).click();
    await page.getByText("Неверный формат email").waitFor();
    await field(page, "Кому").fill("proba@example.com");
    await page.getByRole("button", { name: "Отправить пробное письмо" }).click();
    await page.getByText("Письмо отправляется: proba@example.com.").waitFor();
    expect((await mail.to("proba@example.com")).to).toBe("proba@example.com");
  });
});
