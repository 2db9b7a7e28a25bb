import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, createCourse, enroll, generateShareCode, signUp } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { field } from "./ui.ts";

async function courseTitles(server: Server, account: Account): Promise<string[]> {
  const { myCourses } = await graphql(server.url, account.token, "{ myCourses { nodes { title } } }", {});
  return myCourses.nodes.map((course: { title: string }) => course.title).toSorted();
}

test.describe("courses of a teacher", () => {
  test("creates the first course after a title error and opens it", async ({ server, tabFor }) => {
    const account = await signUp(server);
    const { page } = await tabFor(account);
    await page.goto("/");
    await expect(page.getByText("Вы пока не ведёте курсы")).toBeVisible();
    // The code field leads: most new users come to learn.
    const enroll = page.getByRole("button", { name: "Записаться" });
    await expect(enroll).toHaveAttribute("data-variant", "filled");
    const create = page.getByRole("button", { name: "Создать курс" });
    await expect(create).toHaveAttribute("data-variant", "default");
    await create.click();
    await page.getByRole("button", { name: "Создать", exact: true }).click();
    await expect(page.getByText("Введите название")).toBeVisible();
    await field(page, "Название курса").fill("Первый курс");
    await page.getByRole("button", { name: "Создать", exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
    await page.getByRole("link", { name: "Мои курсы" }).first().click();
    await expect(page.getByRole("link", { name: "Первый курс" })).toBeVisible();
    // A teacher who learns nothing sees the courses they teach first.
    await expect(page.locator("main h2")).toHaveText(["Я преподаю", "Я учусь"]);
  });

  test("duplicates a course, and deletes one without students at once with undo", async ({
    server,
    tabFor,
  }) => {
    const account = await signUp(server);
    await createCourse(server, account, "Образец", { Модуль: { Урок: ["Страница"] } });
    const { page } = await tabFor(account);
    await page.goto("/");
    const menu = (course: string) => page.getByRole("button", { name: `Действия с курсом «${course}»` });
    await menu("Образец").click();
    await page.getByRole("menuitem", { name: "Сделать копию" }).click();
    await expect(page.getByRole("link", { name: "Образец (копия)" })).toBeVisible();
    await menu("Образец (копия)").click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    await expect(page.getByText("Курс «Образец (копия)» удалён.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Образец (копия)" })).toHaveCount(0);
    expect(await courseTitles(server, account)).toEqual(["Образец", "Образец (копия)"]);
    await page.getByRole("button", { name: "Отменить" }).click();
    await expect(page.getByRole("link", { name: "Образец (копия)" })).toBeVisible();
    await menu("Образец (копия)").click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    // Leaving the app does not cancel the deletion.
    await page.getByRole("link", { name: "Образец", exact: true }).click();
    await page.goto("/api/v1/utils/health-check/");
    await expect.poll(() => courseTitles(server, account), "the server").toEqual(["Образец"]);
  });

  test("deletes a course with students only after its title is typed", async ({ server, tabFor }) => {
    const account = await signUp(server);
    const id = await createCourse(server, account, "Курс с учениками");
    const shareCode = await generateShareCode(server, account, id);
    await enroll(server, await signUp(server), shareCode);
    const { page } = await tabFor(account);
    await page.goto("/");
    await page.getByRole("button", { name: "Действия с курсом «Курс с учениками»" }).click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    const dialog = page.getByRole("dialog");
    const button = dialog.getByRole("button", { name: "Удалить курс" });
    await dialog.getByRole("textbox").fill("Курс");
    await expect(button).toBeDisabled();
    await dialog.getByRole("textbox").fill("Курс с учениками");
    await button.click();
    await expect(page.getByText("Вы пока не ведёте курсы")).toBeVisible();
    expect(await courseTitles(server, account)).toEqual([]);
  });

  test("searches and sorts by title, and keeps both in the address", async ({ server, tabFor }) => {
    const account = await signUp(server);
    for (const title of ["Алгебра 9", "Геометрия", "Алгебра 10", "Химия", "Физика", "Ёлки", "Музыка"])
      await createCourse(server, account, title);
    const { page } = await tabFor(account);
    await page.goto("/");
    const shown = () => page.locator("main h3").allInnerTexts();
    await field(page, "Порядок курсов").selectOption("title");
    await expect
      .poll(shown, "by title")
      .toEqual(["Алгебра 9", "Алгебра 10", "Геометрия", "Ёлки", "Музыка", "Физика", "Химия"]);
    await field(page, "Найти курс по названию").fill("алг");
    await expect.poll(shown, "found").toEqual(["Алгебра 9", "Алгебра 10"]);
    await page.reload();
    await expect.poll(shown, "found after a reload").toEqual(["Алгебра 9", "Алгебра 10"]);
    await field(page, "Найти курс по названию").fill("биология");
    await expect(page.getByText("По запросу «биология» ничего не нашлось.")).toBeVisible();
    await field(page, "Найти курс по названию").fill("елк");
    await expect.poll(shown, "ё and е").toEqual(["Ёлки"]);
  });

  test("shows more than a hundred courses in pages of twenty", async ({ server, tabFor }) => {
    const account = await signUp(server);
    for (let created = 0; created < 105; created++)
      await createCourse(server, account, `Курс ${created + 1}`);
    const { page } = await tabFor(account);
    await page.goto("/?page=6");
    await expect(page.getByText("6 из 6", { exact: true })).toBeVisible();
    await expect(page.locator("main h3")).toHaveCount(5);
    await field(page, "Найти курс по названию").fill("Курс 1");
    await expect(page.getByText("1 из 1", { exact: true })).toHaveCount(0);
    await field(page, "Найти курс по названию").fill("101");
    await expect(page.locator("main h3")).toHaveText(["Курс 101"]);
  });
});
