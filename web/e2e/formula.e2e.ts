import { add, box, savedState, storedQuiz, test, write } from "./builder.ts";
import { expect } from "./fixtures.ts";

test("a formula question shows an example and the place of a mistake, and each attempt gets its own values", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  await add(page, "Формула");
  await write(page.getByRole("textbox", { name: "Вопрос", exact: true }), "Сколько будет {a} + 2?");
  const expression = box(page, "Выражение для ответа");
  await expression.fill("a + (2");
  await expect(expression).toHaveAccessibleDescription("Не удалось разобрать выражение: символ 7.");
  await expression.fill("a + 2");
  await expect(page.getByText(/Пример: a = \d+\./)).toBeVisible();
  await expect(page.getByText(/Ответ: \d+\./)).toBeVisible();
  await box(page, "Допустимое отклонение").fill("0");
  await expect(savedState(page)).toBeVisible();
  await expect
    .poll(async () => (await storedQuiz(classroom, draftId)).questions[0])
    .toMatchObject({ type: "formula", expression: "a + 2", parameters: [{ name: "a", min: 1, max: 10 }] });

  await page.getByRole("button", { name: "Пройти как ученик" }).click();
  const prompt = page.getByText(/Сколько будет \d+ \+ 2\?/);
  await expect(prompt).toBeVisible();
  const asked = (await prompt.textContent()) ?? "";
  const value = Number(/\d+/.exec(asked)?.[0]);
  await page
    .getByRole("textbox")
    .last()
    .fill(String(value + 2));
  await page.getByRole("button", { name: "Проверить ответы" }).click();
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  await expect(page.getByText(asked)).toBeVisible();
});
