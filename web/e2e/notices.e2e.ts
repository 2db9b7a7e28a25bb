import type { Page } from "@playwright/test";
import {
  expectAccessibleEverywhere,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { signUp } from "./api.ts";
import { recordShifts } from "./changes.ts";
import { answer, createDiscussion } from "./discussion.ts";
import { expect, test } from "./fixtures.ts";
import { tabTo } from "./ui.ts";

// Notices: the bell, its panel, the list, and the settings.

const bell = (page: Page) => page.getByRole("button", { name: /^Уведомления/ });
const panel = (page: Page) => page.getByRole("dialog", { name: "Уведомления" });
const unread = (page: Page) => page.getByRole("main").getByRole("link", { name: /^Не прочитано/ });
/** The accessible name of the bell with a count, which may contain a no-break space. */
const withCount = (count: number) => new RegExp(`^Уведомления, ${count}\\s`);

test.describe("the bell", () => {
  test("counts what arrives, leads to it, and is up to date in another tab", async ({ server, tabFor }) => {
    const discussion = await createDiscussion(server);
    const [thread = ""] = discussion.threads;
    const { page, context } = await tabFor(discussion.reviewer);
    const shifts = await recordShifts(page);
    await page.goto("/");
    await expect(bell(page)).toHaveAccessibleName("Уведомления");
    const other = await context.newPage();
    await other.goto("/");
    await expect(bell(other)).toBeVisible();
    // Loading the font may move it by a pixel.
    expect(await shifts()).toBeLessThan(0.001);

    await answer(discussion, thread, "Да, пример нужен.");
    await expect(bell(page)).toHaveAccessibleName(withCount(1));
    await expect(bell(other)).toHaveAccessibleName(withCount(1));
    await expect(page.getByText(/^Новое уведомление/)).toBeAttached();

    await bell(page).click();
    const link = panel(page).getByRole("link", { name: /Новый ответ в обсуждении страницы «Страница»/ });
    await expect(link).toHaveAccessibleName(/^Не прочитано/);
    await expect(link).toContainText(discussion.owner.fullName);
    await link.click();
    await page.waitForURL((url) => url.pathname === `/edit-page/${discussion.pageId}`);
    await expect(panel(page)).toBeHidden();
    await expect(page.getByText("Да, пример нужен.")).toBeVisible();
    await expect(bell(other)).toHaveAccessibleName("Уведомления");
  });

  test("opens and closes by keyboard and returns the focus; its panel is accessible", async ({
    server,
    tabFor,
  }) => {
    const discussion = await createDiscussion(server, 2);
    for (const thread of discussion.threads) await answer(discussion, thread, "Да, нужен.");
    const { page } = await tabFor(discussion.reviewer);
    await page.goto("/");
    await expect(bell(page)).toHaveAccessibleName(withCount(2));
    await tabTo(page, bell(page));
    await page.keyboard.press("Enter");
    await expect(panel(page).getByRole("heading", { name: "Уведомления" })).toBeFocused();
    await expect(panel(page).getByRole("link", { name: /2\sновых ответа на странице/ })).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(panel(page).getByRole("link", { name: /новых ответа/ })).toBeFocused();
    await expectAccessibleInBothThemes(page, "the panel of notices");
    await page.keyboard.press("Escape");
    await expect(panel(page)).toBeHidden();
    await expect(bell(page)).toBeFocused();
    await resize(page, { width: 360, height: 740 });
    await bell(page).click();
    await expect(panel(page).getByRole("link", { name: "Все уведомления" })).toBeVisible();
    await expectNoHorizontalScroll(page, "the panel of notices on a phone");
    await panel(page).getByRole("link", { name: "Настроить" }).click();
    await page.waitForURL((url) => url.pathname === "/settings/notices");
    await expect(panel(page)).toBeHidden();
  });

  test("is right again after the connection was lost", async ({ server, tabFor }) => {
    const discussion = await createDiscussion(server);
    const [thread = ""] = discussion.threads;
    const { page, context } = await tabFor(discussion.reviewer);
    await page.goto("/");
    await expect(bell(page)).toHaveAccessibleName("Уведомления");
    await context.setOffline(true);
    await answer(discussion, thread, "Да, нужен.");
    await context.setOffline(false);
    await expect(bell(page)).toHaveAccessibleName(withCount(1));
  });
});

test.describe("the list of notices", () => {
  test("marks all as read, with undo, and filters the unread ones", async ({ server, tabFor }) => {
    const discussion = await createDiscussion(server);
    await answer(discussion, discussion.threads[0] ?? "", "Да, нужен.");
    const { page } = await tabFor(discussion.reviewer);
    await page.goto("/notices");
    await expect(unread(page).first()).toBeVisible();
    const readAll = page.getByRole("main").getByRole("button", { name: "Прочитать все" });
    await readAll.click();
    await expect(unread(page)).toHaveCount(0);
    await expect(bell(page)).toHaveAccessibleName("Уведомления");
    await page.getByRole("button", { name: "Отменить" }).click();
    await expect(unread(page).first()).toBeVisible();
    await page.getByRole("radio", { name: "Непрочитанные" }).check();
    await page.waitForURL((url) => url.search === "?view=unread");
    await expect(unread(page).first()).toBeVisible();
    await readAll.click();
    await expect(page.getByRole("heading", { name: "Всё прочитано" })).toBeVisible();
    // Leaving the page commits what can no longer be undone.
    await page.reload();
    await expect(page.getByRole("heading", { name: "Всё прочитано" })).toBeVisible();
  });

  test("says what will be in it, and opens from the command palette", async ({ server, tabFor }) => {
    const { page } = await tabFor(await signUp(server));
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.locator("dialog[open] [role=combobox]")).toBeVisible();
    await page.keyboard.type("уведомления");
    await page.getByRole("option", { name: "Уведомления", exact: true }).click();
    await page.waitForURL((url) => url.pathname === "/notices");
    await expect(page.getByRole("heading", { name: "Уведомлений пока нет" })).toBeVisible();
  });
});

test.describe("the settings of notices", () => {
  test("are saved at once, and fit a phone", async ({ server, tabFor }) => {
    const { page } = await tabFor(await signUp(server));
    await page.goto("/settings");
    await page.getByRole("link", { name: "Настроить уведомления" }).click();
    const mail = page.getByRole("combobox", { name: "По почте: Скоро срок" });
    await expect(mail).toHaveValue("ONCE");
    await mail.selectOption("WEEKLY");
    await expect(page.getByText("Сохранено", { exact: true })).toBeVisible();
    const inApp = page.getByRole("checkbox", { name: "В Kurso: Закончился импорт" });
    await inApp.uncheck();
    await page.getByRole("checkbox", { name: "Не беспокоить в тихие часы" }).check();
    await expect(page.getByText("Сохранено", { exact: true })).toBeVisible();
    await page.reload();
    await expect(mail).toHaveValue("WEEKLY");
    await expect(inApp).not.toBeChecked();
    await expect(page.getByRole("combobox", { name: "С", exact: true })).toHaveValue("22:00");
    await page.getByRole("button", { name: "Вернуть по умолчанию: Скоро срок" }).click();
    await expect(mail).toHaveValue("ONCE");
    await expectAccessibleEverywhere(page, "the settings of notices");
    await resize(page, { width: 360, height: 740 });
    await expectNoHorizontalScroll(page, "the settings of notices on a phone");
  });

  test("have exceptions for courses", async ({ server, tabFor }) => {
    const { reviewer } = await createDiscussion(server);
    const { page } = await tabFor(reviewer);
    await page.goto("/settings/notices");
    await page.getByRole("button", { name: "Добавить исключение для курса" }).click();
    const dialog = page.getByRole("dialog", { name: "Исключение для курса" });
    await dialog.getByRole("combobox", { name: "Событие" }).selectOption("COMMENT");
    await dialog.getByRole("combobox", { name: "По почте" }).selectOption("OFF");
    await expectAccessibleInBothThemes(page, "a new exception for a course");
    await dialog.getByRole("button", { name: "Добавить", exact: true }).click();
    const list = page.getByRole("region", { name: "Исключения: Основы языка" });
    await expect(list.getByRole("combobox")).toHaveValue("OFF");
    await expect(page.getByText("Сохранено", { exact: true })).toBeVisible();
    await page.reload();
    await list.getByRole("button", { name: /^Убрать исключение/ }).click();
    await expect(page.getByText("Исключений нет: во всех курсах одинаково.")).toBeVisible();
  });

  test("take a choice back that could not be saved", async ({ server, tabFor }) => {
    const { page } = await tabFor(await signUp(server));
    await page.goto("/settings/notices");
    const mail = page.getByRole("combobox", { name: "По почте: Скоро срок" });
    await expect(mail).toHaveValue("ONCE");
    await page.route("**/graphql", (route) =>
      route.request().postDataJSON()?.operationName === "ChooseNotices" ? route.abort() : route.continue(),
    );
    await mail.selectOption("OFF");
    await expect(page.getByRole("alert")).toContainText("Не удалось сохранить: «Скоро срок».");
    await expect(mail).toHaveValue("ONCE");
  });
});

test("the page of a link that is no longer valid says so without signing in", async ({ newTab }) => {
  const { page } = await newTab();
  await page.goto("/unsubscribe/not.a.token");
  await expect(page.getByRole("heading", { name: "Ссылка больше не действует" })).toBeVisible();
  await expectAccessibleEverywhere(page, "a dead link of a mail about notices");
});
