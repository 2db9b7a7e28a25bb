import { readFile } from "node:fs/promises";
import { graphql, login } from "../../scripts/client.mjs";
import { linkIn } from "../../scripts/mail-server.mjs";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessible } from "./accessibility.ts";
import { type Account, createCourse, enroll, generateShareCode, signUp } from "./api.ts";
import { test as base, expect, type Tab } from "./fixtures.ts";
import { answerQuestion, askQuestion, createQuestioned } from "./page-questions.ts";
import { field, openUserMenu, signIn, storedTheme, storedToken, toast } from "./ui.ts";

interface Fixtures {
  openSettings: (account: Account) => Promise<Tab>;
}

const test = base.extend<Fixtures>({
  openSettings: async ({ tabFor }, use) => {
    await use(async (account) => {
      const tab = await tabFor(account);
      await tab.page.goto("/settings");
      await expect(tab.page.getByRole("heading", { level: 1, name: "Настройки" })).toBeVisible();
      await expect(tab.page.getByRole("heading", { name: "Профиль" })).toBeVisible();
      return tab;
    });
  },
});

test.use({ smtp: true });

const me = async (server: Server, account: Account) =>
  (await graphql(server.url, account.token, "{ me { email fullName } }", {})).me as Record<string, unknown>;

test("what one has written to others is saved as a file", async ({ server, openSettings }) => {
  const world = await createQuestioned(server);
  const learner = await openSettings(world.learner);
  await learner.page.getByRole("button", { name: "Скачать тексты" }).click();
  await expect(learner.page.getByText("Вы ещё ничего не написали.")).toBeVisible();
  const asked = await askQuestion(world, world.learner, "Зачем нужно затенение?");
  await answerQuestion(world, world.owner, asked, "Чтобы сменить тип.");
  const download = learner.page.waitForEvent("download");
  await learner.page.getByRole("button", { name: "Скачать тексты" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("kurso-texts.json");
  const texts = JSON.parse(await readFile(await file.path(), "utf8"));
  expect(texts).toMatchObject([{ kind: "QUESTION", page: "Страница" }]);
  expect(JSON.stringify(texts)).toContain("Зачем нужно затенение?");
});

test.describe("access", () => {
  test("opens the settings from the user menu and the command palette", async ({ server, tabFor }) => {
    const account = await signUp(server);
    const { page } = await tabFor(account);
    await page.goto("/");
    await openUserMenu(page, account.fullName);
    await page.getByRole("menuitem", { name: "Настройки" }).click();
    await page.waitForURL((url) => url.pathname === "/settings");
    await expect(page.getByRole("heading", { level: 1, name: "Настройки" })).toBeVisible();
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeVisible();
    await page.keyboard.type("настройки");
    await expect(page.getByRole("option", { name: "Настройки", exact: true })).toBeVisible();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/settings");
  });
});

test.describe("name", () => {
  test("changes everywhere at once, with the keyboard, and may be empty", async ({
    server,
    openSettings,
  }) => {
    const account = await signUp(server, "Старое Имя");
    const { page } = await openSettings(account);
    const name = field(page, "Фамилия, имя и отчество");
    await name.fill("я".repeat(256));
    await name.press("Enter");
    await expect(page.getByText("Имя не длиннее 255 знаков")).toBeVisible();
    await name.fill("Новикова Нина Николаевна");
    await name.press("Enter");
    await expect(page.getByText("Имя сохранено.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Новикова Нина Николаевна" })).toBeVisible();
    await expect
      .poll(async () => (await me(server, account)).fullName, "the name")
      .toEqual("Новикова Нина Николаевна");
    await name.fill("");
    await name.press("Enter");
    await expect(page.getByRole("button", { name: account.email })).toBeVisible();
    await expect.poll(async () => (await me(server, account)).fullName, "no name").toEqual(null);
  });

  test("stays in the field when the server is unreachable", async ({ server, openSettings }) => {
    const { page } = await openSettings(await signUp(server));
    await field(page, "Фамилия, имя и отчество").fill("Несохранённое Имя");
    await page.route("**/graphql", (route) => route.abort());
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(toast(page, "Что-то пошло не так!")).toBeVisible();
    await expect(field(page, "Фамилия, имя и отчество")).toHaveValue("Несохранённое Имя");
  });
});

test.describe("email", () => {
  test("changes, shows an error when it is taken, and is restored by the mail to the old address", async ({
    server,
    mail,
    openSettings,
  }) => {
    const taken = await signUp(server);
    const account = await signUp(server);
    const { page } = await openSettings(account);
    const email = field(page, "Email");
    await email.fill("anna@");
    await email.blur();
    await expect(page.getByText("Неверный формат email")).toBeVisible();
    await email.fill(taken.email);
    await page.getByRole("button", { name: "Изменить email" }).click();
    await expect(page.getByRole("main").getByText("Этот email занят другим пользователем")).toBeVisible();
    await expect(email).toHaveValue(taken.email);
    await email.fill(`nova-${account.email}`);
    await page.getByRole("button", { name: "Изменить email" }).click();
    await expect(page.getByText(`Теперь вы входите с адресом nova-${account.email}.`)).toBeVisible();
    await expect
      .poll(async () => (await me(server, account)).email, "the address")
      .toEqual(`nova-${account.email}`);
    const undoMail = await mail.waitFor(account.email);
    expect(undoMail.text).toContain(`nova-${account.email}`);
    await page.goto(linkIn(undoMail, "/undo-email-change"));
    await page.getByRole("button", { name: "Вернуть прежний адрес" }).click();
    await page.waitForURL((url) => url.pathname === "/recover-password");
    expect(await login(server.url, account.email, account.password)).toBeTruthy();
  });
});

test.describe("password", () => {
  test("is validated on blur", async ({ server, openSettings }) => {
    const { page } = await openSettings(await signUp(server));
    const problems: [label: string, typed: string, message: string][] = [
      ["Текущий пароль", "", "Пароль обязателен"],
      ["Новый пароль", "1234567", "Пароль должен содержать минимум 8 символов"],
      ["Подтверждение пароля", "12345679", "Пароли не совпадают"],
    ];
    for (const [label, typed, message] of problems) {
      await field(page, label).fill(typed);
      await field(page, label).focus();
      await field(page, label).blur();
      await expect(page.getByText(message, { exact: true })).toBeVisible();
    }
    await field(page, "Текущий пароль").fill("12345678");
    await field(page, "Новый пароль").fill("12345678");
    await field(page, "Новый пароль").blur();
    await expect(page.getByText("Новый пароль не должен совпадать с текущим")).toBeVisible();
  });

  test("changes after the current password is typed, and every other session ends", async ({
    server,
    openSettings,
  }) => {
    const account = await signUp(server);
    const { page } = await openSettings(account);
    const fill = async (current: string) => {
      await field(page, "Текущий пароль").fill(current);
      await field(page, "Новый пароль").fill("свежий-пароль-2026");
      await field(page, "Подтверждение пароля").fill("свежий-пароль-2026");
      await page.getByRole("button", { name: "Сменить пароль" }).click();
    };
    await fill("не тот пароль");
    await expect(page.getByRole("main").getByText("Неверный пароль")).toBeVisible();
    await expect(field(page, "Новый пароль")).toHaveValue("свежий-пароль-2026");
    await fill(account.password);
    await expect(page.getByText("Пароль изменён, остальные сеансы завершены.")).toBeVisible();
    await expect(field(page, "Новый пароль")).toHaveValue("");
    await expect(me(server, account)).rejects.toThrow("UNAUTHENTICATED");
    await page.reload();
    await expect(page.getByRole("heading", { level: 1, name: "Настройки" })).toBeVisible();
  });
});

test.describe("sessions", () => {
  test("are listed and ended one by one or all except the current one", async ({ server, newTab }) => {
    const account = await signUp(server);
    const tokens = [account.token];
    for (let more = 0; more < 3; more++)
      tokens.push(await login(server.url, account.email, account.password));
    const { page } = await newTab();
    await page.goto("/login");
    await signIn(page, account.email, account.password);
    await page.waitForURL(`${server.url}/`);
    await page.goto("/settings");
    const rows = page.getByRole("list", { name: "Сеансы" }).getByRole("listitem");
    await expect(rows).toHaveCount(5);
    await expect(rows.first().getByText("Chrome, Linux")).toBeVisible();
    await expect(rows.first().getByText("этот браузер")).toBeVisible();
    await rows.nth(1).getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Отмена" }).click();
    await expect(rows).toHaveCount(5);
    await rows.nth(1).getByRole("button").click();
    await dialog.getByRole("button", { name: "Завершить сеанс" }).click();
    await expect(page.getByText("Сеанс завершён.")).toBeVisible();
    await expect(rows).toHaveCount(4);
    await page.getByRole("button", { name: "Завершить остальные сеансы" }).click();
    await dialog.getByRole("button", { name: "Завершить остальные сеансы" }).click();
    await expect(page.getByText("Завершено 3 сеанса.")).toBeVisible();
    await expect(rows).toHaveCount(1);
    for (const token of tokens) {
      await expect(graphql(server.url, token, "{ me { id } }", {})).rejects.toThrow("UNAUTHENTICATED");
    }
  });
});

test.describe("theme and language", () => {
  test("are chosen and kept after a reload", async ({ server, openSettings }) => {
    const { page } = await openSettings(await signUp(server));
    await page.getByRole("radio", { name: "Тёмная" }).check();
    expect(await storedTheme(page)).toBe("dark");
    // `check` would fail because a language's radio button changes only after the translations are loaded.
    await page.getByRole("radio", { name: "English" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
    await page.getByRole("radio", { name: "Русский" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Настройки" })).toBeVisible();
  });
});

test.describe("account deletion", () => {
  test("says what happens to each course, transfers one, and requires the email to confirm", async ({
    server,
    mail,
    adminToken,
    openSettings,
  }) => {
    const owner = await signUp(server, "Уходящая Ульяна Юрьевна");
    const [editor, newOwner, student] = [
      await signUp(server, "Редактор Роман Ромович"),
      await signUp(server, "Наследник Назар Ильич"),
      await signUp(server),
    ];
    const courses = {
      given: await createCourse(server, owner, "Отданный курс"),
      learnt: await createCourse(server, owner, "Курс с учениками"),
      edited: await createCourse(server, owner, "Курс с редактором"),
      empty: await createCourse(server, owner, "Ничей курс"),
    };
    for (const courseId of [courses.learnt, courses.edited]) {
      const shareCode = await generateShareCode(server, owner, courseId);
      await enroll(server, student, shareCode);
    }
    await graphql(
      server.url,
      owner.token,
      "mutation ($i: InviteCollaboratorInput!) { inviteCollaborator(input: $i) { collaborator { id } } }",
      { i: { courseId: courses.edited, email: editor.email, role: "EDITOR" } },
    );
    const token = new URLSearchParams(
      linkIn(await mail.waitFor(editor.email), "/accept-invitation").split("?")[1],
    ).get("token");
    await graphql(
      server.url,
      editor.token,
      "mutation ($i: AcceptInvitationInput!) { acceptInvitation(input: $i) { error } }",
      { i: { token } },
    );

    const { page } = await openSettings(owner);
    await page.getByRole("button", { name: "Удалить аккаунт…" }).click();
    const dialog = page.getByRole("dialog");
    const courseItem = (title: string) => dialog.getByRole("listitem").filter({ hasText: title });
    await expect(
      courseItem("Курс с учениками").getByText("1 ученик. Курс перейдёт к администратору"),
    ).toBeVisible();
    await expect(courseItem("Курс с редактором").getByText("Редактор Роман Ромович")).toBeVisible();
    await expect(courseItem("Ничей курс").getByText("Никто не учится: курс исчезнет.")).toBeVisible();
    await expectAccessible(page, "deleting the account");

    await page.getByRole("button", { name: "Передать курс «Отданный курс»" }).click();
    const to = field(page, "Email нового владельца курса «Отданный курс»");
    await to.fill("nikto@example.com");
    await to.press("Enter");
    await expect(courseItem("Отданный курс").locator("[class*=error]").first()).toBeVisible();
    await to.fill(newOwner.email);
    await to.press("Enter");
    await expect(courseItem("Отданный курс")).toHaveCount(0);

    const confirm = dialog.getByRole("button", { name: "Удалить аккаунт" });
    await expect(confirm).toBeDisabled();
    await dialog.getByLabel(/Чтобы продолжить, введите/).fill(owner.email);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/login");
    expect(await storedToken(page)).toBeNull();
    await expect(login(server.url, owner.email, owner.password)).rejects.toThrow("400");
    const role = async (account: { token: string }, id: string) =>
      (await graphql(server.url, account.token, "query ($id: ID!) { course(id: $id) { myRole } }", { id }))
        .course.myRole;
    const root = { token: adminToken };
    expect(await role(newOwner, courses.given)).toBe("OWNER");
    expect(await role(editor, courses.edited)).toBe("OWNER");
    expect(await role(root, courses.learnt)).toBe("OWNER");
    await expect(role(root, courses.empty)).rejects.toThrow("NOT_FOUND");
  });

  test("is not available to a superuser, with the reason shown", async ({ adminToken, newTab }) => {
    const { page } = await newTab({ token: adminToken });
    await page.goto("/settings");
    await expect(page.getByText("Администратор не может удалить себя сам.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Удалить аккаунт…" })).toHaveCount(0);
  });
});

test.describe("server down", () => {
  test("the screen shows the failure and loads after a retry", async ({ server, tabFor }) => {
    const account = await signUp(server);
    const { page } = await tabFor(account);
    await page.route("**/graphql", (route) => route.abort());
    await page.goto("/settings");
    await expect(page.getByText("Сервер не отвечает").first()).toBeVisible();
    await page.unroute("**/graphql");
    // The app may already have detected that the server is back, and loaded the screen.
    const retry = page.getByRole("main").getByRole("button", { name: "Повторить" });
    await retry.click({ timeout: 5000 }).catch(() => undefined);
    await expect(page.getByRole("heading", { name: "Профиль" })).toBeVisible();
  });
});
