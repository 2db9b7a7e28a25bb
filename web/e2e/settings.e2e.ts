import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql, login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { eventually, field, openUserMenu, signIn, storedTheme, storedToken, toast } from "./app.ts";
import { makeCourse } from "./authoring.ts";
import { expectAccessible, newTab, signedIn, withBrowser } from "./browser.ts";
import { linkOf, MailServer } from "./mail.ts";
import { enroll, type Person, person } from "./people.ts";

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

async function settings(who: Person) {
  const tab = await signedIn(server, who);
  await tab.page.goto("/settings");
  await tab.page.getByRole("heading", { level: 1, name: "Настройки" }).waitFor();
  await tab.page.getByRole("heading", { name: "Профиль" }).waitFor();
  return tab;
}

const me = async (who: Person) =>
  (await graphql(server.url, who.token, "{ me { email fullName } }", {})).me as Record<string, unknown>;

describe("the way to the settings", () => {
  test("is the user menu and the palette", async () => {
    const who = await person(server);
    const { page } = await signedIn(server, who);
    await page.goto("/");
    await openUserMenu(page, who.fullName);
    await page.getByRole("menuitem", { name: "Настройки" }).click();
    await page.waitForURL((url) => url.pathname === "/settings");
    await page.getByRole("heading", { level: 1, name: "Настройки" }).waitFor();
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("настройки");
    await page.getByRole("option", { name: "Настройки" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/settings");
  });
});

describe("the name", () => {
  test("is changed everywhere at once, by the keyboard, and may be left out", async () => {
    const who = await person(server, "Старое Имя");
    const { page } = await settings(who);
    const name = field(page, "Фамилия, имя и отчество");
    await name.fill("я".repeat(256));
    await name.press("Enter");
    await page.getByText("Имя не длиннее 255 знаков").waitFor();
    await name.fill("Новикова Нина Николаевна");
    await name.press("Enter");
    await page.getByText("Имя сохранено.").waitFor();
    await page.getByRole("button", { name: "Новикова Нина Николаевна" }).waitFor();
    await eventually(async () => (await me(who)).fullName, "Новикова Нина Николаевна", "the name");
    await name.fill("");
    await name.press("Enter");
    await page.getByRole("button", { name: who.email }).waitFor();
    await eventually(async () => (await me(who)).fullName, null, "no name");
  });

  test("stays in the field when the server cannot be reached", async () => {
    const { page } = await settings(await person(server));
    await field(page, "Фамилия, имя и отчество").fill("Несохранённое Имя");
    await page.route("**/graphql", (route) => route.abort());
    await page.getByRole("button", { name: "Сохранить" }).click();
    await toast(page, "Что-то пошло не так!").waitFor();
    expect(await field(page, "Фамилия, имя и отчество").inputValue()).toBe("Несохранённое Имя");
  });
});

describe("the address", () => {
  test("is changed, another's is refused at its field, and the mail to the old one undoes it", async () => {
    const taken = await person(server);
    const who = await person(server);
    const { page } = await settings(who);
    const email = field(page, "Email");
    await email.fill("anna@");
    await email.blur();
    await page.getByText("Неверный формат email").waitFor();
    await email.fill(taken.email);
    await page.getByRole("button", { name: "Изменить email" }).click();
    await page.getByRole("main").getByText("Этот email занят другим пользователем").waitFor();
    expect(await email.inputValue()).toBe(taken.email);
    await email.fill(`nova-${who.email}`);
    await page.getByRole("button", { name: "Изменить email" }).click();
    await page.getByText(`Теперь вы входите с адресом nova-${who.email}.`).waitFor();
    await eventually(async () => (await me(who)).email, `nova-${who.email}`, "the address");
    const letter = await mail.to(who.email);
    expect(letter.text).toContain(`nova-${who.email}`);
    await page.goto(linkOf(letter, "/undo-email-change"));
    await page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await page.waitForURL((url) => url.pathname === "/recover-password");
    expect(await login(server.url, who.email, who.password)).toBeTruthy();
  });
});

describe("the password", () => {
  test("is judged on blur by the rules of the specification", async () => {
    const { page } = await settings(await person(server));
    const problems: [label: string, typed: string, message: string][] = [
      ["Текущий пароль", "", "Пароль обязателен"],
      ["Новый пароль", "1234567", "Пароль должен содержать минимум 8 символов"],
      ["Подтверждение пароля", "12345679", "Пароли не совпадают"],
    ];
    for (const [label, typed, message] of problems) {
      await field(page, label).fill(typed);
      await field(page, label).focus();
      await field(page, label).blur();
      await page.getByText(message, { exact: true }).waitFor();
    }
    await field(page, "Текущий пароль").fill("12345678");
    await field(page, "Новый пароль").fill("12345678");
    await field(page, "Новый пароль").blur();
    await page.getByText("Новый пароль не должен совпадать с текущим").waitFor();
  });

  test("is changed by the old one, and every other session ends", async () => {
    const who = await person(server);
    const { page } = await settings(who);
    const fill = async (current: string) => {
      await field(page, "Текущий пароль").fill(current);
      await field(page, "Новый пароль").fill("свежий-пароль-2026");
      await field(page, "Подтверждение пароля").fill("свежий-пароль-2026");
      await page.getByRole("button", { name: "Сменить пароль" }).click();
    };
    await fill("не тот пароль");
    await page.getByRole("main").getByText("Неверный пароль").waitFor();
    expect(await field(page, "Новый пароль").inputValue()).toBe("свежий-пароль-2026");
    await fill(who.password);
    await page.getByText("Пароль изменён, остальные сеансы завершены.").waitFor();
    expect(await field(page, "Новый пароль").inputValue()).toBe("");
    await expect(me(who)).rejects.toThrow("UNAUTHENTICATED");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Настройки" }).waitFor();
  });
});

describe("sessions", () => {
  test("are listed; one is ended, then all others, and the one in use stays", async () => {
    const who = await person(server);
    const tokens = [who.token];
    for (let more = 0; more < 3; more++) tokens.push(await login(server.url, who.email, who.password));
    const { page } = await newTab(server);
    await page.goto("/login");
    await signIn(page, who.email, who.password);
    await page.waitForURL(`${server.url}/`);
    await page.goto("/settings");
    const rows = page.getByRole("list", { name: "Сеансы" }).getByRole("listitem");
    await expect.poll(() => rows.count()).toBe(5);
    await rows.first().getByText("Chrome, Linux").waitFor();
    await rows.first().getByText("этот браузер").waitFor();
    await rows.nth(1).getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Отмена" }).click();
    expect(await rows.count()).toBe(5);
    await rows.nth(1).getByRole("button").click();
    await dialog.getByRole("button", { name: "Завершить сеанс" }).click();
    await page.getByText("Сеанс завершён.").waitFor();
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByRole("button", { name: "Завершить остальные сеансы" }).click();
    await dialog.getByRole("button", { name: "Завершить остальные сеансы" }).click();
    await page.getByText("Завершено 3 сеанса.").waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    for (const token of tokens) {
      await expect(graphql(server.url, token, "{ me { id } }", {})).rejects.toThrow("UNAUTHENTICATED");
    }
  });
});

describe("the looks", () => {
  test("are chosen and kept", async () => {
    const { page } = await settings(await person(server));
    await page.getByRole("radio", { name: "Тёмная" }).check();
    expect(await storedTheme(page)).toBe("dark");
    // The words of another language come first; a click, because `check` does not wait for them.
    await page.getByRole("radio", { name: "English" }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(await page.getByRole("radio", { name: "Dark" }).isChecked()).toBe(true);
    await page.getByRole("radio", { name: "Русский" }).check();
    await page.getByRole("heading", { level: 1, name: "Настройки" }).waitFor();
  });
});

describe("deleting the account", () => {
  test("says what becomes of each course, hands one over, and takes the address as the answer", async () => {
    const owner = await person(server, "Уходящая Ульяна Юрьевна");
    const [editor, heir, student] = [
      await person(server, "Редактор Роман Ромович"),
      await person(server, "Наследник Назар Ильич"),
      await person(server),
    ];
    const courses = {
      given: await makeCourse(server, owner, "Отданный курс"),
      learnt: await makeCourse(server, owner, "Курс с учениками"),
      edited: await makeCourse(server, owner, "Курс с редактором"),
      empty: await makeCourse(server, owner, "Ничей курс"),
    };
    for (const courseId of [courses.learnt, courses.edited]) {
      const { generateShareCode } = await graphql(
        server.url,
        owner.token,
        "mutation ($i: GenerateShareCodeInput!) { generateShareCode(input: $i) { course { shareCode } } }",
        { i: { courseId } },
      );
      await enroll(server, student, generateShareCode.course.shareCode);
    }
    await graphql(
      server.url,
      owner.token,
      "mutation ($i: InviteCollaboratorInput!) { inviteCollaborator(input: $i) { collaborator { id } } }",
      { i: { courseId: courses.edited, email: editor.email, role: "EDITOR" } },
    );
    const token = new URLSearchParams(
      linkOf(await mail.to(editor.email), "/accept-invitation").split("?")[1],
    ).get("token");
    await graphql(
      server.url,
      editor.token,
      "mutation ($i: AcceptInvitationInput!) { acceptInvitation(input: $i) { error } }",
      { i: { token } },
    );

    const { page } = await settings(owner);
    await page.getByRole("button", { name: "Удалить аккаунт…" }).click();
    const dialog = page.getByRole("dialog");
    const fate = (title: string) => dialog.getByRole("listitem").filter({ hasText: title });
    await fate("Курс с учениками").getByText("1 ученик. Курс перейдёт к администратору").waitFor();
    await fate("Курс с редактором").getByText("Редактор Роман Ромович").waitFor();
    await fate("Ничей курс").getByText("Никто не учится: курс исчезнет.").waitFor();
    await expectAccessible(page, "deleting the account");

    await page.getByRole("button", { name: "Передать курс «Отданный курс»" }).click();
    const to = field(page, "Email нового владельца курса «Отданный курс»");
    await to.fill("nikto@example.com");
    await to.press("Enter");
    await fate("Отданный курс").locator("[class*=error]").first().waitFor();
    await to.fill(heir.email);
    await to.press("Enter");
    await fate("Отданный курс").waitFor({ state: "detached" });

    const confirm = dialog.getByRole("button", { name: "Удалить аккаунт" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(/Чтобы продолжить, введите/).fill(owner.email);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/login");
    expect(await storedToken(page)).toBeNull();
    await expect(login(server.url, owner.email, owner.password)).rejects.toThrow("400");
    const role = async (who: { token: string }, id: string) =>
      (await graphql(server.url, who.token, "query ($id: ID!) { course(id: $id) { myRole } }", { id })).course
        .myRole;
    const root = { token: await login(server.url, admin.email, admin.password) };
    expect(await role(heir, courses.given)).toBe("OWNER");
    expect(await role(editor, courses.edited)).toBe("OWNER");
    expect(await role(root, courses.learnt)).toBe("OWNER");
    await expect(role(root, courses.empty)).rejects.toThrow("NOT_FOUND");
  });

  test("is not offered to a superuser, who is told why", async () => {
    const { page } = await newTab(server, { token: await login(server.url, admin.email, admin.password) });
    await page.goto("/settings");
    await page.getByText("Администратор не может удалить себя сам.").waitFor();
    expect(await page.getByRole("button", { name: "Удалить аккаунт…" }).count()).toBe(0);
  });
});

describe("without the server", () => {
  test("the screen says so and comes back", async () => {
    const who = await person(server);
    const { page } = await signedIn(server, who);
    await page.route("**/graphql", (route) => route.abort());
    await page.goto("/settings");
    await page.getByText("Сервер не отвечает").first().waitFor();
    await page.unroute("**/graphql");
    await page.getByRole("main").getByRole("button", { name: "Повторить" }).click();
    await page.getByRole("heading", { name: "Профиль" }).waitFor();
  });
});
