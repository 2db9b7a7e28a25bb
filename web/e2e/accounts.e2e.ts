import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { field, openUserMenu, signIn, storedToken, toast } from "./app.ts";
import { newTab, signedIn, withBrowser } from "./browser.ts";
import { person } from "./people.ts";

let server: Server;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
});
afterAll(() => server?.stop());

describe("signing up", () => {
  test("says on blur what is missing in each field", async () => {
    const { page } = await newTab(server);
    await page.goto("/signup");
    const messages = {
      Фамилия: "Фамилия обязательна",
      Имя: "Имя обязательно",
      Отчество: "Отчество обязательно",
      Email: "Email обязателен",
      Пароль: "Пароль обязателен",
      "Подтверждение пароля": "Подтверждение пароля обязательно",
    };
    for (const [label, message] of Object.entries(messages)) {
      expect(await page.getByText(message, { exact: true }).count()).toBe(0);
      await field(page, label).focus();
      await field(page, label).blur();
      await page.getByText(message, { exact: true }).waitFor();
      expect(await field(page, label).getAttribute("aria-invalid"), label).toBe("true");
    }
  });

  test("says what is wrong with what was typed, and stops saying so when it is right", async () => {
    const { page } = await newTab(server);
    await page.goto("/signup");
    const cases: [label: string, wrong: string, message: string, right: string][] = [
      ["Email", "anna@", "Неверный формат email", "anna@example.com"],
      ["Пароль", "1234567", "Пароль должен содержать минимум 8 символов", "12345678"],
      ["Подтверждение пароля", "12345679", "Пароли не совпадают", "12345678"],
    ];
    for (const [label, wrong, message, right] of cases) {
      await field(page, label).fill(wrong);
      await field(page, label).blur();
      await page.getByText(message, { exact: true }).waitFor();
      await field(page, label).fill(right);
      await field(page, label).blur();
      await page.getByText(message, { exact: true }).waitFor({ state: "detached" });
    }
  });

  test("shows all errors of a field at once", async () => {
    const { page } = await newTab(server);
    await page.goto("/signup");
    await field(page, "Пароль").fill("12345678");
    // Empty and different from the password: both rules are broken.
    await field(page, "Подтверждение пароля").focus();
    await field(page, "Подтверждение пароля").blur();
    await page.getByText("Подтверждение пароля обязательно").waitFor();
    await page.getByText("Пароли не совпадают").waitFor();
  });

  test("shows the server's refusal of a taken address and keeps what was typed", async () => {
    const taken = await person(server);
    const { page } = await newTab(server);
    await page.goto("/signup");
    await field(page, "Фамилия").fill("Петров");
    await field(page, "Имя").fill("Пётр");
    await field(page, "Отчество").fill("Петрович");
    await field(page, "Email").fill(taken.email);
    await field(page, "Пароль").fill("12345678");
    await field(page, "Подтверждение пароля").fill("12345678");
    await page.getByRole("button", { name: "Зарегистрироваться" }).click();
    await toast(page, "Что-то пошло не так!").waitFor();
    expect(new URL(page.url()).pathname).toBe("/signup");
    expect(await field(page, "Email").inputValue()).toBe(taken.email);
  });
});

describe("signing in", () => {
  test("refuses a wrong password with a toast and stays", async () => {
    const who = await person(server);
    const { page } = await newTab(server);
    await page.goto("/login");
    await signIn(page, who.email, "not the password");
    const refusal = toast(page, "Что-то пошло не так!");
    await refusal.waitFor();
    // In the interface's language, from the server's own catalogue.
    expect(await refusal.innerText()).toMatch(/парол/i);
    expect(new URL(page.url()).pathname).toBe("/login");
    expect(await storedToken(page)).toBeNull();
  });

  test("stores the token under access_token and goes home", async () => {
    const who = await person(server);
    const { page } = await newTab(server);
    await page.goto("/login");
    await signIn(page, who.email, who.password);
    await page.waitForURL(`${server.url}/`);
    expect((await storedToken(page))?.split(".")).toHaveLength(3);
    expect(await page.context().cookies()).toEqual([]);
  });

  test("keeps the course code of an invitation link on the way through signing up and in", async () => {
    const who = await person(server);
    const { page } = await newTab(server);
    await page.goto("/?code=ABCD-1234");
    await page.waitForURL((url) => url.pathname === "/login");
    await page.getByRole("link", { name: "Нет аккаунта? Зарегистрироваться" }).click();
    await page.getByRole("link", { name: "Уже есть аккаунт? Войти" }).click();
    await signIn(page, who.email, who.password);
    await page.waitForURL((url) => url.pathname === "/");
    expect(await field(page, "Код курса").inputValue()).toBe("ABCD-1234");
  });
});

describe("a session", () => {
  test("keeps strangers out of the signed-in screens and members out of the public ones", async () => {
    const stranger = await newTab(server);
    for (const path of ["/", "/view-course/x", "/view-page/x"]) {
      await stranger.page.goto(path);
      await stranger.page.waitForURL((url) => url.pathname === "/login");
    }
    const member = await signedIn(server, await person(server));
    for (const path of ["/login", "/signup"]) {
      await member.page.goto(path);
      await member.page.waitForURL(`${server.url}/`);
    }
  });

  test("ends by «Выйти», on the server too", async () => {
    const who = await person(server, "Иванова Анна Петровна");
    const { page } = await signedIn(server, who);
    await page.goto("/");
    const token = await storedToken(page);
    await openUserMenu(page, who.fullName);
    await page.getByText(who.email).first().waitFor();
    await page.getByRole("menuitem", { name: "Выйти" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    expect(await storedToken(page)).toBeNull();
    const answer = await fetch(`${server.url}/api/v1/users/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(403);
  });

  test("is given up when the server no longer knows the token", async () => {
    const forged = await newTab(server, { token: "not.a.token" });
    await forged.page.goto("/");
    await forged.page.waitForURL((url) => url.pathname === "/login");
    expect(await storedToken(forged.page)).toBeNull();

    // In the middle of it: the session is ended elsewhere, and the next call finds out.
    const who = await person(server);
    const ended = await signedIn(server, who);
    await ended.page.goto("/");
    await ended.page.getByRole("heading", { level: 1 }).waitFor();
    const token = await storedToken(ended.page);
    await fetch(`${server.url}/api/v1/login/logout`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    await ended.page.reload();
    await ended.page.waitForURL((url) => url.pathname === "/login");
    expect(await storedToken(ended.page)).toBeNull();
  });

  test("shows the administration to superusers only, and the email to who has no name", async () => {
    const ordinary = await signedIn(server, await person(server));
    await ordinary.page.goto("/");
    await ordinary.page.getByRole("link", { name: "Мои курсы" }).first().waitFor();
    expect(await ordinary.page.getByRole("link", { name: "Администрирование" }).count()).toBe(0);

    const superuser = await newTab(server, { token: await login(server.url, admin.email, admin.password) });
    await superuser.page.goto("/");
    await superuser.page.getByRole("link", { name: "Администрирование" }).waitFor();
    await openUserMenu(superuser.page, admin.email);
  });
});
