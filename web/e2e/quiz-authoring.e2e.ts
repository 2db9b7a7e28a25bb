import { add, box, storedQuiz, test, textOf, write } from "./builder.ts";
import { expect } from "./fixtures.ts";

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
const EXPECTED = QUESTIONS.map(({ prompt, options }) => [
  prompt,
  ...options.map((text, at) => `${at === 1 ? "+" : "-"} ${text}`),
]);

test("five questions of four options take five clicks, the rest is typed", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  const { keyboard } = page;
  for (const { prompt, options } of QUESTIONS) {
    await add(page, "Один вариант");
    await keyboard.insertText(prompt);
    await keyboard.press("Control+Enter");
    for (const [at, text] of options.entries()) {
      await keyboard.insertText(text);
      if (at === 1) await keyboard.press("Control+Enter");
      if (at < options.length - 1) await keyboard.press("Enter");
    }
  }
  await expect.poll(async () => read((await storedQuiz(classroom, draftId)).questions)).toEqual(EXPECTED);
});

test("five questions of four options are pasted in three actions", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await page.getByRole("button", { name: "Вставить текстом…" }).click();
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
