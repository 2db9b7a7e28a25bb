import { admin } from "../../scripts/server.mjs";
import { createCourse, signUp } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { field, openUserMenu, signIn, storedToken, toast } from "./ui.ts";

test.describe("sign-up", () => {
  test("shows the error of an empty required field on blur", async ({ newTab }) => {
    const { page } = await newTab();
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
      await expect(page.getByText(message, { exact: true })).toHaveCount(0);
      await field(page, label).focus();
      await field(page, label).blur();
      await expect(page.getByText(message, { exact: true })).toBeVisible();
      await expect(field(page, label)).toHaveAttribute("aria-invalid", "true");
    }
  });

  test("shows an error for an invalid value and removes it when the value is valid", async ({ newTab }) => {
    const { page } = await newTab();
    await page.goto("/signup");
    const cases: [label: string, wrong: string, message: string, right: string][] = [
      ["Email", "anna@", "Неверный формат email", "anna@example.com"],
      ["Пароль", "1234567", "Пароль должен содержать минимум 8 символов", "12345678"],
      ["Подтверждение пароля", "12345679", "Пароли не совпадают", "12345678"],
    ];
    for (const [label, wrong, message, right] of cases) {
      await field(page, label).fill(wrong);
      await field(page, label).blur();
      await expect(page.getByText(message, { exact: true })).toBeVisible();
      await field(page, label).fill(right);
      await field(page, label).blur();
      await expect(page.getByText(message, { exact: true })).toHaveCount(0);
    }
  });

  test("shows all errors of a field at once", async ({ newTab }) => {
    const { page } = await newTab();
    await page.goto("/signup");
    await field(page, "Пароль").fill("12345678");
    // An empty confirmation breaks two rules: it is required, and it differs from the password.
    await field(page, "Подтверждение пароля").focus();
    await field(page, "Подтверждение пароля").blur();
    await expect(page.getByText("Подтверждение пароля обязательно")).toBeVisible();
    await expect(page.getByText("Пароли не совпадают")).toBeVisible();
  });

  test("shows the server's error for a taken email and keeps the form values", async ({ server, newTab }) => {
    const taken = await signUp(server);
    const { page } = await newTab();
    await page.goto("/signup");
    await field(page, "Фамилия").fill("Петров");
    await field(page, "Имя").fill("Пётр");
    await field(page, "Отчество").fill("Петрович");
    await field(page, "Email").fill(taken.email);
    await field(page, "Пароль").fill("12345678");
    await field(page, "Подтверждение пароля").fill("12345678");
    await page.getByRole("button", { name: "Зарегистрироваться" }).click();
    await expect(toast(page, "Что-то пошло не так!")).toBeVisible();
    await expect(page).toHaveURL(({ pathname }) => pathname === "/signup");
    await expect(field(page, "Email")).toHaveValue(taken.email);
  });
});

test.describe("sign-in", () => {
  test("shows a toast for a wrong password and stays on /login", async ({ server, newTab }) => {
    const account = await signUp(server);
    const { page } = await newTab();
    await page.goto("/login");
    await signIn(page, account.email, "not the password");
    const refusal = toast(page, "Что-то пошло не так!");
    await expect(refusal).toBeVisible();
    // The server translates the message into the language of the interface.
    await expect(refusal).toHaveText(/парол/i);
    await expect(page).toHaveURL(({ pathname }) => pathname === "/login");
    expect(await storedToken(page)).toBeNull();
  });

  test("stores the token under access_token and opens the home screen", async ({ server, newTab }) => {
    const account = await signUp(server);
    const { page } = await newTab();
    await page.goto("/login");
    await signIn(page, account.email, account.password);
    await page.waitForURL(`${server.url}/`);
    expect((await storedToken(page))?.split(".")).toHaveLength(3);
    expect(await page.context().cookies()).toEqual([]);
  });

  test("leads back to the path that was opened first, through sign-up", async ({ server, newTab }) => {
    const account = await signUp(server);
    const { page } = await newTab();
    const path = "/settings?from=mail#sessions";
    await page.goto(path);
    await page.waitForURL(`${server.url}/login`);
    await expect(page.getByText("Войдите, и мы откроем нужную страницу.")).toBeVisible();
    await page.getByRole("link", { name: "Нет аккаунта? Зарегистрироваться" }).click();
    await page.getByRole("link", { name: "Уже есть аккаунт? Войти" }).click();
    await page.reload();
    await signIn(page, account.email, account.password);
    await page.waitForURL(({ pathname, hash }) => pathname + hash === "/settings#sessions");
    await expect(page.getByRole("heading", { name: "Настройки", level: 1 })).toBeVisible();
  });

  test("opens the home screen after /login was opened by hand", async ({ server, newTab }) => {
    const account = await signUp(server);
    const { page } = await newTab();
    await page.goto("/settings");
    await page.waitForURL(`${server.url}/login`);
    await page.goto("/login");
    await signIn(page, account.email, account.password);
    await page.waitForURL(`${server.url}/`);
  });

  test("leads back to the screen on which the session ended", async ({ server, tabFor }) => {
    const account = await signUp(server);
    const { page } = await tabFor(account);
    await page.goto("/settings");
    await expect(page.getByRole("heading", { name: "Настройки", level: 1 })).toBeVisible();
    // The server ends the session; the next request of the app gets 401.
    const token = await storedToken(page);
    await page.request.post("/api/v1/login/logout", { headers: { authorization: `Bearer ${token}` } });
    await page.reload();
    await page.waitForURL(`${server.url}/login`);
    await signIn(page, account.email, account.password);
    await page.waitForURL(`${server.url}/settings`);
  });

  test("after «Выйти» the next person begins at the home screen", async ({ server, tabFor }) => {
    const owner = await signUp(server, "Иванова Анна Петровна");
    const next = await signUp(server);
    const courseId = await createCourse(server, owner, "Общее дело");
    const { page } = await tabFor(owner);
    // The server closes the live connection of this screen as soon as the session has ended.
    await page.goto(`/edit-course/${courseId}`);
    await expect(page.getByRole("heading", { name: "Общее дело", level: 1 })).toBeVisible();
    await openUserMenu(page, owner.fullName);
    await page.getByRole("menuitem", { name: "Выйти" }).click();
    await page.waitForURL(`${server.url}/login`);
    await signIn(page, next.email, next.password);
    await page.waitForURL(`${server.url}/`);
  });

  test("fills in the address of a new account", async ({ server, newTab }) => {
    const { page } = await newTab();
    await page.goto("/signup");
    const email = `olga-${Date.now()}@example.com`;
    const typed = {
      Фамилия: "Белова",
      Имя: "Ольга",
      Отчество: "Игоревна",
      Email: email,
      Пароль: "очень-тайный-пароль",
      "Подтверждение пароля": "очень-тайный-пароль",
    };
    for (const [label, value] of Object.entries(typed)) await field(page, label).fill(value);
    await page.getByRole("button", { name: "Зарегистрироваться" }).click();
    await page.waitForURL(`${server.url}/login`);
    await expect(field(page, "Email")).toHaveValue(email);
  });

  test("an unknown code of a course link is refused with a way on", async ({ newTab, server }) => {
    const account = await signUp(server);
    const { page } = await newTab();
    await page.goto("/?code=ABCD-1234");
    await page.waitForURL(`${server.url}/login`);
    await signIn(page, account.email, account.password);
    await page.getByRole("button", { name: "Записаться" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    await page.getByRole("link", { name: "Ввести другой код" }).click();
    await expect(field(page, "Код курса")).toBeVisible();
  });
});

test.describe("sessions", () => {
  test("redirects visitors to /login and signed-in users away from the public screens", async ({
    server,
    newTab,
    tabFor,
  }) => {
    const visitor = await newTab();
    for (const path of ["/", "/view-course/x", "/view-page/x"]) {
      await visitor.page.goto(path);
      await visitor.page.waitForURL((url) => url.pathname === "/login");
    }
    const member = await tabFor(await signUp(server));
    for (const path of ["/login", "/signup"]) {
      await member.page.goto(path);
      await member.page.waitForURL(`${server.url}/`);
    }
  });

  test("«Выйти» ends the session, on the server too", async ({ server, tabFor }) => {
    const account = await signUp(server, "Иванова Анна Петровна");
    const { page } = await tabFor(account);
    await page.goto("/");
    const token = await storedToken(page);
    await openUserMenu(page, account.fullName);
    await expect(page.getByText(account.email).first()).toBeVisible();
    await page.getByRole("menuitem", { name: "Выйти" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    expect(await storedToken(page)).toBeNull();
    const answer = await fetch(`${server.url}/api/v1/users/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(403);
  });

  test("an invalid or ended session leads to /login and removes the token", async ({
    server,
    newTab,
    tabFor,
  }) => {
    const forged = await newTab({ token: "not.a.token" });
    await forged.page.goto("/");
    await forged.page.waitForURL((url) => url.pathname === "/login");
    expect(await storedToken(forged.page)).toBeNull();

    // The session ends in another client. The next request discovers it.
    const account = await signUp(server);
    const ended = await tabFor(account);
    await ended.page.goto("/");
    await expect(ended.page.getByRole("heading", { level: 1 })).toBeVisible();
    const token = await storedToken(ended.page);
    await fetch(`${server.url}/api/v1/login/logout`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    await ended.page.reload();
    await ended.page.waitForURL((url) => url.pathname === "/login");
    expect(await storedToken(ended.page)).toBeNull();
  });

  test("the menu shows administration to superusers only, and the email of an account without a name", async ({
    server,
    adminToken,
    newTab,
    tabFor,
  }) => {
    const ordinary = await tabFor(await signUp(server));
    await ordinary.page.goto("/");
    await expect(ordinary.page.getByRole("link", { name: "Мои курсы" }).first()).toBeVisible();
    await expect(ordinary.page.getByRole("link", { name: "Администрирование" })).toHaveCount(0);

    const superuser = await newTab({ token: adminToken });
    await superuser.page.goto("/");
    await expect(superuser.page.getByRole("link", { name: "Администрирование" })).toBeVisible();
    await openUserMenu(superuser.page, admin.email);
  });
});
