import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql, login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { field, signIn, storedToken, toast } from "./app.ts";
import { makeCourse } from "./authoring.ts";
import { expectAccessible, newTab, signedIn, withBrowser } from "./browser.ts";
import { linkOf, MailServer } from "./mail.ts";
import { type Person, person } from "./people.ts";

let server: Server;
let mail: MailServer;

withBrowser();
beforeAll(async () => {
  mail = await MailServer.start();
  server = await Server.start({ settings: { KURSO_SMTP_URL: mail.url } });
});
afterAll(async () => {
  await server?.stop();
  await mail?.stop();
});

const api = (who: Person, query: string, variables: Record<string, unknown> = {}) =>
  graphql(server.url, who.token, query, variables);
const changeEmail = (who: Person, email: string) =>
  api(who, "mutation ($i: UpdateMeInput!) { updateMe(input: $i) { user { email } } }", { i: { email } });

describe("/recover-password", () => {
  test("asks for an address on blur, and keeps what was typed when the server cannot be reached", async () => {
    const { page } = await newTab(server);
    await page.goto("/login");
    await page.getByRole("link", { name: "Забыли пароль?" }).click();
    await page.waitForURL((url) => url.pathname === "/recover-password");
    await field(page, "Email").focus();
    await field(page, "Email").blur();
    await page.getByText("Email обязателен").waitFor();
    await field(page, "Email").fill("anna@");
    await field(page, "Email").blur();
    await page.getByText("Неверный формат email").waitFor();
    await field(page, "Email").fill("anna@example.com");
    await page.route("**/graphql", (route) => route.abort());
    await page.getByRole("button", { name: "Отправить ссылку" }).click();
    await toast(page, "Что-то пошло не так!").waitFor();
    expect(await field(page, "Email").inputValue()).toBe("anna@example.com");
  });

  test("says the same of an account that is not there, and sends nothing", async () => {
    const { page } = await newTab(server);
    await page.goto("/recover-password");
    await field(page, "Email").fill("nobody@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Проверьте почту" }).waitFor();
    await page.getByText("nobody@example.com").waitFor();
    await page.getByRole("button", { name: "Запросить ещё раз" }).click();
    expect(await field(page, "Email").inputValue()).toBe("nobody@example.com");
    expect(mail.mails.filter(({ to }) => to === "nobody@example.com")).toEqual([]);
  });

  test("leads by a real mail to a new password, once, and every session ends", async () => {
    const who = await person(server);
    const elsewhere = await signedIn(server, who);
    await elsewhere.page.goto("/");
    await elsewhere.page.getByRole("heading", { level: 1 }).waitFor();

    const { page } = await newTab(server);
    await page.goto("/recover-password");
    await field(page, "Email").fill(who.email);
    await page.getByRole("button", { name: "Отправить ссылку" }).click();
    await page.getByRole("heading", { name: "Проверьте почту" }).waitFor();
    const link = linkOf(await mail.to(who.email), "/reset-password");

    await page.goto(link);
    await field(page, "Новый пароль").fill("1234567");
    await field(page, "Новый пароль").blur();
    await page.getByText("Пароль должен содержать минимум 8 символов").waitFor();
    await field(page, "Новый пароль").fill("совсем-новый-пароль");
    await field(page, "Подтверждение пароля").fill("совсем-новый");
    await field(page, "Подтверждение пароля").blur();
    await page.getByText("Пароли не совпадают").waitFor();
    await field(page, "Подтверждение пароля").fill("совсем-новый-пароль");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/login");
    await page.getByText("Новый пароль сохранён. Теперь войдите.").waitFor();
    await signIn(page, who.email, "совсем-новый-пароль");
    await page.waitForURL(`${server.url}/`);

    await elsewhere.page.reload();
    await elsewhere.page.waitForURL((url) => url.pathname === "/login");

    // The link is used up.
    const { page: again } = await newTab(server);
    await again.goto(link);
    await field(again, "Новый пароль").fill("ещё-один-пароль");
    await field(again, "Подтверждение пароля").fill("ещё-один-пароль");
    await again.getByRole("button", { name: "Сохранить пароль" }).click();
    await again.getByRole("heading", { name: "Ссылка не работает" }).waitFor();
    await expectAccessible(again, "a dead recovery link");
    await again.getByRole("link", { name: "Запросить новую ссылку" }).click();
    await again.waitForURL((url) => url.pathname === "/recover-password");
  });
});

describe("/reset-password", () => {
  test("says so when the link lost a part on its way", async () => {
    const { page } = await newTab(server);
    await page.goto("/reset-password");
    await page.getByText("В ссылке не хватает части.").waitFor();
  });

  test("sends a member home, as /recover-password does", async () => {
    const { page } = await signedIn(server, await person(server));
    for (const path of ["/recover-password", "/reset-password?token=a.b.c"]) {
      await page.goto(path);
      await page.waitForURL(`${server.url}/`);
    }
  });

  test("is where the mail of a new account leads", async () => {
    const token = await login(server.url, admin.email, admin.password);
    const email = "novyj@example.com";
    await graphql(
      server.url,
      token,
      "mutation ($i: CreateUserInput!) { createUser(input: $i) { user { id } } }",
      { i: { email, password: "временный-пароль" } },
    );
    const { page } = await newTab(server);
    await page.goto(linkOf(await mail.to(email), "/reset-password"));
    await field(page, "Новый пароль").fill("собственный-пароль");
    await field(page, "Подтверждение пароля").fill("собственный-пароль");
    await page.getByRole("button", { name: "Сохранить пароль" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    expect(await login(server.url, email, "собственный-пароль")).toBeTruthy();
  });
});

describe("/undo-email-change", () => {
  test("brings the old address back and leads to a new password, once", async () => {
    const who = await person(server);
    await changeEmail(who, `chuzhoj-${who.email}`);
    const link = linkOf(await mail.to(who.email), "/undo-email-change");
    const { page } = await newTab(server);
    await page.goto(link);
    await page.getByRole("heading", { name: "Вернуть прежний адрес" }).waitFor();
    await expectAccessible(page, "the undo of an e-mail change");
    // What only looks at a link changes nothing.
    expect(await api(who, "{ me { email } }")).toEqual({ me: { email: `chuzhoj-${who.email}` } });
    await page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await page.getByRole("heading", { name: "Прежний адрес возвращён" }).waitFor();
    expect(await login(server.url, who.email, who.password)).toBeTruthy();
    await page.getByRole("link", { name: "Задать новый пароль" }).click();
    await page.waitForURL((url) => url.pathname === "/recover-password");

    await page.goto(link);
    await page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await page.getByRole("heading", { name: "Ссылка не работает" }).waitFor();
    await page.goto("/undo-email-change");
    await page.getByText("В ссылке не хватает части.").waitFor();
  });

  test("ends the session of whoever is signed in to that account, and no other's", async () => {
    const who = await person(server);
    const { page } = await signedIn(server, who);
    await page.goto("/");
    await changeEmail(who, `drugoj-${who.email}`);
    const link = linkOf(await mail.to(who.email), "/undo-email-change");
    await page.goto(link);
    await page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await page.waitForURL((url) => url.pathname === "/recover-password");
    await page.getByText("Теперь задайте новый пароль").waitFor();
    expect(await storedToken(page)).toBeNull();

    const again = await person(server);
    await changeEmail(again, `drugoj-${again.email}`);
    const other = await signedIn(server, await person(server));
    await other.page.goto(linkOf(await mail.to(again.email), "/undo-email-change"));
    await other.page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await other.page.getByRole("heading", { name: "Прежний адрес возвращён" }).waitFor();
    expect(await storedToken(other.page)).not.toBeNull();
  });
});

describe("the other addresses that mails name", () => {
  test("an invitation and a course that was handed over are screens", async () => {
    const owner = await person(server, "Орлова Ольга Олеговна");
    const heir = await person(server, "Дятлов Денис Дмитриевич");
    const courseId = await makeCourse(server, owner, "Общее дело");
    await api(
      owner,
      "mutation ($i: InviteCollaboratorInput!) { inviteCollaborator(input: $i) { collaborator { id } } }",
      { i: { courseId, email: heir.email, role: "EDITOR" } },
    );
    const { page } = await signedIn(server, heir);
    await page.goto(linkOf(await mail.to(heir.email), "/accept-invitation"));
    await page.waitForURL((url) => url.pathname === `/edit-course/${courseId}`);
    const seen = mail.mails.length;
    await api(owner, "mutation ($i: HandOverCourseInput!) { handOverCourse(input: $i) { course { id } } }", {
      i: { courseId, email: heir.email },
    });
    await page.goto(linkOf(await mail.to(heir.email, seen), "/edit-course/"));
    await page.getByRole("heading", { level: 1, name: "Общее дело" }).waitFor();
  });
});
