import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { eventually, field } from "./app.ts";
import { makeCourse } from "./authoring.ts";
import { signedIn, withBrowser } from "./browser.ts";
import { enroll, type Person, person } from "./people.ts";

let server: Server;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
});
afterAll(() => server?.stop());

async function titles(who: Person): Promise<string[]> {
  const { myCourses } = await graphql(server.url, who.token, "{ myCourses { nodes { title } } }", {});
  return myCourses.nodes.map((course: { title: string }) => course.title).toSorted();
}

describe("the courses one teaches", () => {
  test("begin with the first: what is wrong with its name is said, and it opens", async () => {
    const who = await person(server);
    const { page } = await signedIn(server, who);
    await page.goto("/");
    await page.getByText("Вы пока не ведёте курсы").waitFor();
    await page.getByRole("button", { name: "Создать курс" }).click();
    await page.getByRole("button", { name: "Создать", exact: true }).click();
    await page.getByText("Введите название").waitFor();
    await field(page, "Название курса").fill("Первый курс");
    await page.getByRole("button", { name: "Создать", exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/edit-course/"));
    await page.getByRole("link", { name: "Мои курсы" }).first().click();
    await page.getByRole("link", { name: "Первый курс" }).waitFor();
  });

  test("are copied, and deleted at once and back again while nobody learns them", async () => {
    const who = await person(server);
    await makeCourse(server, who, "Образец", { Модуль: { Урок: ["Страница"] } });
    const { page } = await signedIn(server, who);
    await page.goto("/");
    const menu = (course: string) => page.getByRole("button", { name: `Действия с курсом «${course}»` });
    await menu("Образец").click();
    await page.getByRole("menuitem", { name: "Сделать копию" }).click();
    await page.getByRole("link", { name: "Образец (копия)" }).waitFor();
    await menu("Образец (копия)").click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    await page.getByText("Курс «Образец (копия)» удалён.").waitFor();
    await page.getByRole("link", { name: "Образец (копия)" }).waitFor({ state: "detached" });
    expect(await titles(who)).toEqual(["Образец", "Образец (копия)"]);
    await page.getByRole("button", { name: "Отменить" }).click();
    await page.getByRole("link", { name: "Образец (копия)" }).waitFor();
    await menu("Образец (копия)").click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    // Leaving does not save it.
    await page.getByRole("link", { name: "Образец", exact: true }).click();
    await page.goto("/api/v1/utils/health-check/");
    await eventually(() => titles(who), ["Образец"], "the server");
  });

  test("need their name typed when students would lose them", async () => {
    const who = await person(server);
    const id = await makeCourse(server, who, "Курс с учениками");
    const { generateShareCode } = await graphql(
      server.url,
      who.token,
      "mutation ($id: ID!) { generateShareCode(input: {courseId: $id}) { course { shareCode } } }",
      { id },
    );
    await enroll(server, await person(server), generateShareCode.course.shareCode);
    const { page } = await signedIn(server, who);
    await page.goto("/");
    await page.getByRole("button", { name: "Действия с курсом «Курс с учениками»" }).click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    const dialog = page.getByRole("dialog");
    const button = dialog.getByRole("button", { name: "Удалить курс" });
    await dialog.getByRole("textbox").fill("Курс");
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill("Курс с учениками");
    await button.click();
    await page.getByText("Вы пока не ведёте курсы").waitFor();
    expect(await titles(who)).toEqual([]);
  });

  test("are found by words of their titles and put in order, in an address that can be kept", async () => {
    const who = await person(server);
    for (const title of ["Алгебра 9", "Геометрия", "Алгебра 10", "Химия", "Физика", "Ёлки", "Музыка"])
      await makeCourse(server, who, title);
    const { page } = await signedIn(server, who);
    await page.goto("/");
    const shown = () => page.locator("main h3").allInnerTexts();
    await field(page, "Порядок курсов").selectOption("title");
    await eventually(
      shown,
      ["Алгебра 9", "Алгебра 10", "Геометрия", "Ёлки", "Музыка", "Физика", "Химия"],
      "by title",
    );
    await field(page, "Найти курс по названию").fill("алг");
    await eventually(shown, ["Алгебра 9", "Алгебра 10"], "found");
    await page.reload();
    await eventually(shown, ["Алгебра 9", "Алгебра 10"], "found again");
    await field(page, "Найти курс по названию").fill("биология");
    await page.getByText("По запросу «биология» ничего не нашлось.").waitFor();
    await field(page, "Найти курс по названию").fill("елк");
    await eventually(shown, ["Ёлки"], "ё and е");
  });

  test("of more than a hundred all come, twenty at a time", async () => {
    const who = await person(server);
    for (let made = 0; made < 105; made++) await makeCourse(server, who, `Курс ${made + 1}`);
    const { page } = await signedIn(server, who);
    await page.goto("/?page=6");
    await page.getByText("6 из 6", { exact: true }).waitFor();
    await eventually(() => page.locator("main h3").count(), 5, "the last page");
    await field(page, "Найти курс по названию").fill("Курс 1");
    await page.getByText("1 из 1", { exact: true }).waitFor({ state: "detached" });
    await field(page, "Найти курс по названию").fill("101");
    await eventually(() => page.locator("main h3").allInnerTexts(), ["Курс 101"], "found");
  });
});
