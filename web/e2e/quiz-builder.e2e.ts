import { graphql } from "../../scripts/client.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { add, box, openReady, savedState, seenQuiz, storedQuiz, test, textOf, write } from "./builder.ts";
import { type Classroom, everyKind } from "./classroom.ts";
import { drag } from "./drag.ts";
import { expect } from "./fixtures.ts";
import { pasteIntoFocused, publishChanges } from "./page-editor.ts";

test.describe("typing", () => {
  test("goes into the option, pair, item or explanation that was just added", async ({
    draftId,
    openBuilder,
  }) => {
    const page = await openBuilder(draftId);
    const { keyboard } = page;
    await add(page, "Один вариант");
    await write(box(page, "Вариант 1"), "Лион");
    await page.getByRole("button", { name: "Добавить вариант" }).click();
    await keyboard.insertText("Париж");
    await expect(box(page, "Вариант 3")).toHaveText("Париж");
    await expect(box(page, "Вариант 1")).toHaveText("Лион");
    await page.getByRole("button", { name: "Добавить пояснение" }).click();
    await keyboard.insertText("С десятого века.");
    await expect(page.getByRole("textbox", { name: /^Пояснение/ })).toHaveText("С десятого века.");

    await add(page, "Пары");
    await page.getByRole("button", { name: "Добавить пару" }).click();
    await keyboard.insertText("Италия");
    await expect(box(page, "Пара 3, слева")).toHaveText("Италия");

    await add(page, "Порядок");
    await page.getByRole("button", { name: "Добавить элемент" }).click();
    await keyboard.insertText("первое");
    await expect(box(page, "Элемент 3")).toHaveText("первое");
  });

  test("continues in a new option after Enter, and in a new line after Shift+Enter", async ({
    draftId,
    openBuilder,
  }) => {
    const page = await openBuilder(draftId);
    const { keyboard } = page;
    await add(page, "Один вариант");
    await write(box(page, "Вариант 2"), "Лион");
    await keyboard.press("Enter");
    await keyboard.insertText("Париж");
    await keyboard.press("Shift+Enter");
    await keyboard.insertText("столица");
    await expect(box(page, "Вариант 2")).toHaveText("Лион");
    await expect(box(page, "Вариант 3")).toHaveText("Парижстолица");
    await expect(box(page, "Вариант 4")).toHaveCount(0);
  });

  test("a list pasted into an empty option becomes one option per line", async ({ draftId, openBuilder }) => {
    const page = await openBuilder(draftId);
    await add(page, "Один вариант");
    await box(page, "Вариант 1").click();
    await pasteIntoFocused(page, { "text/plain": "а) Лион\n\nб) Париж\r\n3. Марсель\n• Ницца" });
    for (const [at, city] of ["Лион", "Париж", "Марсель", "Ницца"].entries())
      await expect(box(page, `Вариант ${at + 1}`)).toHaveText(city);
    await expect(box(page, "Вариант 5")).toHaveCount(0);
    await expect(savedState(page)).toBeVisible();
    // A field with text takes the lines itself.
    await box(page, "Вариант 1").click();
    await page.keyboard.press("End");
    await pasteIntoFocused(page, { "text/plain": "раз\nдва" });
    await expect(box(page, "Вариант 5")).toHaveCount(0);
  });
});

test.describe("editing", () => {
  test("creates a question of each kind with the mouse and stores it", async ({
    classroom,
    draftId,
    openBuilder,
  }) => {
    const page = await openBuilder(draftId);
    await expect(page.getByText("Вопросов пока нет.")).toBeVisible();

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
    await expect(savedState(page)).toBeVisible();
    await expect
      .poll(async () => (await storedQuiz(classroom, draftId)).shuffle_options, "the last change is stored")
      .toEqual(true);

    const quiz = await storedQuiz(classroom, draftId);
    expect(quiz).toMatchObject({ pass_percent: 80, max_attempts: 3, reveal: "after_submit" });
    const [single, multiple, text, number, pairs, order, blanks] = quiz.questions;
    expect(textOf(single.prompt)).toBe("Столица Франции?");
    expect(textOf(single.explanation)).toBe("С десятого века.");
    expect(
      single.options.map((one: never) => [
        textOf((one as { content: never }).content),
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
      pairs.pairs.map((pair: { left: never; right: never }) => [textOf(pair.left), textOf(pair.right)]),
    ).toEqual([
      ["Италия", "Рим"],
      ["Греция", "Афины"],
    ]);
    expect(order.items.map((item: { content: never }) => textOf(item.content))).toEqual(["первое", "второе"]);
    expect(textOf(blanks.text)).toBe("Небо _, трава _");
    expect(blanks.blanks[0].accepted).toEqual(["синее"]);
    expect(blanks.blanks[1].options.map((one: { correct: boolean }) => one.correct)).toEqual([true, false]);

    // A complete quiz can be published.
    await page.getByRole("switch").click();
    await expect.poll(() => isPublished(classroom, draftId), "the page is published").toEqual(true);
  });

  test("creates, moves, deletes and restores questions using only the keyboard", async ({
    classroom,
    draftId,
    openBuilder,
  }) => {
    const page = await openBuilder(draftId);
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
    // The browser chooses which radio button of the group is the tab stop.
    await tabTo(/^Вариант \d верный$/, "Shift+Tab");
    if ((await focused()) !== "Вариант 1 верный") await press("ArrowUp");
    await expect.poll(focused).toBe("Вариант 1 верный");
    await press("Space");
    // Move the correct option down. The focus follows it.
    await tabTo("Ниже: четыре");
    await press("ArrowDown");
    await expect.poll(focused).toBe("Ниже: четыре");
    await expect(page.getByRole("status").getByText("четыре: теперь место 2 из 2")).toBeAttached();
    await tabTo("Число");
    await press("Enter");
    await tabTo("Вопрос");
    await page.keyboard.insertText("А трижды три?");
    await tabTo("Верное число");
    await page.keyboard.insertText("9");
    await tabTo("Выше: вопрос 2", "Shift+Tab");
    await press("ArrowUp");
    await expect
      .poll(async () => (await storedQuiz(classroom, draftId)).questions.map((one) => one.type), "moved")
      .toEqual(["numeric", "single_choice"]);
    await tabTo("Удалить вопрос");
    await press("Enter");
    await expect(page.getByRole("list", { name: "Вопросы" }).locator("> li")).toHaveCount(1);
    await tabTo("Отменить");
    await press("Enter");
    await expect(page.getByRole("list", { name: "Вопросы" }).locator("> li")).toHaveCount(2);
    await expect(savedState(page)).toBeVisible();
    await expect
      .poll(async () => (await storedQuiz(classroom, draftId)).questions.map((one) => one.type), "restored")
      .toEqual(["numeric", "single_choice"]);
    const options = (await storedQuiz(classroom, draftId)).questions[1].options;
    expect(
      options.map((one: { content: never; correct: boolean }) => [textOf(one.content), one.correct]),
    ).toEqual([
      ["пять", false],
      ["четыре", true],
    ]);
  });

  test("moves a question with its content by dragging", async ({ classroom, openBuilder }) => {
    const page = await openBuilder(classroom.quizId);
    const rows = page.getByRole("list", { name: "Вопросы" }).locator("> li");
    await drag(page, rows.nth(3).locator("> [aria-hidden]"), rows.nth(0));
    await expect
      .poll(
        async () => (await storedQuiz(classroom, classroom.quizId)).questions[0].type,
        "the question is first",
      )
      .toEqual("numeric");
    await expect.poll(async () => (await storedQuiz(classroom, classroom.quizId)).questions).toHaveLength(7);
  });
});

async function isPublished({ server, owner }: Classroom, id: string): Promise<boolean> {
  const query = "query ($id: ID!) { page(id: $id) { published } }";
  return (await graphql(server.url, owner.token, query, { id })).page.published;
}

test.describe("incomplete questions", () => {
  test("are marked after the focus leaves them, saved as a draft, and not published", async ({
    classroom,
    draftId,
    openBuilder,
  }) => {
    const page = await openBuilder(draftId);
    await add(page, "Один вариант");
    await box(page, "Вариант 1").click();
    await expect(page.getByText("Напишите вопрос")).toHaveCount(0);
    const header = page.locator("[data-header]").first();
    await header.click();
    await expect(page.getByText("Не дописан")).toBeVisible();
    await header.click();
    await expect(page.getByText("Напишите вопрос")).toBeVisible();
    await expect(page.getByText("Отметьте верный вариант")).toBeVisible();
    await expect(savedState(page)).toBeVisible();
    await expect.poll(async () => (await storedQuiz(classroom, draftId)).questions).toHaveLength(1);
    await page.getByRole("switch").click();
    await expect(
      page.getByRole("dialog", { name: "Тест ещё не дописан" }).getByText("Вопрос 1"),
    ).toBeVisible();
    expect(await isPublished(classroom, draftId)).toBe(false);
  });

  test("of a published quiz are saved without an alarm, and learners get them when they are complete", async ({
    classroom,
    openBuilder,
  }) => {
    const { quizId } = classroom;
    const page = await openBuilder(quizId);
    const value = async () => (await storedQuiz(classroom, quizId)).questions[3].value;
    const seen = async () => (await seenQuiz(classroom, quizId)).questions[3].value;
    await page.locator("[data-header]").nth(3).click();
    await box(page, "Верное число").fill("");
    await expect(page.getByText("Укажите верное число")).toBeVisible();
    await page.locator("[data-header]").first().focus();
    await expect(savedState(page)).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect.poll(value).toBeNull();
    expect(await seen()).toBe(16);
    // Text that is not a number shows an error, stays in the field, and is not sent.
    await box(page, "Верное число").fill("сто");
    await expect(page.getByText("Введите число, например 12,5")).toBeVisible();
    await box(page, "Верное число").fill("32");
    await expect(savedState(page)).toBeVisible();
    await expect.poll(value).toBe(32);
    expect(await seen()).toBe(16);
    await publishChanges(page);
    expect(await seen()).toBe(32);

    // A new question is incomplete until it is written; after a reload it is still here.
    await add(page, "Один вариант");
    await page.keyboard.type("Сколько будет 2 + 2?");
    await expect(page.getByText("Отметьте верный вариант")).toHaveCount(0);
    await page.reload();
    await expect(page.locator("[data-header]").last()).toContainText("Сколько будет 2 + 2?");
  });
});

test("a number that cannot be saved is named at its field, and leaving asks about it", async ({
  classroom,
  openBuilder,
}) => {
  const page = await openBuilder(classroom.quizId);
  await page.locator("[data-header]").nth(3).click();
  const value = box(page, "Верное число");
  await value.fill("сто");
  await expect(value).toHaveAccessibleDescription(/^Введите число, например 12,5. Сохранено прежнее: \d+/);
  const asked = page.getByRole("dialog", { name: "Введённое не сохранено" });
  for (const way of [
    () => page.locator("[data-header]").nth(3).click(),
    () => page.locator("[data-header]").first().click(),
    () => page.getByRole("link", { name: "Kurso" }).first().click(),
  ]) {
    await way();
    await asked.getByRole("button", { name: "Вернуться" }).click();
    await expect(value).toHaveValue("сто");
  }
  await page.locator("[data-header]").first().click();
  await asked.getByRole("button", { name: "Не сохранять" }).click();
  await expect(value).toHaveCount(0);
  await page.locator("[data-header]").nth(3).click();
  await expect(value).not.toHaveValue("сто");
});

test.describe("questions of another quiz", () => {
  test("are copied with new IDs", async ({ classroom, draftId, openBuilder }) => {
    const page = await openBuilder(draftId);
    await openReady(page, "Из другого теста…");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Тест").selectOption({ label: "Первые шаги · Проверьте себя" });
    await dialog.getByRole("checkbox", { name: /Сколько бит/ }).check();
    await dialog.getByRole("checkbox", { name: /У каждого значения/ }).check();
    await expectAccessible(page, "taking questions from another quiz");
    await dialog.getByRole("button", { name: "Взять 2 вопроса" }).click();
    await expect
      .poll(async () => (await storedQuiz(classroom, draftId)).questions.length, "the copies are stored")
      .toEqual(2);
    const [number, blanks] = (await storedQuiz(classroom, draftId)).questions;
    expect(number).toMatchObject({ type: "numeric", value: 16 });
    expect(number.id).not.toBe(everyKind.questions[3]?.id);
    expect(textOf(blanks.text)).toContain("_");
    expect(blanks.blanks[0].accepted).toEqual(["владелец"]);
  });
});

test.describe("try-out", () => {
  test("shows the quiz as learners see it, grades it, and stores nothing", async ({
    server,
    classroom,
    openBuilder,
  }) => {
    const page = await openBuilder(classroom.quizId);
    await page.getByRole("button", { name: "Пройти как ученик" }).click();
    await page.getByRole("radiogroup").getByLabel("mut").check();
    await page.getByRole("button", { name: "Проверить ответы" }).click();
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await expect(page.getByRole("heading", { name: "Тест пока не пройден" })).toBeVisible();
    await expect(page.getByText("Это проба: ничего не сохранено")).toBeVisible();
    await page.getByRole("button", { name: "Вернуться к вопросам" }).click();
    await expect(page.locator("[data-header]").first()).toBeVisible();
    const query = "query ($id: ID!) { page(id: $id) { attempts { id } } }";
    expect(
      (await graphql(server.url, classroom.owner.token, query, { id: classroom.quizId })).page.attempts,
    ).toEqual([]);
  });
});

test("the quiz builder is accessible and fits at every size, in both themes", async ({
  classroom,
  openBuilder,
}) => {
  test.setTimeout(300_000);
  const page = await openBuilder(classroom.quizId, { viewport: "phone" });
  for (const [index] of everyKind.questions.entries()) {
    await page.locator("[data-header]").nth(index).click();
    await expect(page.getByRole("button", { name: "Дублировать" })).toBeVisible();
    await expectAccessibleEverywhere(page, `question ${index + 1}`);
  }
});
