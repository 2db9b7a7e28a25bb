import type { Locator, Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { graphql, post } from "../../scripts/client.mjs";
import { eventually } from "./app.ts";
import { expectAccessible, expectFineEverywhere, signedIn } from "./browser.ts";
import { drag } from "./pointing.ts";
import { everyKind, room, server, withClassroom } from "./quizzes.ts";

/** A quiz page of the room that nobody has written on, and learners do not see. */
let draft: string;

withClassroom();
beforeEach(async () => {
  const body = { title: "Черновик теста", kind: "quiz", published: false };
  draft = (await post(server.url, `/api/v1/courses/create_page/${room.lessonId}`, body, room.owner.token)).id;
});

async function open(id: string, options: Parameters<typeof signedIn>[2] = {}): Promise<Page> {
  const { page } = await signedIn(server, room.owner, options);
  await page.goto(`/edit-page/${id}`);
  await page.getByRole("heading", { name: "Вопросы", exact: true }).waitFor();
  return page;
}

interface Stored {
  pass_percent: number;
  max_attempts: number | null;
  reveal: string;
  shuffle_options: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: questions of every kind, looked into field by field
  questions: any[];
}

async function stored(id = draft): Promise<Stored> {
  const query = "query ($id: ID!) { page(id: $id) { authorQuiz } }";
  return (await graphql(server.url, room.owner.token, query, { id })).page.authorQuiz;
}

/** What a document says. */
function said(node: { text?: string; type?: string; content?: unknown[] }): string {
  if (node.type === "blank") return "_";
  return node.text ?? (node.content ?? []).map((child) => said(child as never)).join("");
}

function box(page: Page | Locator, name: string): Locator {
  return page.getByRole("textbox", { name, exact: true });
}

async function write(field: Locator, text: string): Promise<void> {
  await field.click();
  await field.page().keyboard.insertText(text);
}

async function add(page: Page, kind: string): Promise<void> {
  await page
    .getByRole("group", { name: "Добавить вопрос" })
    .getByRole("button", { name: kind, exact: true })
    .click();
  const prompt = page.getByRole("textbox", { name: /^(Вопрос|Задание)/ }).last();
  await prompt.waitFor();
}

const savedState = (page: Page) => page.getByRole("status").filter({ hasText: "Сохранено" });

describe("an author writes", () => {
  test("a question of each kind by the mouse, and all of it is stored", async () => {
    const page = await open(draft);
    await page.getByText("Вопросов пока нет.").waitFor();

    await add(page, "Один вариант");
    await write(box(page, "Вопрос"), "Столица Франции?");
    await write(box(page, "Вариант 1"), "Лион");
    await write(box(page, "Вариант 2"), "Париж");
    await page.getByRole("radio", { name: "Вариант 2 верный" }).check();
    await page.getByRole("button", { name: "Добавить пояснение" }).click();
    await write(page.getByRole("textbox", { name: /^Пояснение/ }), "С десятого века.");

    await add(page, "Несколько вариантов");
    await write(box(page, "Вопрос"), "Чётные числа?");
    await write(box(page, "Вариант 1"), "Два");
    await write(box(page, "Вариант 2"), "Три");
    await page.getByRole("button", { name: "Добавить вариант" }).click();
    await write(box(page, "Вариант 3"), "Четыре");
    await page.getByRole("checkbox", { name: "Вариант 1 верный" }).check();
    await page.getByRole("checkbox", { name: "Вариант 3 верный" }).check();
    await box(page, "Баллы").fill("2,5");

    await add(page, "Короткий ответ");
    await write(box(page, "Вопрос"), "Автор «Онегина»?");
    await box(page, "Ответ 1").fill("Пушкин");
    await box(page, "Ответ 1").press("Enter");
    await page.keyboard.insertText("А. С. Пушкин");

    await add(page, "Число");
    await write(box(page, "Вопрос"), "Число π?");
    await box(page, "Верное число").fill("3,14");
    await box(page, "Допустимое отклонение").fill("0,01");

    await add(page, "Пары");
    await write(box(page, "Вопрос"), "Столицы");
    await write(box(page, "Пара 1, слева"), "Италия");
    await write(box(page, "Пара 1, справа"), "Рим");
    await write(box(page, "Пара 2, слева"), "Греция");
    await write(box(page, "Пара 2, справа"), "Афины");

    await add(page, "Порядок");
    await write(box(page, "Вопрос"), "По порядку");
    await write(box(page, "Элемент 1"), "второе");
    await write(box(page, "Элемент 2"), "первое");
    const rows = page.getByRole("list", { name: "Верный порядок" }).getByRole("listitem");
    await drag(page, rows.nth(1).locator("> [aria-hidden]"), rows.nth(0));

    await add(page, "Пропуски в тексте");
    await write(box(page, "Текст с пропусками"), "Небо ");
    await page.getByRole("button", { name: "Вставить пропуск" }).click();
    await page.keyboard.insertText(", трава ");
    await page.getByRole("button", { name: "Вставить пропуск" }).click();
    const gaps = page.getByRole("group", { name: /^Пропуск \d$/ });
    await gaps.nth(0).getByRole("textbox").fill("синее");
    await gaps.nth(1).getByRole("radio", { name: "Выбрать из списка" }).check();
    await write(box(gaps.nth(1), "Вариант 1"), "зелёная");
    await write(box(gaps.nth(1), "Вариант 2"), "красная");

    await box(page, "Сколько процентов нужно, чтобы пройти").fill("80");
    await box(page, "Сколько попыток").fill("3");
    await page.getByRole("radio", { name: "сразу после отправки" }).check();
    await page.getByRole("checkbox", { name: "Перемешивать варианты ответов" }).check();
    await savedState(page).waitFor();
    await eventually(async () => (await stored()).shuffle_options, true, "the last change is stored");

    const quiz = await stored();
    expect(quiz).toMatchObject({ pass_percent: 80, max_attempts: 3, reveal: "after_submit" });
    const [single, multiple, text, number, pairs, order, blanks] = quiz.questions;
    expect(said(single.prompt)).toBe("Столица Франции?");
    expect(said(single.explanation)).toBe("С десятого века.");
    expect(
      single.options.map((one: never) => [
        said((one as { content: never }).content),
        (one as { correct: boolean }).correct,
      ]),
    ).toEqual([
      ["Лион", false],
      ["Париж", true],
    ]);
    expect(multiple).toMatchObject({ type: "multiple_choice", points: 2.5 });
    expect(multiple.options.map((one: { correct: boolean }) => one.correct)).toEqual([true, false, true]);
    expect(text.accepted).toEqual(["Пушкин", "А. С. Пушкин"]);
    expect(number).toMatchObject({ value: 3.14, tolerance: 0.01 });
    expect(
      pairs.pairs.map((pair: { left: never; right: never }) => [said(pair.left), said(pair.right)]),
    ).toEqual([
      ["Италия", "Рим"],
      ["Греция", "Афины"],
    ]);
    expect(order.items.map((item: { content: never }) => said(item.content))).toEqual(["первое", "второе"]);
    expect(said(blanks.text)).toBe("Небо _, трава _");
    expect(blanks.blanks[0].accepted).toEqual(["синее"]);
    expect(blanks.blanks[1].options.map((one: { correct: boolean }) => one.correct)).toEqual([true, false]);

    // What is complete may be published.
    await page.getByRole("switch").click();
    await eventually(() => isPublished(draft), true, "the page is published");
  });

  test("a question by the keyboard alone, moves it, deletes another and takes that back", async () => {
    const page = await open(draft);
    const press = (key: string) => page.keyboard.press(key);
    const focused = () =>
      page.evaluate(() => {
        const active = document.activeElement;
        const named = active?.getAttribute("aria-labelledby");
        const label = active instanceof HTMLInputElement ? active.labels?.[0]?.textContent : null;
        const text = named
          ? document.getElementById(named)?.textContent
          : (active?.getAttribute("aria-label") ?? label ?? active?.textContent);
        return (text ?? "").replaceAll("\u00a0", " ").trim();
      });
    const tabTo = async (name: string | RegExp, key = "Tab") => {
      const passed: string[] = [];
      for (let tries = 0; tries < 60; tries += 1) {
        const now = await focused();
        passed.push(now);
        if (typeof name === "string" ? now === name : name.test(now)) return;
        await press(key);
      }
      throw new Error(`the keyboard does not reach ${name}, only: ${passed.join(", ")}`);
    };
    await page.getByRole("group", { name: "Добавить вопрос" }).getByRole("button").first().focus();
    await press("Enter");
    await tabTo("Вопрос");
    await page.keyboard.insertText("Сколько будет дважды два?");
    await tabTo("Вариант 1");
    await page.keyboard.insertText("четыре");
    await tabTo("Вариант 2");
    await page.keyboard.insertText("пять");
    // Of the radio buttons one is a stop, which one is the browser's affair; the arrows go on to the others.
    await tabTo(/^Вариант \d верный$/, "Shift+Tab");
    if ((await focused()) !== "Вариант 1 верный") await press("ArrowUp");
    expect(await focused()).toBe("Вариант 1 верный");
    await press("Space");
    // The right one goes down, and the focus with it.
    await tabTo("Ниже: четыре");
    await press("ArrowDown");
    expect(await focused()).toBe("Ниже: четыре");
    await page.getByRole("status").getByText("четыре: теперь место 2 из 2").waitFor({ state: "attached" });
    await tabTo("Число");
    await press("Enter");
    await tabTo("Вопрос");
    await page.keyboard.insertText("А трижды три?");
    await tabTo("Верное число");
    await page.keyboard.insertText("9");
    await tabTo("Выше: вопрос 2", "Shift+Tab");
    await press("ArrowUp");
    await eventually(
      async () => (await stored()).questions.map((one) => one.type),
      ["numeric", "single_choice"],
      "moved",
    );
    await tabTo("Удалить вопрос");
    await press("Enter");
    await expect.poll(() => page.getByRole("list", { name: "Вопросы" }).locator("> li").count()).toBe(1);
    await tabTo("Отменить");
    await press("Enter");
    await expect.poll(() => page.getByRole("list", { name: "Вопросы" }).locator("> li").count()).toBe(2);
    await savedState(page).waitFor();
    await eventually(
      async () => (await stored()).questions.map((one) => one.type),
      ["numeric", "single_choice"],
      "taken back",
    );
    const options = (await stored()).questions[1].options;
    expect(
      options.map((one: { content: never; correct: boolean }) => [said(one.content), one.correct]),
    ).toEqual([
      ["пять", false],
      ["четыре", true],
    ]);
  });

  test("rows by dragging: questions, and the text that is in them goes along", async () => {
    const page = await open(room.quizId);
    const rows = page.getByRole("list", { name: "Вопросы" }).locator("> li");
    await drag(page, rows.nth(3).locator("> [aria-hidden]"), rows.nth(0));
    await eventually(
      async () => (await stored(room.quizId)).questions[0].type,
      "numeric",
      "the question is first",
    );
    await expect.poll(async () => (await stored(room.quizId)).questions).toHaveLength(7);
  });
});

async function isPublished(id: string): Promise<boolean> {
  const query = "query ($id: ID!) { page(id: $id) { published } }";
  return (await graphql(server.url, room.owner.token, query, { id })).page.published;
}

describe("what is not complete", () => {
  test("is said at its place once the question was left, saved as a draft, and not published", async () => {
    const page = await open(draft);
    await add(page, "Один вариант");
    await box(page, "Вариант 1").click();
    expect(await page.getByText("Напишите вопрос").count()).toBe(0);
    const header = page.locator("[data-header]").first();
    await header.click();
    await page.getByText("Не дописан").waitFor();
    await header.click();
    await page.getByText("Напишите вопрос").waitFor();
    await page.getByText("Отметьте верный вариант").waitFor();
    await savedState(page).waitFor();
    await expect.poll(async () => (await stored()).questions).toHaveLength(1);
    await page.getByRole("switch").click();
    await page.getByRole("alert").getByText("Вопрос 1").first().waitFor();
    expect(await isPublished(draft)).toBe(false);
  });

  test("of a published page stays on the device, and the server's words are at the question", async () => {
    const page = await open(room.quizId);
    await page.locator("[data-header]").nth(3).click();
    await box(page, "Верное число").fill("");
    await page.getByText("Страница опубликована, поэтому недописанный тест").waitFor();
    await page.getByText("Укажите верное число").waitFor();
    await page.getByRole("alert").getByText("не указано верное число").first().waitFor();
    await expect.poll(async () => (await stored(room.quizId)).questions[3].value).toBe(16);
    // What is no number is said, kept on the screen and sent nowhere.
    await box(page, "Верное число").fill("сто");
    await page.getByText("Введите число, например 12,5").waitFor();
    await box(page, "Верное число").fill("32");
    await savedState(page).waitFor();
    await eventually(
      async () => (await stored(room.quizId)).questions[3].value,
      32,
      "saved as soon as it is complete",
    );
  });
});

describe("questions of another quiz", () => {
  test("are copied with ids of their own", async () => {
    const page = await open(draft);
    await page.getByRole("button", { name: "Взять из другого теста…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Тест").selectOption({ label: "Первые шаги · Проверьте себя" });
    await dialog.getByRole("checkbox", { name: /Сколько бит/ }).check();
    await dialog.getByRole("checkbox", { name: /У каждого значения/ }).check();
    await expectAccessible(page, "taking questions from another quiz");
    await dialog.getByRole("button", { name: "Взять 2 вопроса" }).click();
    await eventually(async () => (await stored()).questions.length, 2, "the copies are stored");
    const [number, blanks] = (await stored()).questions;
    expect(number).toMatchObject({ type: "numeric", value: 16 });
    expect(number.id).not.toBe(everyKind.questions[3]?.id);
    expect(said(blanks.text)).toContain("_");
    expect(blanks.blanks[0].accepted).toEqual(["владелец"]);
  });
});

describe("a try-out", () => {
  test("shows the quiz as a learner takes it, grades it and stores nothing", async () => {
    const page = await open(room.quizId);
    await page.getByRole("button", { name: "Пройти как ученик" }).click();
    await page.getByRole("radiogroup").getByLabel("mut").check();
    await page.getByRole("button", { name: "Проверить ответы" }).click();
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await page.getByRole("heading", { name: "Тест пока не пройден" }).waitFor();
    await page.getByText("Это проба: ничего не сохранено").waitFor();
    await page.getByRole("button", { name: "Вернуться к вопросам" }).click();
    await page.locator("[data-header]").first().waitFor();
    const query = "query ($id: ID!) { page(id: $id) { attempts { id } } }";
    expect((await graphql(server.url, room.owner.token, query, { id: room.quizId })).page.attempts).toEqual(
      [],
    );
  });
});

test("the builder is accessible and fits at every size, in both themes", { timeout: 300_000 }, async () => {
  const page = await open(room.quizId, { size: "phone" });
  for (const [index] of everyKind.questions.entries()) {
    await page.locator("[data-header]").nth(index).click();
    await page.getByRole("button", { name: "Дублировать" }).waitFor();
    await expectFineEverywhere(page, `question ${index + 1}`);
  }
});
