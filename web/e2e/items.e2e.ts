import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, signUp } from "./api.ts";
import { expect, recordOperations, test } from "./fixtures.ts";
import { field, toast } from "./ui.ts";

const itemTitles = async (server: Server, account: { token: string }): Promise<string[]> =>
  (await graphql(server.url, account.token, "{ items { nodes { title } } }", {})).items.nodes.map(
    (item: { title: string }) => item.title,
  );
const createItem = (server: Server, account: Account, title: string) =>
  graphql(
    server.url,
    account.token,
    "mutation ($i: CreateItemInput!) { createItem(input: $i) { item { id } } }",
    {
      i: { title },
    },
  );

test.describe("/items", () => {
  test("explains an empty list, and creates, edits and deletes an item with the keyboard", async ({
    server,
    tabFor,
  }) => {
    const account = await signUp(server);
    const { page } = await tabFor(account);
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeVisible();
    await page.keyboard.type("элементы");
    await expect(page.getByRole("option", { name: "Элементы", exact: true })).toBeVisible();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/items");
    await expect(page.getByRole("heading", { name: "Здесь пока пусто" })).toBeVisible();

    await page.getByRole("button", { name: "Добавить элемент" }).press("Enter");
    await expect(field(page, "Название")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByText("Введите название")).toBeVisible();
    await page.keyboard.type("я".repeat(256));
    await page.keyboard.press("Enter");
    await expect(page.getByText("Название не длиннее 255 знаков")).toBeVisible();
    await field(page, "Название").fill("Первый элемент");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Пара слов о нём");
    await page.getByRole("dialog").getByRole("button", { name: "Добавить" }).press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("listitem").getByText("Пара слов о нём")).toBeVisible();
    expect(await itemTitles(server, account)).toEqual(["Первый элемент"]);

    await page.getByRole("button", { name: "Действия с элементом «Первый элемент»" }).press("Enter");
    await page.keyboard.press("Enter");
    await field(page, "Название").fill("Тот же, но иначе");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Тот же, но иначе", exact: true })).toBeVisible();
    expect(await itemTitles(server, account)).toEqual(["Тот же, но иначе"]);
  });

  test("keeps the form values when the server is unreachable", async ({ server, tabFor }) => {
    const account = await signUp(server);
    const { page } = await tabFor(account);
    await page.goto("/items");
    await page.getByRole("button", { name: "Добавить элемент" }).click();
    await field(page, "Название").fill("Не потеряется");
    await page.route("**/graphql", (route) => route.abort());
    await page.getByRole("dialog").getByRole("button", { name: "Добавить" }).click();
    await expect(toast(page, "Что-то пошло не так!")).toBeVisible();
    await expect(field(page, "Название")).toHaveValue("Не потеряется");
    await page.unroute("**/graphql");
    await page.getByRole("dialog").getByRole("button", { name: "Добавить" }).click();
    await expect(page.getByRole("button", { name: "Не потеряется", exact: true })).toBeVisible();
  });

  test("undoes a deletion, and sends it when it is not undone", async ({ server, tabFor }) => {
    const account = await signUp(server);
    await createItem(server, account, "Лишний");
    await createItem(server, account, "Нужный");
    const { page } = await tabFor(account);
    await page.goto("/items");
    const remove = async () => {
      await page.getByRole("button", { name: "Действия с элементом «Лишний»" }).click();
      await page.getByRole("menuitem", { name: "Удалить" }).click();
      await expect(page.getByRole("button", { name: "Лишний", exact: true })).toHaveCount(0);
    };
    await remove();
    await page.getByRole("button", { name: "Отменить" }).click();
    await expect(page.getByRole("button", { name: "Лишний", exact: true })).toBeVisible();
    expect(await itemTitles(server, account)).toEqual(["Нужный", "Лишний"]);
    await remove();
    await expect.poll(() => itemTitles(server, account), "the server's items").toEqual(["Нужный"]);
  });

  test("reads the page number from the address: 1 if it is invalid, the last page if it is too large", async ({
    server,
    tabFor,
  }) => {
    const account = await signUp(server);
    for (let number = 1; number <= 41; number++) await createItem(server, account, `Элемент номер ${number}`);
    const { page } = await tabFor(account);
    const operations = recordOperations(page);
    const rows = page.getByRole("list", { name: "Элементы" }).getByRole("listitem");
    await page.goto("/items?page=abc");
    await expect(page.getByText("1 из 3", { exact: true })).toBeVisible();
    await expect(rows).toHaveCount(20);
    await expect(rows.first().getByText("Элемент номер 41", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Вперёд" }).click();
    await expect(page.getByText("2 из 3", { exact: true })).toBeVisible();
    await expect(rows.first().getByText("Элемент номер 21", { exact: true })).toBeVisible();
    await expect(page).toHaveURL(({ search }) => search === "?page=2");
    await page.goto("/items?page=9");
    await expect(page.getByText("3 из 3", { exact: true })).toBeVisible();
    await expect(rows.first().getByText("Элемент номер 1", { exact: true })).toBeVisible();
    await expect(page).toHaveURL(({ search }) => search === "?page=3");
    // Each page of the list takes one request.
    expect(operations.filter((name) => name === "Items").length).toBeLessThanOrEqual(5);
  });

  test("shows all items to a superuser", async ({ server, adminToken, newTab }) => {
    const account = await signUp(server);
    await createItem(server, account, "Чужая запись");
    const { page } = await newTab({ token: adminToken });
    await page.goto("/items");
    await expect(
      page.getByRole("listitem").filter({ hasText: "Чужая запись" }).getByText("не ваш"),
    ).toBeVisible();
  });
});
