import { expectAccessibleEverywhere } from "./accessibility.ts";
import { add, box, savedState, storedQuiz, test, write } from "./builder.ts";
import { changeQuiz, ids, quizState } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { question } from "./quiz-keyboard.ts";

test("a weighted question is built with the keyboard and published", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  const { keyboard } = page;
  const weight = (number: number) => box(page, `Вес варианта ${number}, %`);
  const stored = async () =>
    (await storedQuiz(classroom, draftId)).questions[0]?.options.map(
      ({ correct, weight }: { correct: boolean; weight?: number }) => [correct, weight],
    );
  await add(page, "Несколько вариантов");
  await keyboard.insertText("Какие числа чётные?");
  await write(box(page, "Вариант 1"), "Два");
  await keyboard.press("Control+Enter");
  await keyboard.press("Enter");
  await keyboard.insertText("Три");
  await keyboard.press("Enter");
  await keyboard.insertText("Четыре");
  await keyboard.press("Control+Enter");
  await page.getByLabel("Оценивание").selectOption({ label: "По весам" });
  await expect.poll(stored).toEqual([
    [true, 50],
    [false, 0],
    [true, 50],
  ]);

  // The weight follows the text of its option.
  await box(page, "Вариант 2").click();
  await keyboard.press("Tab");
  await expect(weight(2)).toBeFocused();
  await keyboard.type("-33,3");
  await keyboard.press("Shift+Tab");
  await expect(box(page, "Вариант 2")).toBeFocused();
  await weight(3).fill("0");
  await expect(page.getByRole("checkbox", { name: "Вариант 3 верный" })).not.toBeChecked();
  await weight(3).fill("25,5");
  await expect(page.getByRole("checkbox", { name: "Вариант 3 верный" })).toBeChecked();
  await expect.poll(stored).toEqual([
    [true, 50],
    [false, -33.3],
    [true, 25.5],
  ]);

  // What cannot be read stays until the author decides.
  await weight(3).fill("много");
  await expect(weight(3)).toHaveAccessibleDescription(/Сохранено прежнее: 25,5/);
  await page.getByLabel("Оценивание").selectOption({ label: "По частям" });
  await page.getByRole("dialog").getByRole("button", { name: "Вернуться" }).click();
  await expect(weight(3)).toHaveValue("много");
  await expect(page.getByLabel("Оценивание")).toHaveValue("weights");
  await weight(3).fill("25,5");

  // Weights that are switched off come back.
  await page.getByLabel("Оценивание").selectOption({ label: "Всё или ничего" });
  await expect(weight(1)).toHaveCount(0);
  await page.getByText("Отменить", { exact: true }).click();
  await expect(weight(2)).toHaveValue("-33,3");
  await expectAccessibleEverywhere(page, "the weights of options");

  await expect(savedState(page)).toBeVisible();
  await page.getByRole("switch").click();
  await expect(page.getByRole("switch")).toBeChecked();
  await expect.poll(stored).toEqual([
    [true, 50],
    [false, -33.3],
    [true, 25.5],
  ]);
});

test("inexact options of a single choice earn a part of the points", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId, { viewport: "phone" });
  await add(page, "Один вариант");
  await page.keyboard.insertText("Сколько будет 10 / 4?");
  await write(box(page, "Вариант 1"), "2,5");
  await write(box(page, "Вариант 2"), "2");
  await page.getByRole("radio", { name: "Вариант 1 верный" }).check();
  await page.getByRole("checkbox", { name: "Баллы за неточные варианты" }).check();
  await expect(box(page, "Вес варианта 1, %")).toHaveValue("100");
  await expect(box(page, "Вес варианта 1, %")).not.toBeEditable();
  await box(page, "Вес варианта 2, %").fill("40");
  await expectAccessibleEverywhere(page, "partial points");
  await expect(savedState(page)).toBeVisible();
  await expect
    .poll(async () => (await storedQuiz(classroom, draftId)).questions[0]?.options)
    .toMatchObject([
      { correct: true, weight: 100 },
      { correct: false, weight: 40 },
    ]);

  await page.getByRole("button", { name: "Пройти как ученик" }).click();
  await page.getByLabel("2", { exact: true }).check();
  await page.getByRole("button", { name: "Проверить ответы" }).click();
  await expect(page.getByText("0,4 из 1 балла").first()).toBeVisible();
  await expect(page.getByText("Частично верно")).toBeVisible();
});

test("a learner reads that only a fully right answer counts", async ({ classroom, tabFor }) => {
  await changeQuiz(classroom, {
    reveal: "after_submit",
    questions: [
      {
        id: ids.multiple,
        type: "multiple_choice",
        prompt: "Какие из этих типов хранят целые числа?",
        all_or_nothing: true,
        options: [{ content: "i32", correct: true }, { content: "u8", correct: true }, { content: "f64" }],
      },
    ],
  });
  const { page } = await tabFor(classroom.learner, { viewport: "phone" });
  await page.goto(`/view-page/${classroom.quizId}`);
  const asked = question(page, "multiple");
  await expect(asked.getByText("Засчитывается только полностью верный ответ")).toBeVisible();
  await expectAccessibleEverywhere(page, "an all-or-nothing question");
  await asked.getByLabel("i32").check();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(page.getByRole("heading", { name: "Тест пока не пройден" })).toBeVisible();
  await page.getByRole("button", { name: "Пройти ещё раз" }).click();
  await asked.getByLabel("i32").check();
  await asked.getByLabel("u8").check();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  const { attempts } = await quizState(classroom, classroom.learner);
  expect(attempts.map(({ percent }) => percent).toSorted()).toEqual([0, 100]);
});
