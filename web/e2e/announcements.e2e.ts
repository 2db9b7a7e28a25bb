import type { Page } from "@playwright/test";
import { post } from "../../scripts/client.mjs";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { type Announced, announce, createAnnounced, nudge, readAnnouncements } from "./announcements.ts";
import { recordShifts } from "./changes.ts";
import { expect, test } from "./fixtures.ts";
import { tabTo, toast } from "./ui.ts";

// Announcements of a course: the course screen, the list, writing; and reminding students.

const onCourse = (page: Page) => page.getByRole("region", { name: "Объявления" });
const article = (page: Page, title: string) => page.getByRole("article", { name: title });
const bell = (page: Page) => page.getByRole("button", { name: /^Уведомления/ });
const title = (page: Page) => page.getByRole("textbox", { name: "Заголовок" });
const text = (page: Page) => page.getByRole("textbox", { name: "Текст", exact: true });
const listOf = ({ courseId }: Announced) => `/view-course/${courseId}/announcements`;

async function chooseAction(page: Page, announcement: string, item: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^Действия.*«${announcement}»$`) }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test.describe("a learner", () => {
  test("sees announcements on the course screen without a shift, reads them, and the teacher sees it", async ({
    server,
    tabFor,
  }) => {
    const world = await createAnnounced(server);
    await announce(world, { title: "Правила курса", text: "Вопросы задавайте здесь.", isPinned: true });
    await announce(world, { title: "Занятие перенесено", text: "Встречаемся в пятницу." });
    const { page } = await tabFor(world.learner);
    const shifts = await recordShifts(page);
    await page.goto(`/view-course/${world.courseId}`);
    const rows = onCourse(page).getByRole("listitem");
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText("Правила курса");
    await expect(rows.nth(1)).toContainText("Встречаемся в пятницу.");
    await expect(rows.nth(1)).toContainText(world.owner.fullName);
    await page.waitForLoadState("networkidle");
    // Loading the font may move it by a pixel.
    expect(await shifts()).toBeLessThan(0.001);

    await expect(bell(page)).toHaveAccessibleName(/^Уведомления, 2\s/);
    await rows.nth(1).getByRole("link").click();
    await page.waitForURL((url) => url.pathname === listOf(world) && url.hash.startsWith("#a-"));
    await expect(article(page, "Занятие перенесено")).toBeFocused();
    await expect(article(page, "Занятие перенесено")).toContainText("Новое");
    await expect(article(page, "Правила курса")).toContainText("Вопросы задавайте здесь.");
    // Both were on the screen, so their notices are read as well.
    await expect(bell(page)).toHaveAccessibleName("Уведомления");
    await page.getByRole("link", { name: "Основы Rust" }).first().click();
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText("Правила курса");

    const teacher = await tabFor(world.owner);
    await teacher.page.goto(listOf(world));
    await expect(article(teacher.page, "Занятие перенесено")).toContainText(/Прочитал 1\sиз 3/);
  });

  test("opens an announcement from its notice, also when the list is open", async ({ server, tabFor }) => {
    const world = await createAnnounced(server);
    for (let number = 1; number <= 22; number += 1) await announce(world, { title: `Новость ${number}.` });
    const { page } = await tabFor(world.learner);
    await page.goto(listOf(world));
    await expect(article(page, "Новость 22.")).toBeVisible();
    await bell(page).click();
    const panel = page.getByRole("dialog", { name: "Уведомления" });
    await panel.getByRole("link", { name: /Объявление: Новость 1\./ }).click();
    await expect(article(page, "Новость 1.")).toBeFocused();
    await expect(article(page, "Новость 1.")).toBeInViewport();
  });

  test("of another group does not see the announcement, but an empty list that explains itself", async ({
    server,
    tabFor,
  }) => {
    const world = await createAnnounced(server);
    const group = await post(
      server.url,
      `/api/v1/courses/create_group/${world.courseId}`,
      { title: "10-А" },
      world.owner.token,
    );
    await announce(world, { title: "Только для 10-А", groupId: group.id });
    const teacher = await tabFor(world.owner);
    await teacher.page.goto(listOf(world));
    await expect(article(teacher.page, "Только для 10-А")).toContainText("Группа «10-А»");
    await expect(article(teacher.page, "Только для 10-А")).toContainText("Получателей пока нет");
    const { page } = await tabFor(world.learner);
    await page.goto(`/view-course/${world.courseId}`);
    await expect(page.getByRole("heading", { name: "Содержание курса" })).toBeVisible();
    await expect(onCourse(page)).toBeHidden();
    await page.goto(listOf(world));
    await expect(page.getByRole("heading", { name: "Объявлений пока нет" })).toBeVisible();
    await expectAccessibleEverywhere(page, "announcements: none");
    await page.goto(`${listOf(world)}?write=new`);
    await expect(page.getByText(/могут только его владелец и\sпреподаватели/)).toBeVisible();
  });
});

test.describe("a teacher", () => {
  test("writes an announcement by keyboard, with formatting, and learners get it", async ({
    server,
    tabFor,
  }) => {
    const world = await createAnnounced(server);
    const { page } = await tabFor(world.owner);
    await page.goto(`/edit-course/${world.courseId}`);
    await page.getByRole("link", { name: "Объявления" }).press("Enter");
    await page.getByRole("link", { name: "Написать объявление" }).press("Enter");
    await expect(title(page)).toBeFocused();
    await page.keyboard.type("Занятие перенесено");
    await tabTo(page, text(page));
    await page.keyboard.type("Встречаемся в ");
    await page.keyboard.press("Control+b");
    await page.keyboard.type("пятницу");
    await expectAccessibleEverywhere(page, "announcements: writing");
    await tabTo(page, page.getByRole("button", { name: "Опубликовать" }));
    await page.keyboard.press("Enter");
    await expect(
      toast(page, "Объявление опубликовано.").or(page.getByText("Объявление опубликовано.")),
    ).toBeVisible();
    await expect(article(page, "Занятие перенесено")).toBeFocused();
    await expect(article(page, "Занятие перенесено").locator("strong")).toHaveText("пятницу");

    const learner = await tabFor(world.learner);
    await learner.page.goto(`/view-course/${world.courseId}`);
    await expect(onCourse(learner.page)).toContainText("Встречаемся в пятницу");
  });

  test("keeps what is typed when the tab is closed, and continues it", async ({ server, tabFor }) => {
    const world = await createAnnounced(server);
    const { page, context } = await tabFor(world.owner);
    await page.goto(`${listOf(world)}?write=new`);
    await title(page).fill("Экзамен");
    await text(page).click();
    await page.keyboard.type("В понедельник в десять.");
    await page.close();
    const again = await context.newPage();
    await again.goto(listOf(world));
    const draft = again.getByRole("region", { name: "Черновик" });
    await expect(draft).toContainText("Экзамен");
    await draft.getByRole("link", { name: "Продолжить" }).click();
    await expect(title(again)).toHaveValue("Экзамен");
    await expect(text(again)).toHaveText("В понедельник в десять.");
    await again.getByRole("button", { name: "Опубликовать" }).click();
    await expect(article(again, "Экзамен")).toBeVisible();
    await expect(draft).toBeHidden();
  });

  test("loses nothing offline, and publishes when the connection is back", async ({ server, tabFor }) => {
    const world = await createAnnounced(server);
    const { page, context } = await tabFor(world.owner);
    await page.goto(`${listOf(world)}?write=new`);
    await title(page).fill("Без связи");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Опубликовать" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    await expect(title(page)).toHaveValue("Без связи");
    await context.setOffline(false);
    await page.getByRole("button", { name: "Опубликовать" }).click();
    await expect(article(page, "Без связи")).toHaveCount(1);
  });

  test("schedules an announcement in the time zone of the course, changes it and publishes it at once", async ({
    server,
    tabFor,
  }) => {
    const world = await createAnnounced(server);
    const { page } = await tabFor(world.owner);
    await page.goto(`${listOf(world)}?write=new`);
    await title(page).fill("Новый модуль");
    await page.getByRole("radio", { name: /назначенное время/ }).check();
    await page.getByRole("button", { name: "Запланировать" }).click();
    await expect(page.getByText("Укажите день и время")).toBeVisible();
    await page.getByRole("textbox", { name: "День и время" }).fill("5.12.2098 9:00");
    await page.getByRole("button", { name: "Запланировать" }).click();
    await expect(article(page, "Новый модуль")).toContainText(/Выйдет 5 декабря 2098.* в\s09:00/);

    const learner = await tabFor(world.learner);
    await learner.page.goto(listOf(world));
    await expect(learner.page.getByRole("heading", { name: "Объявлений пока нет" })).toBeVisible();

    await chooseAction(page, "Новый модуль", "Изменить");
    await title(page).fill("Модуль о владении");
    await page.getByRole("button", { name: "Запланировать" }).click();
    await chooseAction(page, "Модуль о владении", "Опубликовать сейчас");
    await page.getByRole("dialog").getByRole("button", { name: "Опубликовать" }).click();
    await expect(article(page, "Модуль о владении")).not.toContainText("Выйдет");
    await learner.page.reload();
    await expect(article(learner.page, "Модуль о владении")).toBeVisible();
  });

  test("pins, deletes with an undo, and sees the change of a colleague", async ({ server, tabFor }) => {
    const world = await createAnnounced(server);
    await announce(world, { title: "Первое", text: "Старое." });
    await announce(world, { title: "Второе", text: "Новое." });
    const { page } = await tabFor(world.owner);
    await page.goto(listOf(world));
    const titles = page.getByRole("article").getByRole("heading", { level: 2 });
    await expect(titles).toHaveText(["Второе", "Первое"]);
    await chooseAction(page, "Первое", "Закрепить");
    await expect(titles).toHaveText(["Первое", "Второе"]);

    await chooseAction(page, "Второе", "Удалить");
    await expect(titles).toHaveText(["Первое"]);
    await page.getByRole("button", { name: "Отменить" }).click();
    await expect(titles).toHaveText(["Первое", "Второе"]);

    const other = await tabFor(world.owner);
    await other.page.goto(listOf(world));
    await chooseAction(other.page, "Второе", "Изменить");
    await chooseAction(page, "Второе", "Изменить");
    await expect(title(other.page)).toHaveValue("Второе");
    await title(page).fill("Второе, исправленное");
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(titles).toHaveText(["Первое", "Второе, исправленное"]);
    await title(other.page).fill("Второе, моё");
    await other.page.getByRole("button", { name: "Сохранить" }).click();
    await expect(other.page.getByText(/изменил кто-то ещё/)).toBeVisible();
    await expect(title(other.page)).toHaveValue("Второе, моё");
    await other.page.getByRole("button", { name: "Сохранить мой текст" }).click();
    await expect(article(other.page, "Второе, моё")).toBeVisible();
  });
});

test.describe("reminding students", () => {
  test("students who match a filter get a changed text, at most once a day", async ({ server, tabFor }) => {
    const world = await createAnnounced(server);
    const [boris] = world.others;
    await nudge(world, [boris.fullName], "Давайте начнём.");
    const { page } = await tabFor(world.owner);
    await page.goto(`/edit-course/${world.courseId}?tab=students`);
    await page.getByRole("combobox", { name: /Каких/ }).selectOption({ label: "Ещё не начали" });
    await page.waitForURL((url) => url.searchParams.get("state") === "not-started");
    await page.getByRole("button", { name: /^Напомнить\s3\sученикам…$/ }).click();
    const dialog = page.getByRole("dialog", { name: /Напомнить/ });
    const field = dialog.getByRole("textbox", { name: "Текст напоминания" });
    await expect(field).toHaveValue(/ещё не\sначали/);
    await expect(dialog).toContainText(boris.fullName);
    await field.fill("Ждём вас на первом уроке.");
    await expectAccessibleEverywhere(page, "students: a reminder");
    await dialog.getByRole("button", { name: /^Отправить\s2\sученикам$/ }).click();
    await expect(page.getByText(/Напоминание отправлено 2\sученикам/)).toBeVisible();
    await expect(page.getByText(/^напомнили: /)).toHaveCount(3);

    const learner = await tabFor(world.learner);
    await learner.page.goto("/notices");
    const notice = learner.page.getByRole("link", { name: /Вам напоминают о\sкурсе/ });
    await expect(notice).toContainText("Ждём вас на первом уроке.");
    await notice.click();
    await learner.page.waitForURL((url) => url.pathname === `/view-course/${world.courseId}`);
  });

  test("works by keyboard for selected students and fits a phone", async ({ server, tabFor }) => {
    const world = await createAnnounced(server);
    const { page } = await tabFor(world.owner);
    await resize(page, { width: 360, height: 740 });
    await page.goto(`/edit-course/${world.courseId}?tab=students`);
    await page.getByRole("checkbox", { name: /Ёлкина/ }).press("Space");
    await page.getByRole("button", { name: "Напомнить…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: /Напомнить/ });
    await expect(dialog.getByRole("textbox")).toBeFocused();
    await expectNoHorizontalScroll(page, "students: a reminder on a phone");
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: "Напомнить…" })).toBeFocused();
  });
});

test("only learners count as readers", async ({ server, tabFor }) => {
  const world = await createAnnounced(server);
  const id = await announce(world, { title: "Новость", text: "Текст." });
  await readAnnouncements(world, world.learner, id);
  await readAnnouncements(world, world.others[0], id);
  const { page } = await tabFor(world.owner);
  await page.goto(listOf(world));
  await expect(article(page, "Новость")).toContainText(/Прочитали 2\sиз 3/);
});
