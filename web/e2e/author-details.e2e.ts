import type { Locator, Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { createCourse, signUp } from "./api.ts";
import { openOutline, row } from "./course-outline.ts";
import { expect, recordOperations } from "./fixtures.ts";
import { contentField, expectSaved, paragraph, test, textBeforeCursor } from "./page-editor.ts";
import { field, signIn } from "./ui.ts";

const box = async (one: Locator) => {
  const found = await one.boundingBox();
  if (!found) throw new Error(`${one} has no box`);
  return found;
};
const main = (page: Page) => page.getByRole("main");

test.describe("the page editor", () => {
  test("a block's settings leave the text free, and go when their block is scrolled away", async ({
    openNewPage,
  }) => {
    const lines = Array.from({ length: 60 }, (_, at) => paragraph(`Строка ${at}`));
    const code = {
      type: "codeBlock",
      attrs: { language: "rust" },
      content: [{ type: "text", text: "let x = 1;\nlet y = 2;" }],
    };
    const { page } = await openNewPage([paragraph("Начало"), code, ...lines]);
    await contentField(page).locator("pre").click();
    const panel = page.locator("[data-panel=codeBlock]");
    await expect(panel).toBeVisible();
    const [shown, block] = [await box(panel), await box(contentField(page).locator("pre"))];
    expect(shown.y >= block.y + block.height || shown.y + shown.height <= block.y).toBe(true);
    await contentField(page)
      .getByText("Строка 59")
      .evaluate((line) => line.scrollIntoView());
    await expect(panel).toBeHidden();
  });

  test("code has the colours that learners see", async ({ openNewPage }) => {
    const code = {
      type: "codeBlock",
      attrs: { language: "rust" },
      content: [{ type: "text", text: "let x = 1;" }],
    };
    const { page, storedBlocks } = await openNewPage([code, paragraph("Конец")]);
    const keyword = contentField(page).locator(".hljs-keyword");
    await expect(keyword).toHaveText("let");
    await contentField(page).locator("pre").click();
    await page.keyboard.press("Home");
    await expect.poll(() => textBeforeCursor(page)).toBe("");
    await page.keyboard.type("fn main() {}\n");
    await expect(keyword).toHaveText(["fn", "let"]);
    await expectSaved(page);
    await expect
      .poll(async () => (await storedBlocks())[0]?.content?.[0]?.text)
      .toBe("fn main() {}\nlet x = 1;");
  });

  test("on a phone «Вставить» stays on the toolbar, and the head keeps its height when others join", async ({
    openEditor,
    openNewPage,
    adminToken,
    server,
  }) => {
    const { page, pageId, courseId } = await openNewPage([paragraph("Текст")]);
    await page.setViewportSize({ width: 375, height: 740 });
    await expect(page.getByRole("button", { name: "Вставить" })).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1440, height: 900 });
    const before = await box(contentField(page));
    const colleague = await signUp(server, "Коллега Кира Кирилловна");
    await graphql(
      server.url,
      adminToken,
      "mutation ($input: HandOverCourseInput!) { handOverCourse(input: $input) { course { id } } }",
      { input: { courseId, email: colleague.email } },
    );
    await openEditor(colleague, pageId);
    await expect(page.getByText(/Коллега Кира|Кира/).first()).toBeVisible();
    expect((await box(contentField(page))).y).toBe(before.y);
  });

  test("the message that a page could not be loaded has room around its words", async ({ openNewPage }) => {
    const { page, pageId } = await openNewPage([paragraph("Текст")]);
    await page.route("**/graphql", (route) =>
      route.request().postDataJSON()?.operationName === "ReadingPage" ? route.abort() : route.continue(),
    );
    await page.goto(`/view-page/${pageId}`);
    const heading = page.getByRole("alert").getByRole("heading", { level: 1 });
    await expect(heading).toBeVisible();
    const area = await box(main(page));
    expect((await box(heading)).x - area.x).toBeGreaterThanOrEqual(16);
  });
});

test.describe("the outline", () => {
  test("has no empty gutter on a phone", async ({ server, newTab }) => {
    const author = await signUp(server);
    const id = await createCourse(server, author, "Курс", { Модуль: { Урок: ["Страница"] } });
    const { page } = await newTab({ viewport: "phone", touch: true, token: author.token });
    await openOutline(page, id);
    const chevron = row(page, "Модуль «Модуль»").getByRole("button").first();
    const grid = await box(page.getByRole("treegrid"));
    expect((await box(chevron)).x - grid.x).toBeLessThanOrEqual(8);
  });

  test("the focus returns to the row whose deletion was undone", async ({ server, tabFor }) => {
    const author = await signUp(server);
    const id = await createCourse(server, author, "Курс", { Модуль: { Урок: ["Первая", "Вторая"] } });
    const { page } = await tabFor(author);
    // The toast may load after the key: its code is the last that comes.
    let load = () => {};
    const loading = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route("**/assets/Toaster-*.js", (route) => loading.then(() => route.continue()));
    await openOutline(page, id);
    await row(page, "Страница «Первая»").focus();
    await page.keyboard.press("Delete");
    await expect(row(page, "Страница «Вторая»")).toBeFocused();
    await page.keyboard.press("Control+z");
    await expect(row(page, "Страница «Первая»")).toBeFocused();
    const loaded = page.waitForResponse("**/assets/Toaster-*.js");
    load();
    await loaded;
  });

  test("the palette previews the open course and publishes all of it", async ({ server, tabFor }) => {
    const author = await signUp(server);
    const id = await createCourse(server, author, "Курс", { Модуль: { Урок: ["Первая"] } });
    const { page } = await tabFor(author);
    await openOutline(page, id);
    await row(page, "Страница «Первая»")
      .getByRole("button", { name: /Опубликован|Скрыть|Снять/ })
      .click();
    await expect(row(page, "Страница «Первая», черновик")).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Этот курс: опубликовать всё" }).click();
    await expect(row(page, "Страница «Первая», опубликована")).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /^Этот курс: как видит ученик/i }).click();
    await page.waitForURL((url) => url.pathname === `/view-course/${id}`);
  });
});

test.describe("the quiz builder", () => {
  test("hints at what an empty option is for, and says «Успешно!» about a deleted question", async ({
    server,
    tabFor,
  }) => {
    const author = await signUp(server);
    const id = await createCourse(server, author, "Курс", { Модуль: { Урок: ["Страница"] } });
    const { course } = await graphql(
      server.url,
      author.token,
      "query ($id: ID!) { course(id: $id) { modules { lessons { id } } } }",
      { id },
    );
    const { createPage } = await graphql(
      server.url,
      author.token,
      "mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }",
      { input: { lessonId: course.modules[0].lessons[0].id, title: "Тест", kind: "QUIZ", published: false } },
    );
    const { page } = await tabFor(author);
    await page.goto(`/edit-page/${createPage.page.id}`);
    await page.getByRole("button", { name: "Один вариант" }).click();
    const option = page.getByRole("textbox", { name: "Вариант 1" });
    const hint = () => option.evaluate((element) => getComputedStyle(element, "::before").content);
    await expect.poll(hint).toBe('"Вариант 1"');
    await page.getByRole("button", { name: /^Удалить вопрос/ }).click();
    await expect(page.getByRole("status").filter({ hasText: "Успешно!" })).toBeVisible();
  });
});

test.describe("links of exports", () => {
  test("are in the language of the screen", async ({ openNewPage, newTab, adminToken }) => {
    const { courseId } = await openNewPage([paragraph("Текст")]);
    const { page } = await newTab({ token: adminToken, locale: "en-US" });
    await page.goto(`/edit-course/${courseId}?tab=settings`);
    const lines = async (button: string) => {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: button }).click();
      const chunks: Buffer[] = [];
      for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString("utf8");
    };
    expect(await lines("Скачать: Результаты в CSV")).toContain("Имя");
    await page.keyboard.press("Control+k");
    // Typed, so that no other command moves under the pointer.
    await page.getByRole("dialog").getByRole("combobox").fill("English");
    await page.getByRole("option", { name: "Язык: English" }).click();
    expect(await lines("Download: Results as CSV")).toContain("Name");
  });
});

test.describe("invitations", () => {
  test("a server without mail gives the owner the link, which names the invitation and works", async ({
    server,
    tabFor,
    newTab,
  }) => {
    const owner = await signUp(server, "Орлова Ольга Олеговна");
    const id = await createCourse(server, owner, "Общий курс");
    const { page } = await tabFor(owner);
    await page.goto(`/edit-course/${id}?tab=settings`);
    const colleague = await signUp(server, "Коллега Кира Кирилловна");
    await field(page, "Email").fill(colleague.email);
    await page.getByRole("button", { name: "Пригласить" }).click();
    await expect(
      page.getByText(`Приглашение готово: ${colleague.email}. Отправьте ссылку сами.`),
    ).toBeVisible();
    await expect(page.getByText("Приглашение отправлено")).toHaveCount(0);
    const link = new URL((await page.getByRole("status", { name: "Ссылка-приглашение" }).innerText()).trim());

    const { page: other } = await newTab();
    await other.goto(link.pathname + link.search);
    await other.waitForURL((url) => url.pathname === "/login");
    await expect(
      other.getByText("Вас пригласили вести курс. Войдите, чтобы принять приглашение."),
    ).toBeVisible();
    await signIn(other, colleague.email, colleague.password);
    await other.waitForURL((url) => url.pathname === `/edit-course/${id}`);
  });

  test("after signing up the message of success covers no field", async ({ newTab }) => {
    const { page } = await newTab();
    await page.goto("/signup");
    const email = `novaya-${Date.now()}@example.com`;
    const typed = { Фамилия: "Белова", Имя: "Ольга", Отчество: "Игоревна", Email: email };
    for (const [label, value] of Object.entries(typed)) await field(page, label).fill(value);
    await field(page, "Пароль").fill("очень-тайный-пароль");
    await field(page, "Подтверждение пароля").fill("очень-тайный-пароль");
    await page.getByRole("button", { name: "Зарегистрироваться" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    const message = page.getByRole("status").filter({ hasText: "Успешно!" });
    await expect(message).toBeVisible();
    const toast = await box(message);
    for (const label of ["Email", "Пароль"]) {
      const input = await box(field(page, label));
      expect(input.x + input.width <= toast.x || input.y >= toast.y + toast.height).toBe(true);
    }
    await expect(message).toHaveCount(0, { timeout: 6_000 });
  });
});

test("the import of a document asks which headings become lessons and pages, and shows the result", async ({
  server,
  tabFor,
}) => {
  const author = await signUp(server);
  const { page } = await tabFor(author);
  await page.goto("/import");
  const text =
    "# Начало\n\n## Установка\n\nСлова.\n\n## Запуск\n\nСлова.\n\n# Дальше\n\n## Циклы\n\nСлова.\n";
  const operations = recordOperations(page);
  await page
    .getByLabel("Выбрать файл")
    .last()
    .setInputFiles({ name: "Курс.md", mimeType: "text/markdown", buffer: Buffer.from(text) });
  const counts = main(page).getByRole("list", { name: "Что нашлось" });
  await expect(counts).toHaveText(/1.модуль\s*1.урок\s*2.страницы/);
  await page.getByLabel("В новый курс").check();
  await page.getByLabel("Всё и сразу").check();
  await page.getByLabel("Что начинают заголовки").selectOption("1-й уровень — уроки, 2-й — страницы");
  await expect(counts).toHaveText(/1.модуль\s*2.урока\s*3.страницы/);
  await expect(
    main(page)
      .getByRole("listitem")
      .filter({ hasText: /^Дальше/ }),
  ).toBeVisible();
  // The choice can be taken back.
  await page.getByLabel("Что начинают заголовки").selectOption("Определить автоматически");
  await expect(counts).toHaveText(/1.модуль\s*1.урок\s*2.страницы/);
  await page.getByLabel("Что начинают заголовки").selectOption("1-й уровень — уроки, 2-й — страницы");
  await expect(counts).toHaveText(/1.модуль\s*2.урока\s*3.страницы/);
  // What was chosen before stays chosen.
  await expect(page.getByLabel("Всё и сразу")).toBeChecked();
  await page.getByRole("button", { name: "Создать курс" }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
  await expect(row(page, "Урок «Дальше»")).toBeVisible();
  await expect(row(page, "Страница «Циклы», опубликована")).toBeVisible();
  expect(operations.filter((name) => name === "ConfirmImport")).toHaveLength(4);
});
