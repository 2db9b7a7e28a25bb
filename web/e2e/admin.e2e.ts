import { graphql, login } from "../../scripts/client.mjs";
import { admin, type Server } from "../../scripts/server.mjs";
import { createCourse, enroll, generateShareCode, signUp } from "./api.ts";
import { test as base, expect, recordOperations, type Tab } from "./fixtures.ts";
import { field } from "./ui.ts";

interface Fixtures {
  openAdministration: (path?: string) => Promise<Tab>;
}

const test = base.extend<Fixtures>({
  openAdministration: async ({ newTab, adminToken }, use) => {
    await use(async (path = "/admin") => {
      const tab = await newTab({ token: adminToken });
      await tab.page.goto(path);
      await expect(tab.page.getByRole("heading", { level: 1, name: "Администрирование" })).toBeVisible();
      return tab;
    });
  },
});

test.use({ smtp: true });

async function findUsers(server: Server, token: string, search: string) {
  const query =
    "query ($search: String) { users(search: $search) { nodes { email fullName isActive isSuperuser } } }";
  return (await graphql(server.url, token, query, { search })).users.nodes;
}

test.describe("administration without the rights", () => {
  test("shows 404 at /admin to an ordinary user and sends no administration request", async ({
    server,
    tabFor,
  }) => {
    const account = await signUp(server);
    const { page } = await tabFor(account);
    const operations = recordOperations(page);
    await page.goto("/admin");
    await expect(page.getByRole("heading", { name: "Упс!" })).toBeVisible();
    await expect(page.getByText("Страница, которую вы ищете, не найдена.")).toBeVisible();
    expect(operations.filter((name) => name.startsWith("Admin"))).toEqual([]);
    await page.getByRole("link", { name: "Вернуться на главную" }).click();
    await page.waitForURL(`${server.url}/`);
  });
});

test.describe("users", () => {
  test("opens from the menu, searches, and keeps the page number in the address", async ({
    server,
    adminToken,
    newTab,
  }) => {
    for (let number = 1; number <= 21; number++) {
      await signUp(server, `Множество Номер ${number}`, `many-${number}@example.com`);
    }
    const { page } = await newTab({ token: adminToken });
    await page.goto("/");
    await page.getByRole("link", { name: "Администрирование" }).click();
    await page.waitForURL((url) => url.pathname === "/admin");
    const rows = page.getByRole("list", { name: "Пользователи" }).getByRole("listitem");
    await field(page, "Найти по имени или email").fill("МНОЖЕСТВО");
    await expect(page.getByText("21 пользователь", { exact: true })).toBeVisible();
    await expect(page.getByText("1 из 2", { exact: true })).toBeVisible();
    await expect(rows).toHaveCount(20);
    await page.getByRole("link", { name: "Вперёд" }).click();
    await expect(page.getByText("2 из 2", { exact: true })).toBeVisible();
    await expect(rows).toHaveCount(1);
    expect(new URL(page.url()).searchParams.get("page")).toBe("2");
    await field(page, "Найти по имени или email").fill("many-7@");
    await expect(rows).toHaveCount(1);
    await expect(rows.first().getByText("Множество Номер 7")).toBeVisible();
    await field(page, "Найти по имени или email").fill("нет таких");
    await expect(page.getByText("По запросу «нет таких» ничего не нашлось.")).toBeVisible();
    await page.goto("/admin?page=abc");
    await expect(page.getByText(/^1 из/)).toBeVisible();
    await page.goto("/admin?page=99");
    await expect.poll(() => new URL(page.url()).searchParams.get("page")).not.toBe("99");
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
  });

  test("creates an account, mails it, and shows errors at their fields", async ({
    server,
    mail,
    adminToken,
    openAdministration,
  }) => {
    const { page } = await openAdministration();
    await page.getByRole("button", { name: "Создать аккаунт" }).click();
    const dialog = page.getByRole("dialog");
    const make = () => dialog.getByRole("button", { name: "Создать аккаунт" }).click();
    await make();
    for (const message of ["Email обязателен", "Пароль обязателен", "Подтверждение пароля обязательно"]) {
      await expect(dialog.getByText(message)).toBeVisible();
    }
    await field(page, "Email").fill(admin.email);
    await field(page, "Фамилия, имя и отчество").fill("Новая Нина Николаевна");
    await field(page, "Пароль").fill("первый-пароль");
    await field(page, "Подтверждение пароля").fill("первый-пароль");
    await make();
    await expect(dialog.getByText("Пользователь с таким email уже есть")).toBeVisible();
    await expect(field(page, "Фамилия, имя и отчество")).toHaveValue("Новая Нина Николаевна");
    await field(page, "Email").fill("nina@example.com");
    await dialog.getByRole("checkbox", { name: "Администратор" }).check();
    await make();
    await expect(page.getByText("Аккаунт создан. Письмо отправлено: nina@example.com.")).toBeVisible();
    await expect(page.getByRole("listitem").filter({ hasText: "Новая Нина Николаевна" })).toBeVisible();
    expect(await findUsers(server, adminToken, "nina@")).toEqual([
      { email: "nina@example.com", fullName: "Новая Нина Николаевна", isActive: true, isSuperuser: true },
    ]);
    expect((await mail.waitFor("nina@example.com")).text).toContain("/reset-password");
    expect(await login(server.url, "nina@example.com", "первый-пароль")).toBeTruthy();
  });

  test("changes the name, rights and password of an account", async ({
    server,
    adminToken,
    openAdministration,
  }) => {
    const account = await signUp(server, "Правка Пелагея Петровна");
    const { page } = await openAdministration(`/admin?search=${account.email}`);
    await page.getByRole("button", { name: `Действия с аккаунтом: ${account.fullName}` }).click();
    await page.getByRole("menuitem", { name: "Изменить" }).click();
    await field(page, "Фамилия, имя и отчество").fill("Иная Инна Ивановна");
    await field(page, "Новый пароль").fill("1234567");
    await field(page, "Новый пароль").blur();
    await expect(page.getByText("Пароль должен содержать минимум 8 символов")).toBeVisible();
    await field(page, "Новый пароль").fill("от администратора");
    await field(page, "Подтверждение пароля").fill("от администратора");
    await page.getByRole("dialog").getByRole("button", { name: "Сохранить" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: "Иная Инна Ивановна" })).toBeVisible();
    expect(await login(server.url, account.email, "от администратора")).toBeTruthy();
    expect((await findUsers(server, adminToken, account.email))[0]).toMatchObject({
      isSuperuser: false,
      isActive: true,
    });
  });

  test("deactivates an account after confirmation and activates it again", async ({
    server,
    openAdministration,
  }) => {
    const account = await signUp(server, "Тихая Таисия Тихоновна");
    const { page } = await openAdministration(`/admin?search=${account.email}`);
    const menu = page.getByRole("button", { name: `Действия с аккаунтом: ${account.fullName}` });
    await menu.click();
    await page.getByRole("menuitem", { name: "Отключить" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Отключить" }).click();
    await expect(page.getByRole("listitem").getByText("отключён")).toBeVisible();
    await expect(login(server.url, account.email, account.password)).rejects.toThrow("Inactive user");
    await menu.click();
    await page.getByRole("menuitem", { name: "Включить" }).click();
    await expect(page.getByRole("listitem").getByText("отключён")).toHaveCount(0);
    expect(await login(server.url, account.email, account.password)).toBeTruthy();
  });

  test("deletes an account after its email is typed and says what happens to its courses", async ({
    server,
    adminToken,
    openAdministration,
  }) => {
    const account = await signUp(server, "Последняя Полина Павловна");
    const course = await createCourse(server, account, "Курс без хозяйки");
    const shareCode = await generateShareCode(server, account, course);
    await enroll(server, await signUp(server), shareCode);
    const { page } = await openAdministration(`/admin?search=${account.email}`);
    await page.getByRole("button", { name: `Действия с аккаунтом: ${account.fullName}` }).click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Курс без хозяйки: 1 ученик")).toBeVisible();
    const confirm = dialog.getByRole("button", { name: "Удалить аккаунт" });
    await expect(confirm).toBeDisabled();
    await dialog.getByLabel(/Чтобы продолжить, введите/).fill(account.email);
    await confirm.click();
    await expect(page.getByText(`Аккаунт удалён: ${account.fullName}.`)).toBeVisible();
    expect(await findUsers(server, adminToken, account.email)).toEqual([]);
    const { course: left } = await graphql(
      server.url,
      adminToken,
      "query ($id: ID!) { course(id: $id) { owner { email } } }",
      { id: course },
    );
    expect(left.owner.email).not.toBe(account.email);
  });

  test("does not let a superuser delete, deactivate or demote their own account", async ({
    server,
    adminToken,
    openAdministration,
  }) => {
    const { page } = await openAdministration(`/admin?search=${admin.email}`);
    await expect(page.getByRole("listitem").getByText("это вы")).toBeVisible();
    await page.getByRole("button", { name: `Действия с аккаунтом: ${admin.email}` }).click();
    await expect(page.getByRole("menuitem")).toHaveText(["Изменить"]);
    await page.getByRole("menuitem", { name: "Изменить" }).click();
    await expect(page.getByRole("checkbox", { name: "Администратор" })).toBeDisabled();
    await field(page, "Фамилия, имя и отчество").fill("Главная Галина Глебовна");
    await page.getByRole("dialog").getByRole("button", { name: "Сохранить" }).click();
    await expect(page.getByRole("button", { name: "Главная Галина Глебовна" }).first()).toBeVisible();
    expect((await findUsers(server, adminToken, admin.email))[0]).toMatchObject({
      isSuperuser: true,
      isActive: true,
    });
  });
});

test.describe("courses", () => {
  test("finds a course by its author, opens it, and deletes it after its title is typed", async ({
    server,
    openAdministration,
  }) => {
    const account = await signUp(server, "Авторова Алла Андреевна");
    const title = "Курс одной Аллы";
    const course = await createCourse(server, account, title);
    const shareCode = await generateShareCode(server, account, course);
    await enroll(server, await signUp(server), shareCode);
    const { page } = await openAdministration();
    await page.getByRole("navigation", { name: "Разделы администрирования" }).getByText("Курсы").click();
    await page.waitForURL((url) => url.search === "?tab=courses");
    await field(page, "Найти по названию, автору или email").fill("авторова алла");
    await expect(page.getByText("1 курс", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: title }).click();
    await page.waitForURL((url) => url.pathname === `/edit-course/${course}`);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await page.goBack();
    await page.getByRole("button", { name: `Действия с курсом «${title}»` }).click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/Чтобы продолжить, введите/).fill(title);
    await dialog.getByRole("button", { name: "Удалить курс" }).click();
    await expect(page.getByText("По запросу «авторова алла» ничего не нашлось.")).toBeVisible();
  });
});

test.describe("audit log", () => {
  test("lists actions and filters them by kind", async ({ openAdministration }) => {
    const { page } = await openAdministration("/admin?tab=audit");
    const list = page.getByRole("list", { name: "Что было сделано" });
    await expect(list.getByText("Аккаунт создан").first()).toBeVisible();
    await page.getByLabel("Вид действия").selectOption("Сервер запущен");
    await expect(page.getByText("1 запись", { exact: true })).toBeVisible();
    await expect(list.getByRole("listitem")).toContainText(["Сервер запущен"]);
    await expect(page).toHaveURL(({ search }) => search.includes("kind=SERVER_STARTED"));
  });

  test("filters actions by account and by date", async ({ openAdministration }) => {
    const { page } = await openAdministration("/admin?tab=audit");
    const list = page.getByRole("list", { name: "Что было сделано" });
    const someone = list.getByRole("link", { name: /^Кого касается: / }).first();
    const name = (await someone.textContent())?.replace("Кого касается: ", "") ?? "";
    await someone.click();
    const only = page.getByText(`Только действия с участием: ${name}`);
    await expect(only).toBeVisible();
    const others = list.getByRole("listitem").filter({ hasNotText: name });
    await expect(others).toHaveCount(0);
    await expect(list.getByRole("listitem").first()).toBeVisible();
    await page.getByRole("button", { name: "Показать все" }).click();
    await expect(only).toHaveCount(0);
    await expect(others.first()).toBeVisible();

    await page.getByLabel("По", { exact: true }).fill("2020-01-01");
    await expect(page.getByText("Таких записей в журнале нет.")).toBeVisible();
    await page.getByLabel("По", { exact: true }).fill("");
    await expect(others.first()).toBeVisible();
    const today = new Date().toLocaleDateString("sv");
    await page.getByLabel("С", { exact: true }).fill("2999-01-01");
    await expect(page.getByText("Таких записей в журнале нет.")).toBeVisible();
    await page.getByLabel("С", { exact: true }).fill(today);
    await expect(others.first()).toBeVisible();
    await expect(page).toHaveURL(({ search }) => search.includes(`from=${today}`));
  });
});

test.describe("system", () => {
  test("shows the state of the server and sends a test mail", async ({ mail, openAdministration }) => {
    const { page } = await openAdministration("/admin?tab=system");
    await expect(page.getByText("Отвечает")).toBeVisible();
    await expect(page.getByText("Запросы SQL", { exact: true })).toBeVisible();
    await field(page, "Кому").fill("proba@");
    await page.getByRole("button", { name: "Отправить пробное письмо" }).click();
    await expect(page.getByText("Неверный формат email")).toBeVisible();
    await field(page, "Кому").fill("proba@example.com");
    await page.getByRole("button", { name: "Отправить пробное письмо" }).click();
    await expect(page.getByText("Письмо отправляется: proba@example.com.")).toBeVisible();
    expect((await mail.waitFor("proba@example.com")).to).toBe("proba@example.com");
  });
});
