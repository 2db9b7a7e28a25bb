import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { signUp } from "./api.ts";
import {
  beginQuestion,
  changeQuestion,
  createBank,
  openBank,
  opener,
  physics,
  questionList,
  shareBank,
  storedQuestions,
} from "./banks.ts";
import { box, write } from "./builder.ts";
import { expect, test, viewports } from "./fixtures.ts";
import { field } from "./ui.ts";

const narrow = { width: 360, height: 740 };
const save = (page: Page) => page.getByRole("button", { name: "Сохранить", exact: true });
const rows = (page: Page) => questionList(page).locator("> li");
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });

/** Checks the screen on a phone of 360 px and on a wide screen, in both themes. */
async function expectAccessibleOnBoth(page: Page, screen: string): Promise<void> {
  for (const viewport of [narrow, viewports.desktop]) {
    await resize(page, viewport);
    await expectAccessibleInBothThemes(page, `${screen}, ${viewport.width}`);
    await expectNoHorizontalScroll(page, `${screen}, ${viewport.width}`);
  }
}

/** The button that closes the open question. A toast has a button with the same name. */
const closeButton = (page: Page) => questionList(page).getByRole("button", { name: "Закрыть", exact: true });

test("an author creates a bank and its first question with the keyboard alone", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server);
  const { page } = await tabFor(owner);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeVisible();
  await page.keyboard.type("банки");
  await expect(page.getByRole("option", { name: "Банки вопросов" })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/banks");
  await expect(page.getByRole("heading", { name: "Банков пока нет" })).toBeVisible();
  await page.getByRole("button", { name: "Создать банк" }).press("Enter");
  await expect(field(page, "Название")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Введите название")).toBeVisible();
  await page.keyboard.type("Физика, 9 класс");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => /^\/banks\/[\w-]+$/.test(url.pathname));
  await expect(page.getByRole("heading", { level: 1, name: "Физика, 9 класс" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "В банке пока нет вопросов" })).toBeVisible();
  const bankId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await page.getByRole("button", { name: "Добавить вопрос" }).press("Enter");
  await expect(page.getByRole("menuitem", { name: "Один вариант" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(box(page, "Вопрос")).toBeFocused();
  await page.keyboard.type("В каких единицах измеряют силу?");
  await page.keyboard.press("Control+Enter");
  await expect(box(page, "Вариант 1")).toBeFocused();
  await page.keyboard.type("в ньютонах");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("в джоулях");
  await page.getByRole("combobox", { name: "Теги" }).focus();
  await page.keyboard.type("механика, легко");
  await page.keyboard.press("Enter");
  await expectAccessibleOnBoth(page, "a new question of a bank");
  await page.keyboard.press("Control+s");
  await expect(opener(page, "В каких единицах")).toBeVisible();
  await expect(page.getByRole("button", { name: "Добавить вопрос" })).toBeFocused();
  const [stored] = await storedQuestions(server, owner, bankId);
  expect(stored).toMatchObject({ version: 1, kind: "single_choice", isComplete: true });
  expect(stored?.tags.toSorted()).toEqual(["легко", "механика"]);

  await opener(page, "В каких единицах").press("Enter");
  await box(page, "Баллы").fill("3");
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("status").filter({ hasText: "Иванова" })).toBeVisible();
  await expect(save(page)).toBeDisabled();
  await expectAccessibleOnBoth(page, "an open question of a bank");
  await closeButton(page).press("Enter");
  await expect(opener(page, "В каких единицах")).toBeFocused();
  expect((await storedQuestions(server, owner, bankId))[0]).toMatchObject({
    version: 2,
    question: { points: 3 },
  });
});

test("questions are found by words, tags and kind, and the address keeps the filter", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server);
  const bankId = await createBank(server, owner, "Физика", physics);
  const { page } = await tabFor(owner);
  await openBank(page, bankId);
  await expect(rows(page)).toHaveCount(physics.length);
  await expect(rows(page).first()).toContainText("Не дописан");
  await expectAccessibleOnBoth(page, "a bank");

  await page.getByRole("searchbox", { name: "Найти по словам" }).fill("силу");
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("searchbox", { name: "Найти по словам" }).fill("силу единиц");
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Показать все" }).click();
  await expect(rows(page)).toHaveCount(physics.length);
  await page.getByRole("button", { name: /^легко 2/ }).press("Enter");
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("button", { name: /^история 1/ }).press("Space");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL((url) => url.searchParams.get("tags") === "легко\nистория");
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Показать все" }).click();
  await page.getByRole("combobox", { name: "Вид вопросов" }).selectOption("Число");
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole("searchbox", { name: "Найти по словам" }).fill("керамика");
  await expect(page.getByRole("heading", { name: "Таких вопросов нет" })).toBeVisible();
});

test("when two people change a question at once, both versions are compared, and neither is lost", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server);
  const bankId = await createBank(server, owner, "Физика", physics.slice(1, 2));
  const stored = async () => (await storedQuestions(server, owner, bankId))[0] ?? fail();
  const { page } = await tabFor(owner);
  await openBank(page, bankId);
  await opener(page, "С каким ускорением").click();
  await field(page, "Верное число").fill("10");
  await changeQuestion(server, owner, await stored(), { value: 9.81 });
  await save(page).click();
  await page.getByRole("button", { name: "Сравнить" }).click();
  const conflict = dialog(page, "Вопрос изменили в другом месте");
  await expect(conflict.getByRole("region", { name: "Ваша версия" })).toContainText("10 ± 0,1");
  await expect(conflict.getByRole("region", { name: "Сохранённая версия" })).toContainText("9,81 ± 0,1");
  await expectAccessibleOnBoth(page, "a conflict about a question");
  await page.keyboard.press("Escape");
  await expect(field(page, "Верное число")).toHaveValue("10");
  await page.getByRole("button", { name: "Сравнить" }).click();
  await conflict.getByRole("button", { name: "Сохранить мою отдельным вопросом" }).click();
  await expect(field(page, "Верное число")).toHaveValue("9,81");
  await expect.poll(async () => (await storedQuestions(server, owner, bankId)).length).toBe(2);

  await field(page, "Верное число").fill("11");
  const now = (await storedQuestions(server, owner, bankId)).find(({ version }) => version === 2) ?? fail();
  await changeQuestion(server, owner, now, { value: 12 });
  await save(page).click();
  await page.getByRole("button", { name: "Сравнить" }).click();
  await conflict.getByRole("button", { name: "Сохранить мою", exact: true }).click();
  await expect(save(page)).toBeDisabled();

  await page.getByRole("button", { name: "История", exact: true }).click();
  const history = dialog(page, "История вопроса");
  const versions = history.getByRole("list", { name: "Версии" }).getByRole("button");
  await expect(versions).toHaveCount(4);
  await versions.nth(1).press("Enter");
  await expect(history).toContainText("12 ± 0,1");
  await expectAccessibleOnBoth(page, "the history of a question");
  await versions.last().click();
  await history.getByRole("button", { name: "Вернуть эту версию" }).click();
  await expect(field(page, "Верное число")).toHaveValue("9,8");
});

test("typed text stays when the network fails, and leaving the question asks first", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server);
  const bankId = await createBank(server, owner, "Физика", physics);
  const { page, context } = await tabFor(owner);
  await openBank(page, bankId);
  await opener(page, "С каким ускорением").click();
  await field(page, "Верное число").fill("10");
  // The dialog that asks about unsaved text loads its code when it first opens, so it opens once while the network is up.
  await opener(page, "Кто открыл").click();
  await page.getByRole("button", { name: "Вернуться" }).click();
  await context.setOffline(true);
  await save(page).click();
  await expect(page.getByText("Нет сети: сохраните, когда она появится")).toBeVisible();
  await opener(page, "Кто открыл").click();
  await page.getByRole("button", { name: "Вернуться" }).click();
  await expect(field(page, "Верное число")).toHaveValue("10");
  await page.getByRole("searchbox", { name: "Найти по словам" }).fill("небо");
  await page.getByRole("button", { name: "Вернуться" }).click();
  await context.setOffline(false);
  await save(page).click();
  await expect(save(page)).toBeDisabled();
  const value = async () => {
    const stored = await storedQuestions(server, owner, bankId);
    return stored.find(({ kind, isComplete }) => kind === "numeric" && isComplete)?.question.value;
  };
  await expect.poll(value).toBe(10);
});

test("tags are added and removed with the keyboard, for one question and for several", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server);
  const bankId = await createBank(server, owner, "Физика", physics);
  const tagsOf = async (words: string) =>
    (await storedQuestions(server, owner, bankId))
      .find(({ question }) => JSON.stringify(question.prompt).includes(words))
      ?.tags.toSorted();
  const { page } = await tabFor(owner);
  await openBank(page, bankId);
  await opener(page, "Кто открыл").click();
  const tags = page.getByRole("combobox", { name: "Теги" });
  await tags.focus();
  await page.keyboard.type("мех");
  await expect(page.getByRole("option", { name: "механика" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => tagsOf("Кто открыл")).toEqual(["история", "легко", "механика"]);
  await page.keyboard.press("Backspace");
  await expect.poll(async () => (await tagsOf("Кто открыл"))?.length).toBe(2);
  await page.keyboard.press("Escape"); // the list of suggestions
  await closeButton(page).click();

  for (const words of ["В каких единицах", "Почему небо"])
    await page.getByRole("checkbox", { name: new RegExp(`^Выбрать: ${words}`) }).check();
  const bar = page.getByRole("region", { name: "Выбранные вопросы" });
  await expect(bar).toContainText("Выбрано 2 вопроса");
  await expectAccessibleOnBoth(page, "selected questions");
  await bar.getByRole("button", { name: "Добавить теги" }).click();
  await page.getByRole("dialog").getByRole("combobox", { name: "Теги" }).fill("к зачёту");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Добавить теги" }).click();
  await expect(bar).toHaveCount(0);
  expect(await tagsOf("Почему небо")).toEqual(["к зачёту", "оптика", "трудно"]);

  await page.getByRole("checkbox", { name: "Выбрать все на странице" }).check();
  await bar.getByRole("button", { name: "Убрать теги" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "к зачёту" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Убрать теги" }).click();
  await expect(bar).toHaveCount(0);
  expect(await tagsOf("Почему небо")).toEqual(["оптика", "трудно"]);

  for (const words of ["В каких единицах", "Почему небо"])
    await page.getByRole("checkbox", { name: new RegExp(`^Выбрать: ${words}`) }).check();
  await bar.getByRole("button", { name: "Удалить" }).click();
  await dialog(page, "Удалить 2 вопроса?").getByRole("button", { name: "Удалить", exact: true }).click();
  await expect(rows(page)).toHaveCount(physics.length - 2);
  expect(await storedQuestions(server, owner, bankId)).toHaveLength(physics.length - 2);
});

test("questions are added from text and from a file, whose report lists what was not carried over", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server);
  const bankId = await createBank(server, owner, "Сборник");
  const { page } = await tabFor(owner);
  await openBank(page, bankId);
  await page.getByRole("button", { name: "Добавить вопрос" }).click();
  await page.getByRole("menuitem", { name: "Вставить текст…" }).click();
  const paste = dialog(page, "Вопросы из текста");
  await field(page, "Текст вопросов").fill("Столица Франции?\nА) Лион\nБ) Париж\nОтвет: Б");
  await page.route("**/graphql", (route) =>
    route.request().postData()?.includes("AddBankQuestions") ? route.abort() : route.continue(),
  );
  await paste.getByRole("button", { name: "Добавить 1 вопрос" }).click();
  await expect(page.getByText("Что-то пошло не так!")).toBeVisible();
  await expect(field(page, "Текст вопросов")).toHaveValue(/Столица Франции/);
  await page.unroute("**/graphql");
  await paste.getByRole("button", { name: "Добавить 1 вопрос" }).click();
  await expect(opener(page, "Столица Франции")).toBeVisible();

  await page.getByRole("button", { name: "Добавить вопрос" }).click();
  await page.getByRole("menuitem", { name: "Загрузить из файла…" }).click();
  const gift =
    "::Сумма:: Сколько будет 2 + 2? {=4 ~5}\n\n::Доли:: Что из этого верно? {~%70%это ~%50%то ~иное}\n";
  const file = { name: "Вопросы.gift", mimeType: "text/plain", buffer: Buffer.from(gift) };
  await page.getByRole("dialog").getByLabel("Выбрать файл").last().setInputFiles(file);
  await expect(page.getByText("Добавлено 2 вопроса")).toBeVisible();
  await expect(page.getByRole("region", { name: "Что перенесено не полностью" })).toContainText(
    "доли баллов",
  );
  await expectAccessibleOnBoth(page, "the report of imported questions");
  await page.getByRole("button", { name: "Готово" }).click();
  await expect(rows(page)).toHaveCount(3);
});

test("a colleague reads a shared bank, edits it as an editor, and leaves it", async ({ server, tabFor }) => {
  const owner = await signUp(server, "Соколова Вера Павловна");
  const colleague = await signUp(server, "Орлов Никита Романович");
  const bankId = await createBank(server, owner, "Физика", physics);
  const { page } = await tabFor(owner);
  await openBank(page, bankId);
  await page.getByRole("button", { name: "Доступ", exact: true }).click();
  const sharing = dialog(page, /^Доступ к банку/);
  await sharing.getByLabel("Email коллеги").fill("nobody@example.com");
  await page.keyboard.press("Enter");
  await expect(sharing.getByLabel("Email коллеги")).toHaveAttribute("aria-invalid", "true");
  await sharing.getByLabel("Email коллеги").fill(colleague.email);
  await sharing.getByRole("combobox", { name: "Роль", exact: true }).selectOption("Читатель");
  await sharing.getByRole("button", { name: "Открыть доступ" }).click();
  await expect(sharing.getByText("Орлов Никита Романович")).toBeVisible();
  await expectAccessibleOnBoth(page, "the sharing of a bank");

  const { page: other } = await tabFor(colleague);
  await other.goto("/banks");
  await other.getByRole("list", { name: "Доступны мне" }).getByRole("link", { name: "Физика" }).click();
  await opener(other, "Какой прибор").click();
  await expect(other.getByText("амперметр")).toBeVisible();
  await expect(other.getByRole("button", { name: "Добавить вопрос" })).toHaveCount(0);
  await expect(other.getByRole("checkbox")).toHaveCount(0);
  await expectAccessibleOnBoth(other, "a bank for its viewers");

  await sharing.getByRole("combobox", { name: "Роль: Орлов Никита Романович" }).selectOption("Редактор");
  await expect(sharing.getByRole("combobox", { name: /^Роль: Орлов/ })).toHaveValue("EDITOR");
  await other.reload();
  await beginQuestion(other, "Короткий ответ");
  await write(box(other, "Вопрос"), "Как зовут прибор для измерения атмосферного давления?");
  await save(other).click();
  await expect(rows(other)).toHaveCount(physics.length + 1);

  await other.getByRole("button", { name: "Действия с банком «Физика»" }).click();
  await other.getByRole("menuitem", { name: "Отказаться от доступа…" }).click();
  await other.getByRole("button", { name: "Отказаться", exact: true }).click();
  await expect(other.getByRole("heading", { name: "Банков пока нет" })).toBeVisible();
  await other.goto(`/banks/${bankId}`);
  await expect(other.getByText("Такого банка нет, или он вам недоступен.")).toBeVisible();
});

test("the owner renames and deletes a bank in the list of banks", async ({ server, tabFor }) => {
  const owner = await signUp(server);
  const colleague = await signUp(server);
  await createBank(server, owner, "Механика", physics.slice(0, 1));
  await shareBank(server, colleague, await createBank(server, colleague, "Чужой банк"), owner, "EDITOR");
  const { page } = await tabFor(owner);
  await page.goto("/banks");
  await expect(page.getByRole("link", { name: "Чужой банк" })).toBeVisible();
  await expectAccessibleOnBoth(page, "the list of banks");
  await page.getByRole("button", { name: "Действия с банком «Механика»" }).press("Enter");
  await page.keyboard.press("Enter");
  await field(page, "Название").fill("Механика, 10 класс");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Механика, 10 класс" })).toBeVisible();
  await page.getByRole("button", { name: "Действия с банком «Механика, 10 класс»" }).click();
  await page.getByRole("menuitem", { name: "Удалить…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Удалить банк" }).click();
  await expect(page.getByRole("link", { name: "Механика, 10 класс" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Чужой банк" })).toBeVisible();
});

/** Fails a test whose question is missing. */
function fail(): never {
  throw new Error("the question is missing");
}
