import { graphql, login } from "../../scripts/client.mjs";
import { linkIn } from "../../scripts/mail-server.mjs";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessible } from "./accessibility.ts";
import { type Account, createCourse, signUp } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { field, signIn, storedToken, toast } from "./ui.ts";

test.use({ smtp: true });

const api = (server: Server, account: Account, query: string, variables: Record<string, unknown> = {}) =>
  graphql(server.url, account.token, query, variables);
const changeEmail = (server: Server, account: Account, email: string) =>
  api(server, account, "mutation ($i: UpdateMeInput!) { updateMe(input: $i) { user { email } } }", {
    i: { email },
  });

test.describe("/recover-password", () => {
  test("validates the email on blur, and keeps it when the server is unreachable", async ({ newTab }) => {
    const { page } = await newTab();
    await page.goto("/login");
    await page.getByRole("link", { name: "Забыли пароль?" }).click();
    // The address changes before the screen does, and the sign-in form has a field with the same label.
    await expect(page.getByRole("button", { name: "Отправить ссылку" })).toBeVisible();
    await page.waitForURL((url) => url.pathname === "/recover-password");
    await field(page, "Email").focus();
    await field(page, "Email").blur();
    await expect(page.getByText("Email обязателен")).toBeVisible();
    await field(page, "Email").fill("anna@");
    await field(page, "Email").blur();
    await expect(page.getByText("Неверный формат email")).toBeVisible();
    await field(page, "Email").fill("anna@example.com");
    await page.route("**/graphql", (route) => route.abort());
    await page.getByRole("button", { name: "Отправить ссылку" }).click();
    await expect(toast(page, "Что-то пошло не так!")).toBeVisible();
    await expect(field(page, "Email")).toHaveValue("anna@example.com");
  });

  test("shows the same message for an unknown email and sends no mail", async ({ mail, newTab }) => {
    const { page } = await newTab();
    await page.goto("/recover-password");
    await field(page, "Email").fill("nobody@example.com");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Проверьте почту" })).toBeVisible();
    await expect(page.getByText("nobody@example.com")).toBeVisible();
    await page.getByRole("button", { name: "Запросить ещё раз" }).click();
    await expect(field(page, "Email")).toHaveValue("nobody@example.com");
    expect(mail.mails.filter(({ to }) => to === "nobody@example.com")).toEqual([]);
  });

  test("sends a mail whose link sets a new password once and ends every session", async ({
    server,
    mail,
    newTab,
    tabFor,
  }) => {
    const account = await signUp(server);
    const otherTab = await tabFor(account);
    await otherTab.page.goto("/");
    await expect(otherTab.page.getByRole("heading", { level: 1 })).toBeVisible();

    const { page } = await newTab();
    await page.goto("/recover-password");
    await field(page, "Email").fill(account.email);
    await page.getByRole("button", { name: "Отправить ссылку" }).click();
    await expect(page.getByRole("heading", { name: "Проверьте почту" })).toBeVisible();
    const link = linkIn(await mail.waitFor(account.email), "/reset-password");

    await page.goto(link);
    await field(page, "Новый пароль").fill("1234567");
    await field(page, "Новый пароль").blur();
    await expect(page.getByText("Пароль должен содержать минимум 8 символов")).toBeVisible();
    await field(page, "Новый пароль").fill("совсем-новый-пароль");
    await field(page, "Подтверждение пароля").fill("совсем-новый");
    await field(page, "Подтверждение пароля").blur();
    await expect(page.getByText("Пароли не совпадают")).toBeVisible();
    await field(page, "Подтверждение пароля").fill("совсем-новый-пароль");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/login");
    await expect(page.getByText("Новый пароль сохранён. Теперь войдите.")).toBeVisible();
    await signIn(page, account.email, "совсем-новый-пароль");
    await page.waitForURL(`${server.url}/`);

    await otherTab.page.reload();
    await otherTab.page.waitForURL((url) => url.pathname === "/login");

    // The link works only once.
    const { page: again } = await newTab();
    await again.goto(link);
    await field(again, "Новый пароль").fill("ещё-один-пароль");
    await field(again, "Подтверждение пароля").fill("ещё-один-пароль");
    await again.getByRole("button", { name: "Сохранить пароль" }).click();
    await expect(again.getByRole("heading", { name: "Ссылка не работает" })).toBeVisible();
    await expectAccessible(again, "an expired recovery link");
    await again.getByRole("link", { name: "Запросить новую ссылку" }).click();
    await again.waitForURL((url) => url.pathname === "/recover-password");
  });
});

test.describe("/reset-password", () => {
  test("shows an error for an incomplete link", async ({ newTab }) => {
    const { page } = await newTab();
    await page.goto("/reset-password");
    await expect(page.getByText("В ссылке не хватает части.")).toBeVisible();
  });

  test("redirects a signed-in user to the home screen, like /recover-password", async ({
    server,
    tabFor,
  }) => {
    const { page } = await tabFor(await signUp(server));
    for (const path of ["/recover-password", "/reset-password?token=a.b.c"]) {
      await page.goto(path);
      await page.waitForURL(`${server.url}/`);
    }
  });

  test("opens from the mail to a new account", async ({ server, mail, adminToken, newTab }) => {
    const token = adminToken;
    const email = "novyj@example.com";
    await graphql(
      server.url,
      token,
      "mutation ($i: CreateUserInput!) { createUser(input: $i) { user { id } } }",
      { i: { email, password: "временный-пароль" } },
    );
    const { page } = await newTab();
    await page.goto(linkIn(await mail.waitFor(email), "/reset-password"));
    await field(page, "Новый пароль").fill("собственный-пароль");
    await field(page, "Подтверждение пароля").fill("собственный-пароль");
    await page.getByRole("button", { name: "Сохранить пароль" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    expect(await login(server.url, email, "собственный-пароль")).toBeTruthy();
  });
});

test.describe("/undo-email-change", () => {
  test("restores the old email once and leads to a new password", async ({ server, mail, newTab }) => {
    const account = await signUp(server);
    await changeEmail(server, account, `chuzhoj-${account.email}`);
    const link = linkIn(await mail.waitFor(account.email), "/undo-email-change");
    const { page } = await newTab();
    await page.goto(link);
    await expect(page.getByRole("heading", { name: "Вернуть прежний адрес" })).toBeVisible();
    await expectAccessible(page, "undoing an email change");
    // Opening the link changes nothing.
    expect(await api(server, account, "{ me { email } }")).toEqual({
      me: { email: `chuzhoj-${account.email}` },
    });
    await page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await expect(page.getByRole("heading", { name: "Прежний адрес возвращён" })).toBeVisible();
    expect(await login(server.url, account.email, account.password)).toBeTruthy();
    await page.getByRole("link", { name: "Задать новый пароль" }).click();
    await page.waitForURL((url) => url.pathname === "/recover-password");

    await page.goto(link);
    await page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await expect(page.getByRole("heading", { name: "Ссылка не работает" })).toBeVisible();
    await page.goto("/undo-email-change");
    await expect(page.getByText("В ссылке не хватает части.")).toBeVisible();
  });

  test("ends the session of the affected account only", async ({ server, mail, tabFor }) => {
    const account = await signUp(server);
    const { page } = await tabFor(account);
    await page.goto("/");
    await changeEmail(server, account, `drugoj-${account.email}`);
    const link = linkIn(await mail.waitFor(account.email), "/undo-email-change");
    await page.goto(link);
    await page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await page.waitForURL((url) => url.pathname === "/recover-password");
    await expect(page.getByText("Теперь задайте новый пароль")).toBeVisible();
    expect(await storedToken(page)).toBeNull();

    const again = await signUp(server);
    await changeEmail(server, again, `drugoj-${again.email}`);
    const other = await tabFor(await signUp(server));
    await other.page.goto(linkIn(await mail.waitFor(again.email), "/undo-email-change"));
    await other.page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await expect(other.page.getByRole("heading", { name: "Прежний адрес возвращён" })).toBeVisible();
    expect(await storedToken(other.page)).not.toBeNull();
  });
});

test.describe("other links in mails", () => {
  test("open the invitation and the transferred course", async ({ server, mail, tabFor }) => {
    const owner = await signUp(server, "Орлова Ольга Олеговна");
    const newOwner = await signUp(server, "Дятлов Денис Дмитриевич");
    const courseId = await createCourse(server, owner, "Общее дело");
    await api(
      server,
      owner,
      "mutation ($i: InviteCollaboratorInput!) { inviteCollaborator(input: $i) { collaborator { id } } }",
      { i: { courseId, email: newOwner.email, role: "EDITOR" } },
    );
    const { page } = await tabFor(newOwner);
    await page.goto(linkIn(await mail.waitFor(newOwner.email), "/accept-invitation"));
    await page.waitForURL((url) => url.pathname === `/edit-course/${courseId}`);
    const seen = mail.mails.length;
    await api(
      server,
      owner,
      "mutation ($i: HandOverCourseInput!) { handOverCourse(input: $i) { course { id } } }",
      {
        i: { courseId, email: newOwner.email },
      },
    );
    await page.goto(linkIn(await mail.waitFor(newOwner.email, seen), "/edit-course/"));
    await expect(page.getByRole("heading", { level: 1, name: "Общее дело" })).toBeVisible();
  });
});
