import { expectAccessible } from "./accessibility.ts";
import { add, box, openReady, storedQuiz, test, textOf, write } from "./builder.ts";
import { expect } from "./fixtures.ts";
import { pasteIntoFocused } from "./page-editor.ts";

const QUESTIONS = [1, 2, 3, 4, 5].map((number) => ({
  prompt: `Сколько будет ${number} + 1?`,
  options: [number, number + 1, number + 2, number + 3].map(String),
}));

interface StoredChoice {
  prompt: Parameters<typeof textOf>[0];
  options: { content: Parameters<typeof textOf>[0]; correct: boolean }[];
}

const read = (questions: StoredChoice[]) =>
  questions.map(({ prompt, options }) => [
    textOf(prompt),
    ...options.map(({ content, correct }) => `${correct ? "+" : "-"} ${textOf(content)}`),
  ]);
/** The type and the text of the prompt of each stored question. */
const typesAndPrompts = async (...of: Parameters<typeof storedQuiz>): Promise<[string, string][]> =>
  (await storedQuiz(...of)).questions.map(({ type, prompt }) => [type, textOf(prompt)]);
const EXPECTED = QUESTIONS.map(({ prompt, options }) => [
  prompt,
  ...options.map((text, at) => `${at === 1 ? "+" : "-"} ${text}`),
]);

test("five questions of four options take fifteen actions beside typing", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  const { keyboard } = page;
  let actions = 0;
  const press = async (keys: string) => {
    actions += 1;
    await keyboard.press(keys);
  };
  for (const [number, { prompt, options }] of QUESTIONS.entries()) {
    if (number > 0) await press("Control+Shift+Enter");
    else {
      actions += 1;
      await add(page, "Один вариант");
    }
    await keyboard.insertText(prompt);
    await press("Control+Enter");
    for (const [at, text] of options.entries()) {
      // Enter ends an option, as it ends a line.
      if (at > 0) await keyboard.press("Enter");
      await keyboard.insertText(text);
      if (at === 1) await press("Control+Enter");
    }
  }
  expect(actions).toBe(15);
  await expect.poll(async () => read((await storedQuiz(classroom, draftId)).questions)).toEqual(EXPECTED);
});

test("the key for the next question adds one of the same kind below the open one", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await add(page, "Число");
  await page.keyboard.insertText("Первый?");
  await add(page, "Короткий ответ");
  await page.keyboard.insertText("Последний?");
  await page.getByRole("button", { name: /Первый/ }).click();
  await box(page, "Верное число").fill("1");
  await box(page, "Верное число").press("Control+Shift+Enter");
  await expect(box(page, "Вопрос")).toBeFocused();
  await page.keyboard.insertText("Второй?");
  await expect
    .poll(() => typesAndPrompts(classroom, draftId))
    .toEqual([
      ["numeric", "Первый?"],
      ["numeric", "Второй?"],
      ["short_text", "Последний?"],
    ]);
});

test("questions in GIFT are read as they are pasted, with what is left out", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await openReady(page, "Вставить текст…");
  const text = page.getByRole("textbox", { name: "Текст вопросов" });
  await text.fill("Столица Франции? {~Лион =Париж}\n\nПросто слова.\n\nСколько будет 2 + 2? {#4}");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Найдено 2 вопроса.")).toBeVisible();
  await expect(dialog.getByText("Строка 3: вопрос — то, что здесь начинается")).toBeVisible();
  await expectAccessible(page, "questions in GIFT");
  await page.getByRole("button", { name: "Добавить 2 вопроса" }).click();
  await expect
    .poll(async () => (await typesAndPrompts(classroom, draftId)).map(([type]) => type))
    .toEqual(["single_choice", "numeric"]);
});

test("questions pasted into the empty prompt of a new question replace it", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await add(page, "Один вариант");
  await page.keyboard.insertText("Сколько будет 2 + 2?");
  await add(page, "Один вариант");
  await pasteIntoFocused(page, { "text/plain": "Столица Франции?\nа) Лион\n+б) Париж" });
  // What was pasted is not lost by a slip.
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").last().getByRole("button", { name: "Вернуться" }).click();
  await page.getByRole("button", { name: "Добавить 1 вопрос" }).click();
  await expect
    .poll(async () => (await typesAndPrompts(classroom, draftId)).map(([, prompt]) => prompt))
    .toEqual(["Сколько будет 2 + 2?", "Столица Франции?"]);
  await expect(page.getByRole("button", { name: /Столица Франции/ })).toBeFocused();
});

test("five questions of four options are pasted in three actions", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await openReady(page, "Вставить текст…");
  await page
    .getByRole("textbox", { name: "Текст вопросов" })
    .fill(
      QUESTIONS.map(({ prompt, options }) =>
        [prompt, ...options.map((text, at) => `${"АБВГ"[at]}) ${text}`), "Ответ: Б"].join("\n"),
      ).join("\n\n"),
    );
  await page.getByRole("button", { name: "Добавить 5 вопросов" }).click();
  await expect.poll(async () => read((await storedQuiz(classroom, draftId)).questions)).toEqual(EXPECTED);
});

test("a selected word becomes the answer of the blank that replaces it", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await add(page, "Пропуски в тексте");
  const text = box(page, "Текст с пропусками");
  await write(text, "Столица Франции — Париж сегодня");
  await text.getByText("Париж").evaluate((element) => {
    const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const at = words.data.indexOf("Париж");
    getSelection()?.setBaseAndExtent(words, at - 1, words, at + "Париж ".length);
  });
  await page.getByRole("button", { name: "Вставить пропуск" }).click();
  await expect(box(page, "Ответ 1")).toHaveValue("Париж");
  await expect
    .poll(async () => (await storedQuiz(classroom, draftId)).questions[0]?.blanks[0]?.accepted)
    .toEqual(["Париж"]);
  expect(textOf((await storedQuiz(classroom, draftId)).questions[0].text)).toBe(
    "Столица Франции — _ сегодня",
  );
});

test("the page's toolbar, menus and panels act on the field of a question that has the focus", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await add(page, "Один вариант");
  const prompt = box(page, "Вопрос");
  await prompt.click();
  const toolbar = page.getByRole("toolbar", { name: "Оформление текста" }).first();
  await toolbar.getByRole("button", { name: "Жирный" }).click();
  await page.keyboard.insertText("Площадь");
  await expect(prompt.locator("strong")).toHaveText("Площадь");
  await toolbar.getByRole("button", { name: "Вставить" }).click();
  await page.getByRole("menuitem", { name: "Формула в строке" }).click();
  const latex = page.getByRole("textbox", { name: "Формула (LaTeX)" });
  await latex.fill("a^2");
  await latex.press("Escape");
  // A formula can be edited again.
  await box(page, "Вариант 1").click();
  await expect(latex).toHaveCount(0);
  await prompt.locator("[data-type=inlineMath] .katex-html").click();
  await expect(latex).toHaveValue("a^2");
  await latex.fill("a^3");
  await expect
    .poll(async () => JSON.stringify((await storedQuiz(classroom, draftId)).questions[0]?.prompt))
    .toContain("a^3");
  // The toolbar stays in view beside the last field.
  await box(page, "Вариант 2").scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 2000);
  await expect(toolbar.getByRole("button", { name: "Жирный" })).toBeInViewport();
});

test("publishing an incomplete quiz lists what it lacks and leads there", async ({
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await add(page, "Один вариант");
  await page.keyboard.insertText("Сколько будет 2 + 2?");
  await add(page, "Число");
  await page.getByRole("switch").click();
  const dialog = page.getByRole("dialog", { name: "Тест ещё не дописан" });
  await expect(dialog.getByRole("button", { name: /Вопрос 1.*Отметьте верный вариант/ })).toBeVisible();
  await dialog.getByRole("button", { name: /Вопрос 2.*Напишите вопрос/ }).click();
  await expect(box(page, "Вопрос")).toBeFocused();
  await expect(page.getByText("Напишите вопрос")).toBeVisible();
  await expect(page.getByRole("switch", { name: "Черновик" })).toBeVisible();
});
