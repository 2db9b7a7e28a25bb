import { expectAccessibleEverywhere } from "./accessibility.ts";
import { add, box, savedState, storedQuiz, test } from "./builder.ts";
import { changeQuiz, ids } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { question } from "./quiz-keyboard.ts";

test("units are given as multiples of that of the value", async ({ classroom, draftId, openBuilder }) => {
  const page = await openBuilder(draftId);
  const { keyboard } = page;
  await add(page, "Число");
  await keyboard.insertText("Какой длины дорога?");
  await box(page, "Верное число").fill("5000");
  const addUnit = page.getByRole("button", { name: "Добавить единицу измерения" });
  await addUnit.press("Enter");
  await expect(box(page, "Единица значения")).toBeFocused();
  await keyboard.insertText("м");
  await addUnit.press("Enter");
  await expect(box(page, "Единица 2")).toBeFocused();
  await keyboard.insertText("км");
  await keyboard.press("Tab");
  await expect(box(page, "Множитель единицы 2")).toBeFocused();
  await keyboard.press("Control+A");
  await keyboard.type("1000");
  await expectAccessibleEverywhere(page, "the units of a number");
  await expect(savedState(page)).toBeVisible();
  await expect
    .poll(async () => (await storedQuiz(classroom, draftId)).questions[0]?.units)
    .toEqual([
      { name: "м", factor: 1 },
      { name: "км", factor: 1000 },
    ]);

  await page.getByRole("button", { name: "Пройти как ученик" }).click();
  await page.getByPlaceholder("Число").fill("5");
  await page.getByRole("combobox", { name: "Единица" }).selectOption("км");
  await page.getByRole("button", { name: "Проверить ответы" }).click();
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
});

test("a learner chooses the unit of a number, which its review shows", async ({ classroom, tabFor }) => {
  await changeQuiz(classroom, {
    reveal: "after_submit",
    questions: [
      {
        id: ids.numeric,
        type: "numeric",
        prompt: "Какой длины дорога?",
        value: 5000,
        units: [
          { name: "м", factor: 1 },
          { name: "км", factor: 1000 },
        ],
      },
    ],
  });
  const { page } = await tabFor(classroom.learner, { viewport: "phone" });
  await page.goto(`/view-page/${classroom.quizId}`);
  const asked = question(page, "numeric");
  const unit = asked.getByRole("combobox", { name: "Единица" });
  await asked.getByRole("textbox").fill("5");
  await page.keyboard.press("Tab");
  await expect(unit).toBeFocused();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  const missing = page.getByRole("alert").getByText("Выберите единицу:");
  await expect(missing).toBeVisible();
  await expectAccessibleEverywhere(page, "a number without its unit");
  await missing.getByRole("link", { name: "вопрос 1" }).click();
  await expect(unit).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(unit).toHaveValue("м");
  // The device keeps the number and its unit.
  await page.reload();
  await expect(asked.getByRole("textbox")).toHaveValue("5");
  await expect(unit).toHaveValue("м");
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(page.getByRole("heading", { name: "Тест пока не пройден" })).toBeVisible();
  await expect(asked).toContainText("Ваш ответ5 м");
  await expect(asked).toContainText("Верный ответ5000 м");
  await expectAccessibleEverywhere(page, "a reviewed number with its unit");

  await page.getByRole("button", { name: "Пройти ещё раз" }).click();
  await asked.getByRole("textbox").fill("5");
  await unit.selectOption("км");
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  await expect(asked).toContainText("Ваш ответ5 км");

  // Teachers read it with the unit, too.
  const { page: teacher } = await tabFor(classroom.owner);
  await teacher.goto(`/edit-course/${classroom.courseId}?tab=students`);
  await teacher.getByRole("link", { name: classroom.learner.fullName }).first().click();
  await teacher.getByRole("button", { name: /^Попытка 2/ }).click();
  await expect(teacher.getByRole("dialog")).toContainText("5 км");
});
