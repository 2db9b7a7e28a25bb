import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { eventually, field, toast } from "./app.ts";
import {
  focused,
  makeCourse,
  openOutline,
  outline,
  type Plan,
  row,
  shownOutline,
  storedOutline,
  tabTo,
  writeTitle,
} from "./authoring.ts";
import { newTab, signedIn, withBrowser } from "./browser.ts";
import { enroll, type Person, person } from "./people.ts";

let server: Server;
let author: Person;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
  author = await person(server);
});
afterAll(() => server?.stop());

const PLAN: Plan = {
  Начало: { Установка: ["Редактор", "Компилятор", "Проверка"], Привет: ["Программа"] },
  Основы: { Циклы: ["For", "While"] },
};

async function authorAt(plan: Plan = PLAN) {
  const id = await makeCourse(server, author, "Курс автора", plan);
  const tab = await signedIn(server, author);
  // Tall enough for all of it: near an edge a drag scrolls the page.
  await tab.page.setViewportSize({ width: 1440, height: 1300 });
  await openOutline(tab.page, id);
  const stored = () => storedOutline(server, author, id);
  return { ...tab, id, stored };
}

/** The screen and the server say the same, in the end. */
async function both(page: Page, stored: () => Promise<string[]>, expected: string[]) {
  await eventually(() => shownOutline(page), expected, "the screen");
  await eventually(stored, expected, "the server");
}

const WHOLE = [
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

describe("by the keyboard alone", () => {
  test("a course is made, from nothing to its last page", async () => {
    const { page } = await signedIn(server, author);
    await page.goto("/");
    await tabTo(page, page.getByRole("button", { name: "Создать курс" }));
    await page.keyboard.press("Enter");
    await field(page, "Название курса").waitFor();
    await page.keyboard.type("Курс с клавиатуры");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByText("В курсе пока ничего нет").waitFor();
    await tabTo(page, page.getByRole("button", { name: "Добавить модуль" }));
    await page.keyboard.press("Enter");
    // A title after the other; Alt and an arrow goes a level down or up.
    await writeTitle(page, "Модуль", "Начало");
    await page.keyboard.press("Alt+ArrowRight");
    await writeTitle(page, "Урок", "Установка");
    await page.keyboard.press("Alt+ArrowRight");
    await writeTitle(page, "Страница", "Редактор");
    await writeTitle(page, "Страница", "Компилятор");
    await page.keyboard.press("Alt+ArrowLeft");
    await writeTitle(page, "Урок", "Привет");
    await page.keyboard.press("Alt+ArrowRight");
    await writeTitle(page, "Страница", "Программа");
    await page.keyboard.press("Alt+ArrowLeft");
    await page.keyboard.press("Alt+ArrowLeft");
    await writeTitle(page, "Модуль", "Основы");
    await page.keyboard.press("Escape");
    await focused(row(page, "Модуль «Основы»"));
    const made = [
      "Начало",
      "  Установка",
      "    Редактор (черновик)",
      "    Компилятор (черновик)",
      "  Привет",
      "    Программа (черновик)",
      "Основы",
    ];
    await both(page, () => storedOutline(server, author, id), made);

    // Up to a page, a quiz below it, and the page shown to learners.
    for (let up = 0; up < 3; up++) await page.keyboard.press("ArrowUp");
    await focused(row(page, "Страница «Программа»"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await row(page, "Страница «Программа», опубликована").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Открыть" }).waitFor();
    for (let down = 0; down < 3; down++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await writeTitle(page, "Тест", "Проверьте себя");
    await page.keyboard.press("Escape");
    await both(page, () => storedOutline(server, author, id), [
      ...made.slice(0, 5),
      "    Программа",
      "    Проверьте себя (тест) (черновик)",
      "Основы",
    ]);
  });

  test("things move up and down, into the neighbouring lesson, and back by Ctrl+Z", async () => {
    const { page, stored } = await authorAt();
    await row(page, "Страница «Проверка»").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText(/Страница «Проверка» перемещена: в\sуроке «Установка», место 2 из 3/).waitFor();
    await focused(row(page, "Страница «Проверка»"));
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByText(/в\sуроке «Привет», место 1 из 2/).waitFor();
    const moved = [...WHOLE.slice(0, 4), "  Привет", "    Проверка", ...WHOLE.slice(6)];
    await both(page, stored, moved);
    await page.keyboard.press("Control+KeyZ");
    await both(page, stored, WHOLE);
    // A lesson into the next module, a module past its neighbour.
    await row(page, "Урок «Привет»").focus();
    await page.keyboard.press("Alt+Shift+ArrowDown");
    await page.getByText(/в\sмодуле «Основы», место 1 из 2/).waitFor();
    await row(page, "Модуль «Основы»").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await both(page, stored, [
      "Основы",
      "  Привет",
      "    Программа",
      "  Циклы",
      "    For",
      "    While",
      ...WHOLE.slice(0, 5),
    ]);
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByText("Дальше некуда: это край курса").waitFor();
  });

  test("branches close and open, and stay so", async () => {
    const { page, id } = await authorAt();
    await row(page, "Урок «Установка»").focus();
    await page.keyboard.press("ArrowLeft");
    await row(page, "Страница «Редактор»").waitFor({ state: "detached" });
    await page.keyboard.press("ArrowLeft");
    await focused(row(page, "Модуль «Начало»"));
    await openOutline(page, id);
    expect(await row(page, "Урок «Установка»").getAttribute("aria-expanded")).toBe("false");
    await row(page, "Урок «Установка»").focus();
    await page.keyboard.press("ArrowRight");
    await row(page, "Страница «Редактор»").waitFor();
  });
});

describe("titles", () => {
  test("are written where they stand; Escape leaves them, nothing and too much are refused in words", async () => {
    const { page, stored } = await authorAt();
    await outline(page).getByText("Установка", { exact: true }).click();
    const title = field(page, "Название урока");
    await title.fill("");
    await title.press("Enter");
    await page.getByText("Введите название").waitFor();
    await title.fill("я".repeat(256));
    await title.press("Enter");
    await page.getByText("Название не длиннее 255 знаков").waitFor();
    expect(await title.getAttribute("aria-invalid")).toBe("true");
    await title.press("Escape");
    await both(page, stored, WHOLE);
    await row(page, "Урок «Установка»").press("F2");
    await title.fill("Что нужно");
    await title.press("Enter");
    await focused(row(page, "Урок «Что нужно»"));
    await both(page, stored, WHOLE.with(1, "  Что нужно"));
    // A page may be without one: its number stands for it.
    await row(page, "Страница «Компилятор»").press("F2");
    await field(page, "Название страницы").fill("");
    await field(page, "Название страницы").press("Enter");
    await both(page, stored, WHOLE.with(1, "  Что нужно").with(3, "    Страница 2"));
  });

  test("of the course changes in the heading, and what the server refuses is not lost", async () => {
    const { page } = await authorAt();
    await page.getByRole("button", { name: "Изменить название курса" }).click();
    const title = field(page, "Название курса");
    await page.route("**/graphql", (route) =>
      route.request().postData()?.includes("RenameCourse") ? route.abort() : route.continue(),
    );
    await title.fill("Новое имя");
    await title.press("Enter");
    await toast(page, "Что-то пошло не так!").waitFor();
    expect(await title.inputValue()).toBe("Новое имя");
    await page.unroute("**/graphql");
    await title.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Новое имя" }).waitFor();
  });

  test("of something new come back when the server cannot be reached", async () => {
    const { page, stored } = await authorAt();
    await page.getByRole("button", { name: "Добавить урок в модуль «Основы»" }).first().click();
    await field(page, "Название урока").fill("Ветвления");
    await page.route("**/graphql", (route) => route.abort());
    await field(page, "Название урока").press("Enter");
    await toast(page, "Что-то пошло не так!").waitFor();
    await expect.poll(() => field(page, "Название урока").inputValue()).toBe("Ветвления");
    await page.unroute("**/graphql");
    await field(page, "Название урока").press("Enter");
    await both(page, stored, [...WHOLE, "  Ветвления"]);
  });
});

describe("several at once", () => {
  test("are moved to a lesson found by name, and taken back", async () => {
    const { page, stored } = await authorAt();
    await row(page, "Страница «Редактор»").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("Выбрано 2 страницы").waitFor();
    await page.getByRole("button", { name: "Переместить в…" }).click();
    await page.getByLabel("Найти по названию").fill("цикл");
    await page.getByRole("dialog").getByRole("button", { name: /Циклы/ }).click();
    await both(page, stored, [
      "Начало",
      "  Установка",
      "    Проверка",
      ...WHOLE.slice(5),
      "    Редактор",
      "    Компилятор",
    ]);
    await page.getByRole("button", { name: "Отменить" }).click();
    await both(page, stored, WHOLE);
  });

  test("are deleted, brought back, and deleted for good", async () => {
    const { page, stored } = await authorAt();
    await row(page, "Страница «Редактор»").focus();
    await page.keyboard.press("Control+KeyA");
    await page.getByText("Выбрано 6 страниц").waitFor();
    await page.keyboard.press("Delete");
    const empty = WHOLE.filter((line) => !line.startsWith("    "));
    await eventually(() => shownOutline(page), empty, "the screen");
    await expect.poll(stored).toEqual(WHOLE);
    await page.getByRole("button", { name: "Отменить" }).click();
    await both(page, stored, WHOLE);
    await row(page, "Модуль «Начало»").focus();
    await page.keyboard.press("Delete");
    await page.getByText("Модуль «Начало» удалён").waitFor();
    await focused(row(page, "Модуль «Основы»"));
    await page.getByRole("button", { name: "Закрыть" }).click();
    await both(page, stored, WHOLE.slice(7));
  });

  test("what was deleted is gone from the server too when the tab is left at once", async () => {
    const { page, stored } = await authorAt();
    await row(page, "Страница «Редактор»").press("Delete");
    await page.getByText("Страница «Редактор» удалена").waitFor();
    await page.goto("/api/v1/utils/health-check/");
    await eventually(stored, WHOLE.toSpliced(2, 1), "the server");
  });
});

describe("by the mouse", () => {
  test("a page goes into another lesson, a module past another", async () => {
    const { page, stored } = await authorAt();
    await drag(page, row(page, "Страница «Редактор»"), row(page, "Страница «While»"), 0.2);
    const moved = [...WHOLE.toSpliced(2, 1).slice(0, 9), "    Редактор", "    While"];
    await both(page, stored, moved);
    await drag(page, row(page, "Модуль «Основы»"), row(page, "Модуль «Начало»"), 0.1);
    await both(page, stored, [...moved.slice(6), ...moved.slice(0, 6)]);
    await page.getByRole("button", { name: "Отменить" }).first().click();
    await both(page, stored, moved);
  });

  test("Escape lets go of it where it was", async () => {
    const { page, stored } = await authorAt();
    await drag(page, row(page, "Страница «Редактор»"), row(page, "Страница «While»"), 0.2, "Escape");
    await both(page, stored, WHOLE);
  });
});

describe("what learners see", () => {
  test("is switched page by page, lesson by lesson; a quiz without questions says why it stays a draft", async () => {
    const { page, stored } = await authorAt();
    await row(page, "Страница «Редактор»").hover();
    await page.getByRole("button", { name: "Скрыть «Редактор» от учеников" }).click();
    await both(page, stored, WHOLE.with(2, "    Редактор (черновик)"));
    await row(page, "Урок «Установка»")
      .getByRole("button", { name: /Действия/ })
      .click();
    await page.getByRole("menuitem", { name: "Опубликовать всё внутри" }).click();
    await both(page, stored, WHOLE);
    await page.getByRole("button", { name: "Тест: добавить в урок «Привет»" }).click();
    await field(page, "Название теста").fill("Вопросы");
    await field(page, "Название теста").press("Enter");
    await row(page, "Тест «Вопросы»").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Опубликовать «Вопросы»" }).click();
    const refusal = toast(page, "Что-то пошло не так!");
    await refusal.waitFor();
    await row(page, "Тест «Вопросы», черновик").waitFor();
  });
});

describe("a module's picture", () => {
  test("is chosen, cut, sent and shown, and taken away again", async () => {
    const { page, id } = await authorAt();
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
      buffer: Buffer.from("no picture"),
    });
    await page.getByText("Этот файл не удалось открыть как изображение.").waitFor();
    await choose.setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: picture });
    await page.getByLabel("Масштаб").fill("2");
    await page.getByRole("button", { name: "Сохранить обложку" }).click();
    await page.getByText("Обложка сохранена.").waitFor();
    const address = async () => {
      const query = "query ($id: ID!) { course(id: $id) { modules { avatarUrl description } } }";
      return (await graphql(server.url, author.token, query, { id })).course.modules[0];
    };
    await expect.poll(async () => (await address()).avatarUrl).toMatch(/^\/files\//);
    await field(page, "Описание").fill("С чего начать.");
    await page.getByRole("dialog").getByRole("button", { name: "Сохранить", exact: true }).click();
    await row(page, "Модуль «Начало»").locator("img").waitFor();
    await eventually(async () => (await address()).description, "С чего начать.", "the description");
    await page.getByRole("button", { name: "Обложка и описание… Начало" }).click();
    await page.getByRole("button", { name: "Убрать обложку" }).click();
    await eventually(async () => (await address()).avatarUrl, null, "no picture");
  });
});

describe("without a network", () => {
  test("moves and titles wait, say so, and arrive when it is back", async () => {
    const { page, context, stored } = await authorAt();
    await context.setOffline(true);
    await row(page, "Страница «Редактор»").press("Alt+ArrowDown");
    await page.getByText("Нет сети: сохраним позже").waitFor();
    await row(page, "Урок «Циклы»").press("F2");
    await field(page, "Название урока").fill("Повторения");
    await field(page, "Название урока").press("Enter");
    await context.setOffline(false);
    await page.getByText("Сохранено").waitFor();
    const later = [...WHOLE.slice(0, 2), "    Компилятор", "    Редактор", ...WHOLE.slice(4)].with(
      8,
      "  Повторения",
    );
    await both(page, stored, later);
  });
});

describe("who is not the author", () => {
  test("reads as a teacher, goes to the reading screen as a learner, and as a stranger finds nothing", async () => {
    const id = await makeCourse(server, author, "Чужой курс", PLAN);
    const code = (
      await graphql(
        server.url,
        author.token,
        "mutation ($id: ID!) { generateShareCode(input: {courseId: $id}) { course { shareCode } } }",
        { id },
      )
    ).generateShareCode.course.shareCode;
    const learner = await person(server);
    await enroll(server, learner, code);
    const { page } = await signedIn(server, learner);
    await page.goto(`/edit-course/${id}`);
    await page.waitForURL((url) => url.pathname === `/view-course/${id}`);
    const stranger = await signedIn(server, await person(server));
    await stranger.page.goto(`/edit-course/${id}`);
    await stranger.page.getByText("Такого курса нет, или у вас нет к нему доступа.").waitFor();
    const nobody = await newTab(server);
    await nobody.page.goto(`/edit-course/${id}`);
    await nobody.page.waitForURL((url) => url.pathname === "/login");
  });
});

/** Takes a row by its handle and lets it go over another, at a share of its height. */
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
