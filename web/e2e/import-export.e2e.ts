import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { applyTheme, expectAccessible, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { type Account, createCourse, signUp } from "./api.ts";
import { test as base, expect } from "./fixtures.ts";

interface Fixtures {
  author: Account;
}

const test = base.extend<Fixtures>({
  author: async ({ server }, use) => {
    await use(await signUp(server));
  },
});

const questions =
  "::Сумма:: Сколько будет 2 + 2? {=4 ~5}\n\n::Доли:: Что из этого верно? {~%70%это ~%50%то ~иное}\n";
const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
async function moduleTitles(server: Server, author: Account, id: string): Promise<string[]> {
  const query = "query ($id: ID!) { course(id: $id) { modules { title } } }";
  const { course } = await graphql(server.url, author.token, query, { id });
  return course.modules.map(({ title }: { title: string }) => title);
}

/** The pages that are published, of all pages, and whether the course has a share code. */
async function visibility(server: Server, author: Account, id: string) {
  const query =
    "query ($id: ID!) { course(id: $id) { shareCode modules { lessons { pages { published } } } } }";
  const { course } = await graphql(server.url, author.token, query, { id });
  type Module = { lessons: { pages: { published: boolean }[] }[] };
  const pages = (course.modules as Module[]).flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages));
  return {
    published: pages.filter(({ published }) => published).length,
    pages: pages.length,
    shared: course.shareCode !== null,
  };
}

test.describe("import", () => {
  test("previews an uploaded file, keeps the import while the author is away, and creates the course", async ({
    server,
    tabFor,
    author,
  }) => {
    const { page } = await tabFor(author);
    await page.goto("/");
    await page.getByRole("link", { name: "Импортировать курс" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Импорт курса" })).toBeVisible();
    await expectAccessible(page, "import");
    await page.getByLabel("Выбрать файл").last().setInputFiles(file("Вопросы.gift", questions));
    await expect(page.getByText("Файл прочитан.")).toBeVisible();
    await expect(page.getByText("2 вопроса", { exact: true }).first()).toBeVisible();
    await expect(page.getByText("доли баллов за отдельные ответы")).toBeVisible();

    // Filter the report by outcome, on a narrow phone and in both themes.
    await page.getByLabel("Изменено: 1").check();
    await expect(page.getByText("доли баллов за отдельные ответы")).toBeVisible();
    await resize(page, { width: 360, height: 740 });
    await expectNoHorizontalScroll(page, "import, 360");
    for (const theme of ["light", "dark"] as const) {
      await applyTheme(page, theme);
      await expectAccessible(page, `import preview, ${theme}`);
    }

    // The import is listed after the author comes back.
    await page.goto("/import");
    await expect(page.getByText("ждёт вас")).toBeVisible();
    await page.getByRole("list", { name: "Ваши импорты" }).getByRole("link").first().click();
    await page.getByRole("button", { name: "Создать курс" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
    const id = new URL(page.url()).pathname.split("/")[2] ?? "";
    expect((await moduleTitles(server, author, id)).length).toBe(1);
    // Nobody asked to publish it.
    expect(await visibility(server, author, id)).toEqual({ published: 0, pages: 1, shared: false });
  });

  test("appends to an existing course, and adds nothing when it is cancelled", async ({
    server,
    tabFor,
    author,
  }) => {
    const id = await createCourse(server, author, "Есть уже", { Первый: { Урок: ["Страница"] } });
    const { page } = await tabFor(author);
    await page.goto("/import");
    const choose = () =>
      page.getByLabel("Выбрать файл").last().setInputFiles(file("Вопросы.gift", questions));
    await choose();
    await page.getByLabel("В конец моего курса").check();
    await page.getByRole("button", { name: "Добавить в курс" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Выберите курс" })).toBeVisible();
    await page.getByLabel("Курс", { exact: true }).selectOption({ label: "Есть уже" });
    await page.getByLabel("Всё и сразу").check();
    await page.getByRole("button", { name: "Добавить в курс" }).click();
    await page.waitForURL((url) => url.pathname === `/edit-course/${id}`);
    expect((await moduleTitles(server, author, id)).length).toBe(2);
    expect((await visibility(server, author, id)).published).toBe(2);

    await page.goto("/import");
    await choose();
    await expect(page.getByText("Файл прочитан.")).toBeVisible();
    await page.getByRole("button", { name: "Отменить импорт" }).click();
    await expect(page.getByText("Импорт отменён: ничего не добавлено")).toBeVisible();
    expect((await moduleTitles(server, author, id)).length).toBe(2);
  });

  test("shows why a file cannot be imported", async ({ tabFor, author }) => {
    const { page } = await tabFor(author);
    await page.goto("/import");
    await page.getByLabel("Выбрать файл").last().setInputFiles(file("Курс.zip", "PK\x03\x04 и всё"));
    await expect(page.getByRole("alert").filter({ hasText: "Импорт не удался" })).toBeVisible();
    await expect(page.getByText(/^Курс\.zip: /)).toBeVisible();
    await page.getByRole("link", { name: "Импортировать ещё" }).click();
    await expect(page.getByText("не вышло")).toBeVisible();
  });
});

test("export downloads a file named after the course", async ({ server, tabFor, author }) => {
  const id = await createCourse(server, author, "Курс №1", { Первый: { Урок: ["Страница"] } });
  const { page } = await tabFor(author);
  await page.goto(`/edit-course/${id}?tab=settings`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Скачать: Kurso Markdown" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Курс №1.zip");
  const stream = await download.createReadStream();
  const [first] = await stream.take(1).toArray();
  expect((first as Buffer).subarray(0, 2).toString()).toBe("PK");

  const [questions] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Скачать: Вопросы в GIFT" }).click(),
  ]);
  expect(questions.suggestedFilename()).toBe("Курс №1.gift");
  const heading = page.getByRole("heading", { name: "Вопросы в GIFT: что в файл не вошло или изменилось" });
  await expect(heading).toBeVisible();
  await expect(page.getByText("В нём нет вопросов, поэтому файл пуст")).toBeVisible();
});
