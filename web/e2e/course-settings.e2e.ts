import { graphql } from "../../scripts/client.mjs";
import { type Account, createCourse, enroll, generateShareCode, invitationLink, signUp } from "./api.ts";
import { test as base, expect, type Tab } from "./fixtures.ts";
import { field, signIn, toast } from "./ui.ts";

interface OpenedSettings extends Tab {
  courseId: string;
  /** Opens the settings again. */
  reopen: () => Promise<unknown>;
  /** Fields of the course as the server has them. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the fields
  stored: (fields: string) => Promise<any>;
}

interface Fixtures {
  author: Account;
  /** Creates a course and opens its settings. */
  openSettings: (title: string) => Promise<OpenedSettings>;
}

const test = base.extend<Fixtures>({
  author: async ({ server }, use) => {
    await use(await signUp(server));
  },

  openSettings: async ({ server, author, tabFor }, use) => {
    await use(async (title) => {
      const courseId = await createCourse(server, author, title, { Модуль: { Урок: ["Страница"] } });
      const tab = await tabFor(author);
      const reopen = () => tab.page.goto(`/edit-course/${courseId}?tab=settings`);
      await reopen();
      await expect(tab.page.getByRole("heading", { name: "Команда" })).toBeVisible();
      const stored = async (fields: string) => {
        const query = `query ($id: ID!) { course(id: $id) { ${fields} } }`;
        return (await graphql(server.url, author.token, query, { id: courseId })).course;
      };
      return { ...tab, courseId, reopen, stored };
    });
  },
});

test.describe("title and description", () => {
  test("saves them, and keeps the form values when a title is empty or too long", async ({
    openSettings,
  }) => {
    const { page, stored } = await openSettings("Черновое имя");
    await field(page, "Название").fill("");
    await field(page, "Описание").fill("Для тех, кто начинает.");
    await field(page, "Название").focus();
    await field(page, "Название").blur();
    await expect(page.getByText("Введите название")).toBeVisible();
    await field(page, "Название").fill("я".repeat(256));
    await page.getByRole("button", { name: "Сохранить", exact: true }).click();
    await expect(page.getByText("Название не длиннее 255 знаков")).toBeVisible();
    await expect(field(page, "Описание")).toHaveValue("Для тех, кто начинает.");
    await field(page, "Название").fill("Настоящее имя");
    await page.getByRole("button", { name: "Сохранить", exact: true }).click();
    await expect(toast(page, "").or(page.getByText("Название и описание сохранены.")).first()).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Настоящее имя" })).toBeVisible();
    await expect
      .poll(() => stored("title description"))
      .toEqual({
        title: "Настоящее имя",
        description: "Для тех, кто начинает.",
      });
  });
});

test.describe("share code", () => {
  test("creates a code, copies it as a link, shows its QR code, and replaces it after a warning", async ({
    server,
    newTab,
    openSettings,
  }) => {
    const { page, context, stored, courseId } = await openSettings("Курс с кодом");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Создать код" }).click();
    await expect(page.getByText("Код создан.")).toBeVisible();
    const { shareCode } = await stored("shareCode");
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole("button", { name: "Копировать: Код курса" }).click();
    await expect.poll(copied, "the code").toEqual(shareCode);
    await page.getByRole("button", { name: "Копировать: Ссылка для записи" }).click();
    await expect.poll(copied, "the link").toEqual(`${server.url}/?code=${shareCode}`);
    await expect(page.getByRole("img", { name: /QR-код/ })).toBeVisible();

    await page.getByRole("button", { name: "Создать новый код" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText(shareCode)).toBeVisible();
    await dialog.getByRole("button", { name: "Отмена" }).click();
    await expect.poll(async () => (await stored("shareCode")).shareCode).toBe(shareCode);
    await page.getByRole("button", { name: "Создать новый код" }).click();
    await dialog.getByRole("button", { name: "Создать новый код" }).click();
    await expect(page.getByText("Новый код создан, прежний больше не действует.")).toBeVisible();
    const now = (await stored("shareCode")).shareCode;
    expect(now).not.toBe(shareCode);
    await expect(page.getByText(now, { exact: true })).toBeVisible();

    // The link keeps the code while a visitor signs up and signs in.
    const { page: other } = await newTab();
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
    await other.getByRole("button", { name: "Записаться" }).click();
    await other.waitForURL((url) => url.pathname === `/view-course/${courseId}`);
  });
});

test.describe("team", () => {
  test("invites a member by mail, changes their role, and lets them leave", async ({
    server,
    newTab,
    openSettings,
  }) => {
    const { page, courseId, stored, reopen } = await openSettings("Общий курс");
    const colleague = { email: "kollega@example.com", password: "очень-тайный-пароль" };
    await page.getByRole("button", { name: "Пригласить" }).click();
    await expect(page.getByText("Введите email")).toBeVisible();
    await field(page, "Email").fill("kollega@");
    await page.getByRole("button", { name: "Пригласить" }).click();
    await expect(page.getByText("Неверный формат email")).toBeVisible();
    await field(page, "Email").fill(colleague.email);
    await field(page, "Роль").selectOption("TEACHER");
    await page.getByRole("button", { name: "Пригласить" }).click();
    await expect(
      page.getByText(`Приглашение готово: ${colleague.email}. Отправьте ссылку сами.`),
    ).toBeVisible();
    await expect(page.getByText(/приглашение действует до/)).toBeVisible();

    // A visitor opens the link, signs in, and gets to the course.
    const invited = await signUp(server, "Коллега Кира Кирилловна", colleague.email);
    const link = await invitationLink(server, colleague.email);
    const { page: other } = await newTab();
    await other.goto(new URL(link).pathname + new URL(link).search);
    await other.waitForURL((url) => url.pathname === "/login");
    await signIn(other, invited.email, invited.password);
    await other.waitForURL((url) => url.pathname === `/edit-course/${courseId}`);
    await expect(other.getByText("менять его могут только владелец и редакторы")).toBeVisible();
    await expect(other.getByRole("button", { name: "Добавить модуль" })).toHaveCount(0);

    await reopen();
    await expect(page.getByText("Коллега Кира Кирилловна")).toBeVisible();
    await field(page, "Роль: Коллега Кира Кирилловна").selectOption("EDITOR");
    await expect(page.getByText(`Роль изменена: ${colleague.email}.`)).toBeVisible();
    await expect
      .poll(async () => (await stored("collaborators { role state }")).collaborators)
      .toEqual([{ role: "EDITOR", state: "ACCEPTED" }]);
    await other.reload();
    await expect(other.getByRole("button", { name: "Добавить модуль" })).toBeVisible();
    // An editor sees the team and can leave it.
    await other.goto(`/edit-course/${courseId}?tab=settings`);
    await other.getByRole("button", { name: "Покинуть команду" }).click();
    await other.getByRole("dialog").getByRole("button", { name: "Покинуть команду" }).click();
    await other.waitForURL(`${server.url}/`);
    await expect.poll(async () => (await stored("collaborators { role }")).collaborators).toEqual([]);
  });

  test("withdraws an invitation after confirmation", async ({ openSettings }) => {
    const { page, stored } = await openSettings("Курс без команды");
    await field(page, "Email").fill("nikto@example.com");
    await page.getByRole("button", { name: "Пригласить" }).click();
    await page.getByRole("button", { name: "Отозвать приглашение: nikto@example.com" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Отозвать", exact: true }).click();
    await expect(page.getByText(/приглашение действует до/)).toHaveCount(0);
    await expect.poll(async () => (await stored("collaborators { role }")).collaborators).toEqual([]);
  });

  test("shows an error for an invalid invitation link", async ({ tabFor, author }) => {
    const { page } = await tabFor(author);
    await page.goto("/accept-invitation?token=not.a.token");
    await expect(page.getByRole("heading", { name: "Приглашение не подошло" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Вернуться на главную" })).toBeVisible();
  });
});

test.describe("transfer and deletion", () => {
  test("transfers the course after its title is typed", async ({ server, openSettings }) => {
    const newOwner = await signUp(server, "Наследник Ник Никитич");
    const { page, stored } = await openSettings("Курс в хорошие руки");
    await field(page, "Email нового владельца").fill("nobody-at-all@example.com");
    await page.getByRole("button", { name: "Передать курс…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill("Курс в хорошие руки");
    await dialog.getByRole("button", { name: "Передать курс" }).click();
    await expect(dialog.getByRole("alert")).toBeVisible();
    await dialog.getByRole("button", { name: "Отмена" }).click();
    await field(page, "Email нового владельца").fill(newOwner.email);
    await page.getByRole("button", { name: "Передать курс…" }).click();
    await dialog.getByRole("textbox").fill("Курс в хорошие руки");
    await dialog.getByRole("button", { name: "Передать курс" }).click();
    await expect(page.getByText(`Новый владелец курса: ${newOwner.email}.`)).toBeVisible();
    await expect(page.getByRole("button", { name: "Покинуть команду" })).toBeVisible();
    await expect
      .poll(() => stored("myRole owner { fullName }"))
      .toEqual({
        myRole: "EDITOR",
        owner: { fullName: newOwner.fullName },
      });
  });

  test("deletes a course with students after its title is typed, and one without students at once with undo", async ({
    server,
    author,
    openSettings,
  }) => {
    const { page, courseId, stored } = await openSettings("Ненужный курс");
    await page.getByRole("button", { name: "Удалить курс…" }).click();
    await page.waitForURL(`${server.url}/`);
    await page.getByRole("button", { name: "Отменить" }).click();
    await expect(page.getByRole("link", { name: "Ненужный курс" })).toBeVisible();
    await enroll(server, await signUp(server), await generateShareCode(server, author, courseId));
    await page.goto(`/edit-course/${courseId}?tab=settings`);
    await page.getByRole("button", { name: "Удалить курс…" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText(/На\sкурсе 1\sученик/)).toBeVisible();
    const button = dialog.getByRole("button", { name: "Удалить курс" });
    await expect(button).toBeDisabled();
    await dialog.getByRole("textbox").fill("Ненужный курс");
    await button.click();
    await page.waitForURL(`${server.url}/`);
    await expect(stored("id")).rejects.toThrow("NOT_FOUND");
  });
});
