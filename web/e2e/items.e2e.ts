import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql, login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { eventually, field, toast } from "./app.ts";
import { newTab, signedIn, watchOperations, withBrowser } from "./browser.ts";
import { type Person, person } from "./people.ts";

let server: Server;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
});
afterAll(() => server?.stop());

const titles = async (who: { token: string }): Promise<string[]> =>
  (await graphql(server.url, who.token, "{ items { nodes { title } } }", {})).items.nodes.map(
    (item: { title: string }) => item.title,
  );
const make = (who: Person, title: string) =>
  graphql(
    server.url,
    who.token,
    "mutation ($i: CreateItemInput!) { createItem(input: $i) { item { id } } }",
    {
      i: { title },
    },
  );

describe("/items", () => {
  test("says what to do when there is nothing, and everything is done by the keyboard", async () => {
    const who = await person(server);
    const { page } = await signedIn(server, who);
    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("элементы");
    await page.getByRole("option", { name: "Элементы" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/items");
    await page.getByRole("heading", { name: "Здесь пока пусто" }).waitFor();

    await page.getByRole("button", { name: "Добавить элемент" }).press("Enter");
    await expect
      .poll(() => field(page, "Название").evaluate((it) => it === document.activeElement))
      .toBe(true);
    await page.keyboard.press("Enter");
    await page.getByText("Введите название").waitFor();
    await page.keyboard.type("я".repeat(256));
    await page.keyboard.press("Enter");
    await page.getByText("Название не длиннее 255 знаков").waitFor();
    await field(page, "Название").fill("Первый элемент");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Пара слов о нём");
    await page.getByRole("dialog").getByRole("button", { name: "Добавить" }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("listitem").getByText("Пара слов о нём").waitFor();
    expect(await titles(who)).toEqual(["Первый элемент"]);

    await page.getByRole("button", { name: "Действия с элементом «Первый элемент»" }).press("Enter");
    await page.keyboard.press("Enter");
    await field(page, "Название").fill("Тот же, но иначе");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Тот же, но иначе", exact: true }).waitFor();
    expect(await titles(who)).toEqual(["Тот же, но иначе"]);
  });

  test("keeps what was typed when the server cannot be reached", async () => {
    const who = await person(server);
    const { page } = await signedIn(server, who);
    await page.goto("/items");
    await page.getByRole("button", { name: "Добавить элемент" }).click();
    await field(page, "Название").fill("Не потеряется");
    await page.route("**/graphql", (route) => route.abort());
    await page.getByRole("dialog").getByRole("button", { name: "Добавить" }).click();
    await toast(page, "Что-то пошло не так!").waitFor();
    expect(await field(page, "Название").inputValue()).toBe("Не потеряется");
    await page.unroute("**/graphql");
    await page.getByRole("dialog").getByRole("button", { name: "Добавить" }).click();
    await page.getByRole("button", { name: "Не потеряется", exact: true }).waitFor();
  });

  test("takes a deletion back, and sends it when nobody does", async () => {
    const who = await person(server);
    await make(who, "Лишний");
    await make(who, "Нужный");
    const { page } = await signedIn(server, who);
    await page.goto("/items");
    const remove = async () => {
      await page.getByRole("button", { name: "Действия с элементом «Лишний»" }).click();
      await page.getByRole("menuitem", { name: "Удалить" }).click();
      await page.getByRole("button", { name: "Лишний", exact: true }).waitFor({ state: "detached" });
    };
    await remove();
    await page.getByRole("button", { name: "Отменить" }).click();
    await page.getByRole("button", { name: "Лишний", exact: true }).waitFor();
    expect(await titles(who)).toEqual(["Нужный", "Лишний"]);
    await remove();
    await eventually(() => titles(who), ["Нужный"], "the server's items");
  });

  test("is paged by the address: 1 when it is no number, the last one when it is beyond the end", async () => {
    const who = await person(server);
    for (let number = 1; number <= 41; number++) await make(who, `Элемент номер ${number}`);
    const { page } = await signedIn(server, who);
    const operations = watchOperations(page);
    const rows = page.getByRole("list", { name: "Элементы" }).getByRole("listitem");
    await page.goto("/items?page=abc");
    await page.getByText("1 из 3", { exact: true }).waitFor();
    expect(await rows.count()).toBe(20);
    await rows.first().getByText("Элемент номер 41", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Вперёд" }).click();
    await page.getByText("2 из 3", { exact: true }).waitFor();
    await rows.first().getByText("Элемент номер 21", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?page=2");
    await page.goto("/items?page=9");
    await page.getByText("3 из 3", { exact: true }).waitFor();
    await rows.first().getByText("Элемент номер 1", { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?page=3");
    // A page is one question, however long the list is.
    expect(operations.filter((name) => name === "Items").length).toBeLessThanOrEqual(5);
  });

  test("shows a superuser everybody's", async () => {
    const who = await person(server);
    await make(who, "Чужая запись");
    const { page } = await newTab(server, { token: await login(server.url, admin.email, admin.password) });
    await page.goto("/items");
    await page.getByRole("listitem").filter({ hasText: "Чужая запись" }).getByText("не ваш").waitFor();
  });
});
