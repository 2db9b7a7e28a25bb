import type { Locator, Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { type Account, type CoursePlan, createCourse, enroll, signUp } from "./api.ts";
import { add, savedState } from "./builder.ts";
import { openOutline, outline, row, shownOutline, storedOutline, typeTitle } from "./course-outline.ts";
import { test as base, expect, type Tab } from "./fixtures.ts";
import { field, tabTo, toast } from "./ui.ts";

const PLAN: CoursePlan = {
  Начало: { Установка: ["Редактор", "Компилятор", "Проверка"], Привет: ["Программа"] },
  Основы: { Циклы: ["For", "While"] },
};

interface Fixtures {
  author: Account;
  /** Creates a course and opens its outline. `stored` returns the outline that the server has. */
  openNewCourse: () => Promise<Tab & { courseId: string; stored: () => Promise<string[]> }>;
}

const test = base.extend<Fixtures>({
  author: async ({ server }, use) => {
    await use(await signUp(server));
  },

  openNewCourse: async ({ server, author, tabFor }, use) => {
    await use(async () => {
      const courseId = await createCourse(server, author, "Курс автора", PLAN);
      const tab = await tabFor(author);
      // The outline fits into this viewport. Near the edge of the viewport, a drag would scroll the page.
      await tab.page.setViewportSize({ width: 1440, height: 1300 });
      await openOutline(tab.page, courseId);
      return { ...tab, courseId, stored: () => storedOutline(server, author, courseId) };
    });
  },
});

/** Expects this outline on the screen and on the server. */
async function expectOutline(page: Page, stored: () => Promise<string[]>, expected: string[]) {
  await expect.poll(() => shownOutline(page), "the screen").toEqual(expected);
  await expect.poll(stored, "the server").toEqual(expected);
}

const INITIAL_OUTLINE = [
  "Начало",
  "  Установка",
  "    Редактор",
  "    Компилятор",
  "    Проверка",
  "  Привет",
  "    Программа",
  "Основы",
  "  Циклы",
  "    For",
  "    While",
];

test.describe("keyboard", () => {
  test("creates a course, its modules, lessons, pages and a quiz", async ({ server, tabFor, author }) => {
    const { page } = await tabFor(author);
    await page.goto("/");
    await tabTo(page, page.getByRole("button", { name: "Создать курс" }));
    await page.keyboard.press("Enter");
    await expect(field(page, "Название курса")).toBeVisible();
    await page.keyboard.type("Курс с клавиатуры");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await expect(page.getByText("В курсе пока ничего нет")).toBeVisible();
    await tabTo(page, page.getByRole("button", { name: "Добавить модуль" }));
    await page.keyboard.press("Enter");
    // Type the titles one after another. Alt and an arrow key changes the level.
    await typeTitle(page, "Модуль", "Начало");
    await page.keyboard.press("Alt+ArrowRight");
    await typeTitle(page, "Урок", "Установка");
    await page.keyboard.press("Alt+ArrowRight");
    await typeTitle(page, "Страница", "Редактор");
    await typeTitle(page, "Страница", "Компилятор");
    await page.keyboard.press("Alt+ArrowLeft");
    await typeTitle(page, "Урок", "Привет");
    await page.keyboard.press("Alt+ArrowRight");
    await typeTitle(page, "Страница", "Программа");
    await page.keyboard.press("Alt+ArrowLeft");
    await page.keyboard.press("Alt+ArrowLeft");
    await typeTitle(page, "Модуль", "Основы");
    await page.keyboard.press("Escape");
    await expect(row(page, "Модуль «Основы»")).toBeFocused();
    const created = [
      "Начало",
      "  Установка",
      "    Редактор (черновик)",
      "    Компилятор (черновик)",
      "  Привет",
      "    Программа (черновик)",
      "Основы",
    ];
    await expectOutline(page, () => storedOutline(server, author, id), created);

    // Publish a page and create a quiz below it.
    for (let up = 0; up < 3; up++) await page.keyboard.press("ArrowUp");
    await expect(row(page, "Страница «Программа»")).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(row(page, "Страница «Программа», опубликована")).toBeVisible();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: "Открыть" })).toBeVisible();
    for (let down = 0; down < 3; down++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await typeTitle(page, "Тест", "Проверьте себя");
    await page.keyboard.press("Escape");
    await expectOutline(page, () => storedOutline(server, author, id), [
      ...created.slice(0, 5),
      "    Программа",
      "    Проверьте себя (тест) (черновик)",
      "Основы",
    ]);
  });

  test("moves items up, down and into the next lesson, and undoes with Ctrl+Z", async ({ openNewCourse }) => {
    const { page, stored } = await openNewCourse();
    await row(page, "Страница «Проверка»").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expect(
      page.getByText(/Страница «Проверка» перемещена: в\sуроке «Установка», место 2 из 3/),
    ).toBeVisible();
    await expect(row(page, "Страница «Проверка»")).toBeFocused();
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Alt+ArrowDown");
    await expect(page.getByText(/в\sуроке «Привет», место 1 из 2/)).toBeVisible();
    const moved = [...INITIAL_OUTLINE.slice(0, 4), "  Привет", "    Проверка", ...INITIAL_OUTLINE.slice(6)];
    await expectOutline(page, stored, moved);
    await page.keyboard.press("Control+KeyZ");
    await expectOutline(page, stored, INITIAL_OUTLINE);
    // Move a lesson into the next module, and a module before the previous one.
    await row(page, "Урок «Привет»").focus();
    await page.keyboard.press("Alt+Shift+ArrowDown");
    await expect(page.getByText(/в\sмодуле «Основы», место 1 из 2/)).toBeVisible();
    await row(page, "Модуль «Основы»").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await expectOutline(page, stored, [
      "Основы",
      "  Привет",
      "    Программа",
      "  Циклы",
      "    For",
      "    While",
      ...INITIAL_OUTLINE.slice(0, 5),
    ]);
    await page.keyboard.press("Alt+ArrowUp");
    await expect(page.getByText("Дальше некуда: это край курса")).toBeVisible();
  });

  test("collapses and expands items, and keeps that after a reload", async ({ openNewCourse }) => {
    const { page, courseId } = await openNewCourse();
    await row(page, "Урок «Установка»").focus();
    await page.keyboard.press("ArrowLeft");
    await expect(row(page, "Страница «Редактор»")).toHaveCount(0);
    await page.keyboard.press("ArrowLeft");
    await expect(row(page, "Модуль «Начало»")).toBeFocused();
    await openOutline(page, courseId);
    await expect(row(page, "Урок «Установка»")).toHaveAttribute("aria-expanded", "false");
    await row(page, "Урок «Установка»").focus();
    await page.keyboard.press("ArrowRight");
    await expect(row(page, "Страница «Редактор»")).toBeVisible();
  });
});

test.describe("titles", () => {
  test("are edited in place: Escape cancels, and empty and too long titles show an error", async ({
    openNewCourse,
  }) => {
    const { page, stored } = await openNewCourse();
    await outline(page).getByText("Установка", { exact: true }).click();
    const title = field(page, "Название урока");
    await title.fill("");
    await title.press("Enter");
    await expect(page.getByText("Введите название")).toBeVisible();
    await title.fill("я".repeat(256));
    await title.press("Enter");
    await expect(page.getByText("Название не длиннее 255 знаков")).toBeVisible();
    await expect(title).toHaveAttribute("aria-invalid", "true");
    await title.press("Escape");
    await expectOutline(page, stored, INITIAL_OUTLINE);
    await row(page, "Урок «Установка»").press("F2");
    await title.fill("Что нужно");
    await title.press("Enter");
    await expect(row(page, "Урок «Что нужно»")).toBeFocused();
    await expectOutline(page, stored, INITIAL_OUTLINE.with(1, "  Что нужно"));
    // A page without a title shows its number.
    await row(page, "Страница «Компилятор»").press("F2");
    await field(page, "Название страницы").fill("");
    await field(page, "Название страницы").press("Enter");
    await expectOutline(page, stored, INITIAL_OUTLINE.with(1, "  Что нужно").with(3, "    Страница 2"));
  });

  test("the course title is edited in the heading and kept in the field when saving fails", async ({
    openNewCourse,
  }) => {
    const { page } = await openNewCourse();
    await page.getByRole("button", { name: "Изменить название курса" }).click();
    const title = field(page, "Название курса");
    await page.route("**/graphql", (route) =>
      route.request().postData()?.includes("RenameCourse") ? route.abort() : route.continue(),
    );
    await title.fill("Новое имя");
    await title.press("Enter");
    await expect(toast(page, "Что-то пошло не так!")).toBeVisible();
    await expect(title).toHaveValue("Новое имя");
    await page.unroute("**/graphql");
    await title.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Новое имя" })).toBeVisible();
  });

  test("the title of a new item returns to its field when the server is unreachable", async ({
    openNewCourse,
  }) => {
    const { page, stored } = await openNewCourse();
    await page.getByRole("button", { name: "Добавить урок в модуль «Основы»" }).first().click();
    await field(page, "Название урока").fill("Ветвления");
    await page.route("**/graphql", (route) => route.abort());
    await field(page, "Название урока").press("Enter");
    await expect(toast(page, "Что-то пошло не так!")).toBeVisible();
    await expect(field(page, "Название урока")).toHaveValue("Ветвления");
    await page.unroute("**/graphql");
    await field(page, "Название урока").press("Enter");
    await expectOutline(page, stored, [...INITIAL_OUTLINE, "  Ветвления", "    Ветвления (черновик)"]);
  });
});

test.describe("several items", () => {
  test("are moved to a lesson found by name, and moved back with undo", async ({ openNewCourse }) => {
    const { page, stored } = await openNewCourse();
    await row(page, "Страница «Редактор»").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowDown");
    await expect(page.getByText("Выбрано 2 страницы")).toBeVisible();
    await page.getByRole("button", { name: "Переместить в…" }).click();
    await page.getByLabel("Найти по названию").fill("цикл");
    await page.getByRole("dialog").getByRole("button", { name: /Циклы/ }).click();
    await expectOutline(page, stored, [
      "Начало",
      "  Установка",
      "    Проверка",
      ...INITIAL_OUTLINE.slice(5),
      "    Редактор",
      "    Компилятор",
    ]);
    await page.getByRole("button", { name: "Отменить" }).click();
    await expectOutline(page, stored, INITIAL_OUTLINE);
  });

  test("are deleted, restored with undo, and deleted finally", async ({ openNewCourse }) => {
    const { page, stored } = await openNewCourse();
    await row(page, "Страница «Редактор»").focus();
    await page.keyboard.press("Control+KeyA");
    await expect(page.getByText("Выбрано 6 страниц")).toBeVisible();
    await page.keyboard.press("Delete");
    const empty = INITIAL_OUTLINE.filter((line) => !line.startsWith("    "));
    await expect.poll(() => shownOutline(page), "the screen").toEqual(empty);
    await expect.poll(stored).toEqual(INITIAL_OUTLINE);
    await page.getByRole("button", { name: "Отменить" }).click();
    await expectOutline(page, stored, INITIAL_OUTLINE);
    await row(page, "Модуль «Начало»").focus();
    await page.keyboard.press("Delete");
    await expect(page.getByText("Модуль «Начало» удалён")).toBeVisible();
    await expect(row(page, "Модуль «Основы»")).toBeFocused();
    await page.getByRole("button", { name: "Закрыть" }).click();
    await expectOutline(page, stored, INITIAL_OUTLINE.slice(7));
  });

  test("a deletion reaches the server when the tab is left at once", async ({ openNewCourse }) => {
    const { page, stored } = await openNewCourse();
    await row(page, "Страница «Редактор»").press("Delete");
    await expect(page.getByText("Страница «Редактор» удалена")).toBeVisible();
    await page.goto("/api/v1/utils/health-check/");
    await expect.poll(stored, "the server").toEqual(INITIAL_OUTLINE.toSpliced(2, 1));
  });
});

test.describe("mouse", () => {
  test("drags a page into another lesson and a module past another", async ({ openNewCourse }) => {
    const { page, stored } = await openNewCourse();
    await drag(page, row(page, "Страница «Редактор»"), row(page, "Страница «While»"), 0.2);
    const moved = [...INITIAL_OUTLINE.toSpliced(2, 1).slice(0, 9), "    Редактор", "    While"];
    await expectOutline(page, stored, moved);
    await drag(page, row(page, "Модуль «Основы»"), row(page, "Модуль «Начало»"), 0.1);
    await expectOutline(page, stored, [...moved.slice(6), ...moved.slice(0, 6)]);
    await page.getByRole("button", { name: "Отменить" }).first().click();
    await expectOutline(page, stored, moved);
  });

  test("Escape cancels a drag", async ({ openNewCourse }) => {
    const { page, stored } = await openNewCourse();
    await drag(page, row(page, "Страница «Редактор»"), row(page, "Страница «While»"), 0.2, "Escape");
    await expectOutline(page, stored, INITIAL_OUTLINE);
  });
});

test.describe("publication", () => {
  test("publishes pages and lessons, and lists what keeps quizzes drafts, with links to the places", async ({
    openNewCourse,
  }) => {
    const { page, stored } = await openNewCourse();
    await row(page, "Страница «Редактор»").hover();
    await page.getByRole("button", { name: "Скрыть «Редактор» от учеников" }).click();
    await expectOutline(page, stored, INITIAL_OUTLINE.with(2, "    Редактор (черновик)"));
    await row(page, "Урок «Установка»")
      .getByRole("button", { name: /Действия/ })
      .click();
    await page.getByRole("menuitem", { name: "Опубликовать всё внутри" }).click();
    await expectOutline(page, stored, INITIAL_OUTLINE);
    await page.getByRole("button", { name: "Тест: добавить в урок «Привет»" }).click();
    await field(page, "Название теста").fill("Вопросы");
    await field(page, "Название теста").press("Enter");
    await expect(row(page, "Тест «Вопросы»")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Опубликовать «Вопросы»" }).click();
    const refusal = page.getByRole("dialog", { name: "Не опубликована 1 страница" });
    await refusal.getByRole("link", { name: "В тесте нет вопросов" }).click();
    for (const words of ["Первый?", ""]) {
      await add(page, "Один вариант");
      await page.keyboard.type(words);
    }
    await expect(savedState(page)).toBeVisible();
    await page.goBack();
    await page.getByRole("button", { name: /^Опубликовать всё/ }).click();
    await expect(refusal.getByRole("link")).toHaveText([
      /^Вопрос 1.*верный/,
      /^Вопрос 2Напишите вопрос.*верный/,
    ]);
    await refusal.getByRole("link", { name: /^Вопрос 2/ }).click();
    await expect(page.locator("[data-header]").nth(1)).toHaveAttribute("aria-expanded", "true");
    await page.goBack();
    await expect(row(page, "Тест «Вопросы», черновик")).toBeVisible();
  });
});

test.describe("module cover", () => {
  test("uploads a cropped cover, shows it, and removes it", async ({ server, author, openNewCourse }) => {
    const { page, courseId } = await openNewCourse();
    await page.getByRole("button", { name: "Обложка и описание… Начало" }).click();
    const picture = Buffer.from(
      await page.evaluate(async () => {
        const canvas = document.createElement("canvas");
        canvas.width = 640;
        canvas.height = 400;
        const context = canvas.getContext("2d");
        if (context) {
          context.fillStyle = "#cc5533";
          context.fillRect(0, 0, 640, 400);
        }
        const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
        return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer())];
      }),
    );
    const choose = page.locator("dialog input[type=file]");
    await choose.setInputFiles({
      name: "notes.png",
      mimeType: "image/png",
      buffer: Buffer.from("no cover"),
    });
    await expect(page.getByText("Этот файл не удалось открыть как изображение.")).toBeVisible();
    await choose.setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: picture });
    await page.getByLabel("Масштаб").fill("2");
    await page.getByRole("button", { name: "Сохранить обложку" }).click();
    await expect(page.getByText("Обложка сохранена.")).toBeVisible();
    const address = async () => {
      const query = "query ($id: ID!) { course(id: $id) { modules { avatarUrl description } } }";
      return (await graphql(server.url, author.token, query, { id: courseId })).course.modules[0];
    };
    await expect.poll(async () => (await address()).avatarUrl).toMatch(/^\/files\//);
    await field(page, "Описание").fill("С чего начать.");
    await page.getByRole("dialog").getByRole("button", { name: "Сохранить", exact: true }).click();
    await expect(row(page, "Модуль «Начало»").locator("img")).toBeVisible();
    await expect.poll(async () => (await address()).description, "the description").toEqual("С чего начать.");
    await page.getByRole("button", { name: "Обложка и описание… Начало" }).click();
    await page.getByRole("button", { name: "Убрать обложку" }).click();
    await expect.poll(async () => (await address()).avatarUrl, "no cover").toEqual(null);
  });
});

test.describe("offline", () => {
  test("keeps moves and titles, shows that they wait, and saves them after the network returns", async ({
    openNewCourse,
  }) => {
    const { page, context, stored } = await openNewCourse();
    await context.setOffline(true);
    await row(page, "Страница «Редактор»").press("Alt+ArrowDown");
    await expect(page.getByText("Нет сети: сохраним позже")).toBeVisible();
    await row(page, "Урок «Циклы»").press("F2");
    await field(page, "Название урока").fill("Повторения");
    await field(page, "Название урока").press("Enter");
    await context.setOffline(false);
    await expect(page.getByText("Сохранено")).toBeVisible();
    const later = [
      ...INITIAL_OUTLINE.slice(0, 2),
      "    Компилятор",
      "    Редактор",
      ...INITIAL_OUTLINE.slice(4),
    ].with(8, "  Повторения");
    await expectOutline(page, stored, later);
  });
});

test.describe("access", () => {
  test("redirects a learner to the reading screen and a visitor to /login, and shows nothing to other users", async ({
    server,
    newTab,
    tabFor,
    author,
  }) => {
    const id = await createCourse(server, author, "Чужой курс", PLAN);
    const code = (
      await graphql(
        server.url,
        author.token,
        "mutation ($id: ID!) { generateShareCode(input: {courseId: $id}) { course { shareCode } } }",
        { id },
      )
    ).generateShareCode.course.shareCode;
    const learner = await signUp(server);
    await enroll(server, learner, code);
    const { page } = await tabFor(learner);
    await page.goto(`/edit-course/${id}`);
    await page.waitForURL((url) => url.pathname === `/view-course/${id}`);
    const otherUser = await tabFor(await signUp(server));
    await otherUser.page.goto(`/edit-course/${id}`);
    await expect(otherUser.page.getByText("Такого курса нет, или у вас нет к нему доступа.")).toBeVisible();
    const visitor = await newTab();
    await visitor.page.goto(`/edit-course/${id}`);
    await visitor.page.waitForURL((url) => url.pathname === "/login");
  });
});

/** Drags a row by its handle and drops it on another row, at a fraction of its height. Presses `key` before the drop. */
async function drag(page: Page, from: Locator, to: Locator, share: number, key?: string): Promise<void> {
  await from.hover();
  const handle = await from.getByRole("button", { name: /^Переместить/ }).boundingBox();
  const target = await to.getByRole("gridcell").boundingBox();
  if (!handle || !target) throw new Error("not on the screen");
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(handle.x + 40, handle.y + 30, { steps: 4 });
  await page.mouse.move(target.x + 120, target.y + target.height * share, { steps: 8 });
  if (key) await page.keyboard.press(key);
  await page.mouse.up();
}
