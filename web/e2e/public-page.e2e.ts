import { readFile } from "node:fs/promises";
import { graphql } from "../../scripts/client.mjs";
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { type Account, createCourse, joinTeam, signUp } from "./api.ts";
import { expect, test, viewports } from "./fixtures.ts";
import { field, signIn } from "./ui.ts";

type Server = Parameters<typeof signUp>[0];

async function setVisibility(server: Server, owner: Account, courseId: string, visibility: string) {
  const query = "mutation ($input: SetVisibilityInput!) { setVisibility(input: $input) { course { id } } }";
  await graphql(server.url, owner.token, query, { input: { courseId, visibility } });
}

async function publicCourse(server: Server, owner: Account, title: string, visibility = "PUBLIC") {
  const courseId = await createCourse(server, owner, title, {
    Основы: { Петля: ["Зачем нужна", "Как вязать"], Штык: ["Один оборот"] },
    Практика: { "На берегу": ["Причал"] },
  });
  const query = "mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }";
  const description = "Узлы, которые держат.\n\nДля тех, кто выходит на воду впервые.";
  const dates = { startsAt: "2027-05-01T10:00", timeZone: "Europe/Moscow" };
  await graphql(server.url, owner.token, query, { input: { courseId, description, ...dates } });
  await setVisibility(server, owner, courseId, visibility);
  return courseId;
}

test("visitors read the catalogue and the page of a course without JavaScript", async ({
  server,
  browser,
}) => {
  const owner = await signUp(server, "Рыбакова Анна");
  const courseId = await publicCourse(server, owner, "Морские узлы");
  const hidden = await publicCourse(server, owner, "Курс по ссылке", "LINK");
  const context = await browser.newContext({
    baseURL: server.url,
    javaScriptEnabled: false,
    locale: "ru-RU",
  });
  const page = await context.newPage();
  await page.goto("/courses");
  await expect(page.getByRole("heading", { level: 1, name: "Каталог курсов" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.getByLabel("Название курса").fill("узл");
  await page.getByRole("button", { name: "Найти" }).click();
  await expect(page).toHaveURL(/\?q=/);
  await page.getByRole("link", { name: "Морские узлы" }).click();
  await expect(page).toHaveURL(`${server.url}/courses/${courseId}`);
  await expect(page.getByRole("heading", { level: 1, name: "Морские узлы" })).toBeVisible();
  await expect(page.getByText("Автор: Рыбакова Анна")).toBeVisible();
  await expect(page.getByRole("heading", { level: 3, name: "Практика" })).toBeVisible();
  await expect(page.getByText("1 мая 2027 г., 10:00 (Europe/Moscow)")).toBeVisible();
  await expect(page.getByRole("link", { name: "Начать" })).toHaveAttribute("href", `/join/${courseId}`);
  await page.getByRole("link", { name: "In English" }).click();
  await expect(page.getByRole("link", { name: "Start the course" })).toBeVisible();
  const unlisted = await page.goto(`/courses/${hidden}`);
  expect(unlisted?.status()).toBe(200);
  expect(unlisted?.headers()["x-robots-tag"]).toBe("noindex");
  const missing = await page.goto("/courses/01900000-0000-7000-8000-000000000000");
  expect(missing?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Такого курса нет" })).toBeVisible();
  await context.close();
});

test("the pages for visitors are accessible at every width and in both themes", async ({
  server,
  newTab,
}) => {
  const owner = await signUp(server, "Рыбакова Анна");
  const courseId = await publicCourse(server, owner, `Длинное название ${"бесконечногослова".repeat(6)}`);
  const { page } = await newTab();
  for (const path of [
    `/courses/${courseId}`,
    "/courses",
    "/courses?q=ничего",
    "/courses/nonsense",
    `/courses/${courseId}?lang=en`,
  ])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      for (const width of [320, 360, viewports.tablet.width, viewports.desktop.width]) {
        await resize(page, { width, height: 800 });
        await expectNoHorizontalScroll(page, `${path}, ${width}`);
      }
      await expectAccessible(page, `${path}, ${colorScheme}`);
    }
});

test("a visitor signs up from the page of a course and is in it, without another question", async ({
  server,
  newTab,
}) => {
  const owner = await signUp(server);
  const courseId = await publicCourse(server, owner, "Курс для гостей", "LINK");
  const { page } = await newTab();
  await page.goto(`/courses/${courseId}`);
  await page.getByRole("link", { name: "Начать" }).click();
  await page.waitForURL((url) => url.pathname === "/login");
  await page.getByRole("link", { name: "Нет аккаунта? Зарегистрироваться" }).click();
  const email = "gost-join@example.com";
  for (const [label, value] of Object.entries({
    Фамилия: "Белова",
    Имя: "Ольга",
    Отчество: "Игоревна",
    Email: email,
    Пароль: "очень-тайный-пароль",
    "Подтверждение пароля": "очень-тайный-пароль",
  }))
    await field(page, label).fill(value);
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await page.waitForURL((url) => url.pathname === "/login");
  await signIn(page, email, "очень-тайный-пароль");
  await page.waitForURL((url) => url.pathname === `/view-course/${courseId}`);
  await expect(page.getByText("Вы записаны на курс «Курс для гостей».")).toBeVisible();

  // Who is in the course goes straight to it.
  await page.goto(`/join/${courseId}`);
  await page.waitForURL((url) => url.pathname === `/view-course/${courseId}`);
});

test("a link from elsewhere asks before it enrolls, and says why it cannot", async ({ server, tabFor }) => {
  const owner = await signUp(server);
  const courseId = await publicCourse(server, owner, "Курс по приглашению");
  const learner = await signUp(server, "Белова Ольга");
  const { page, consoleErrors } = await tabFor(learner);
  await page.goto(`/join/${courseId}`);
  await expect(page.getByRole("heading", { level: 1, name: "Курс по приглашению" })).toBeVisible();
  await expect(page.getByText("Команда курса увидит ваше имя")).toBeVisible();
  await expectAccessibleEverywhere(page, "joining a course");
  await resize(page, { width: 360, height: 800 });
  await expectNoHorizontalScroll(page, "joining a course, 360");
  const own = "query ($id: ID!) { course(id: $id) { enrollment { id } } }";
  await expect(graphql(server.url, learner.token, own, { id: courseId })).rejects.toThrow();
  await page.getByRole("button", { name: "Начать" }).click();
  await page.waitForURL((url) => url.pathname === `/view-course/${courseId}`);
  expect((await graphql(server.url, learner.token, own, { id: courseId })).course.enrollment).toBeTruthy();

  const closed = await publicCourse(server, owner, "Закрытая запись");
  const query = "mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }";
  const ended = { courseId: closed, enrollUntil: "2020-01-01" };
  await graphql(server.url, owner.token, query, { input: ended });
  await page.goto(`/join/${closed}`);
  await expect(page.getByText("Запись на курс закончилась.")).toBeVisible();
  const other = await publicCourse(server, owner, "Закрытый курс", "PRIVATE");
  await page.goto(`/join/${other}`);
  await expect(page.getByText("Курс не найден")).toBeVisible();
  consoleErrors.length = 0;
});

test("the owner opens the page, gives it a cover, and closes it again", async ({ server, tabFor }) => {
  const owner = await signUp(server, "Рыбакова Анна");
  const courseId = await publicCourse(server, owner, "Настройки страницы", "PRIVATE");
  const { page, context } = await tabFor(owner);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/edit-course/${courseId}?tab=settings`);
  const section = page.getByRole("region", { name: "Страница курса" });
  await expect(section.getByRole("radio", { name: /^Никому/ })).toBeChecked();
  await expect(section.getByRole("link", { name: "Открыть страницу" })).toHaveCount(0);
  await section.getByRole("radio", { name: /^Всем, у кого есть ссылка/ }).check();
  await section.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page.getByText("Страница курса открыта по ссылке.")).toBeVisible();
  await section.getByRole("button", { name: /^Копировать/ }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${server.url}/courses/${courseId}`);

  // The cover is placed by keyboard: arrows move the picture, the slider zooms.
  const picture = await readFile(new URL("../public/icons/icon-512.png", import.meta.url));
  const file = { name: "cover.png", mimeType: "image/png", buffer: picture };
  await section.getByLabel("Выбрать изображение").last().setInputFiles(file);
  const crop = section
    .getByRole("group", { name: /Область обложки/ })
    .or(section.getByLabel(/Область обложки/));
  await crop.first().focus();
  await page.keyboard.press("ArrowUp");
  await section.getByRole("slider", { name: "Масштаб" }).fill("1.5");
  await expectAccessibleEverywhere(page, "settings of the course page with the crop of a cover");
  await section.getByRole("button", { name: "Сохранить обложку" }).click();
  await expect(page.getByText("Обложка сохранена.")).toBeVisible();
  await expect(section.locator("img")).toHaveAttribute("src", /^\/files\//);
  await resize(page, { width: 360, height: 800 });
  await expectNoHorizontalScroll(page, "settings of the course page, 360");
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    section.getByRole("link", { name: "Открыть страницу" }).click(),
  ]);
  const shown = opened.locator("img.cover");
  await expect(shown).toBeVisible();
  const size = () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight);
  expect(await size()).toBeCloseTo(16 / 9, 1);
  await opened.close();
  await section.getByRole("button", { name: "Убрать обложку" }).click();
  await expect(section.locator("img")).toHaveCount(0);
  await section.getByRole("radio", { name: /^Никому/ }).check();
  await section.getByRole("button", { name: "Сохранить", exact: true }).click();
  await expect(page.getByText("Страница курса закрыта.")).toBeVisible();
  const gone = await page.request.get(`/courses/${courseId}`);
  expect(gone.status()).toBe(404);
});

test("an editor sees who sees the page and changes only the cover", async ({ server, tabFor }) => {
  const owner = await signUp(server, "Рыбакова Анна");
  const editor = await signUp(server, "Белова Ольга");
  const courseId = await publicCourse(server, owner, "Курс двоих", "LINK");
  await joinTeam(server, owner, editor, courseId, "editor");
  const { page } = await tabFor(editor);
  await page.goto(`/edit-course/${courseId}?tab=settings`);
  const section = page.getByRole("region", { name: "Страница курса" });
  await expect(section.getByText("Изменить это может владелец.")).toBeVisible();
  await expect(section.getByRole("radio")).toHaveCount(0);
  await expect(section.getByRole("button", { name: "Выбрать изображение" })).toBeVisible();
});
