import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { makeCourse } from "./authoring.ts";
import { expectAccessible, expectNoSidewaysScroll, resize, signedIn, wear, withBrowser } from "./browser.ts";
import { type Person, person } from "./people.ts";

let server: Server;
let author: Person;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
  author = await person(server);
});
afterAll(() => server?.stop());

const questions = "::Сумма:: Сколько будет 2 + 2? {=4 ~5}\n\n::Эссе:: Расскажите о себе. {}\n";
const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const titles = async (id: string): Promise<string[]> => {
  const query = "query ($id: ID!) { course(id: $id) { modules { title } } }";
  const { course } = await graphql(server.url, author.token, query, { id });
  return course.modules.map(({ title }: { title: string }) => title);
};

describe("import", () => {
  test("a file is sent, looked at, found again after leaving, and becomes a course", async () => {
    const { page } = await signedIn(server, author);
    await page.goto("/");
    await page.getByRole("link", { name: "Импортировать курс" }).click();
    await page.getByRole("heading", { level: 1, name: "Импорт курса" }).waitFor();
    await expectAccessible(page, "import");
    await page.getByLabel("Выбрать файл").last().setInputFiles(file("Вопросы.gift", questions));
    await page.getByText("Файл прочитан.").waitFor();
    await page.getByText("1 вопрос", { exact: true }).first().waitFor();
    await page.getByText("вопрос с развёрнутым ответом").waitFor();

    // The report by what became of things, on a narrow phone and in both themes.
    await page.getByLabel("Изменено: 1").check();
    await page.getByText("вопрос с развёрнутым ответом").waitFor();
    await resize(page, { width: 360, height: 740 });
    await expectNoSidewaysScroll(page, "import, 360");
    for (const theme of ["light", "dark"] as const) {
      await wear(page, theme);
      await expectAccessible(page, `import preview, ${theme}`);
    }

    // Whoever left finds it among their imports.
    await page.goto("/import");
    await page.getByText("ждёт вас").waitFor();
    await page.getByRole("list", { name: "Ваши импорты" }).getByRole("link").first().click();
    await page.getByRole("button", { name: "Создать курс" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
    const id = new URL(page.url()).pathname.split("/")[2] ?? "";
    expect((await titles(id)).length).toBe(1);
  });

  test("goes to the end of a course, and a cancelled one goes nowhere", async () => {
    const id = await makeCourse(server, author, "Есть уже", { Первый: { Урок: ["Страница"] } });
    const { page } = await signedIn(server, author);
    await page.goto("/import");
    const choose = () =>
      page.getByLabel("Выбрать файл").last().setInputFiles(file("Вопросы.gift", questions));
    await choose();
    await page.getByLabel("В конец моего курса").check();
    await page.getByRole("button", { name: "Добавить в курс" }).click();
    await page.getByRole("alert").filter({ hasText: "Выберите курс" }).waitFor();
    await page.getByLabel("Курс", { exact: true }).selectOption({ label: "Есть уже" });
    await page.getByRole("button", { name: "Добавить в курс" }).click();
    await page.waitForURL((url) => url.pathname === `/edit-course/${id}`);
    expect((await titles(id)).length).toBe(2);

    await page.goto("/import");
    await choose();
    await page.getByText("Файл прочитан.").waitFor();
    await page.getByRole("button", { name: "Отменить импорт" }).click();
    await page.getByText("Импорт отменён: ничего не добавлено").waitFor();
    expect((await titles(id)).length).toBe(2);
  });

  test("a file that is no course says why", async () => {
    const { page } = await signedIn(server, author);
    await page.goto("/import");
    await page.getByLabel("Выбрать файл").last().setInputFiles(file("Курс.zip", "PK\x03\x04 и всё"));
    await page.getByRole("alert").filter({ hasText: "Импорт не удался" }).waitFor();
    await page.getByText(/^Курс\.zip: /).waitFor();
    await page.getByRole("link", { name: "Импортировать ещё" }).click();
    await page.getByText("не вышло").waitFor();
  });
});

test("export gives the browser a file with the course's name", async () => {
  const id = await makeCourse(server, author, "Курс №1", { Первый: { Урок: ["Страница"] } });
  const { page } = await signedIn(server, author);
  await page.goto(`/edit-course/${id}?tab=settings`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Скачать: Kurso Markdown" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Курс №1.zip");
  const stream = await download.createReadStream();
  const [first] = await stream.take(1).toArray();
  expect((first as Buffer).subarray(0, 2).toString()).toBe("PK");
});
