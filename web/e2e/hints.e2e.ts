import { expectAccessibleEverywhere } from "./accessibility.ts";
import { add, box, savedState, storedQuiz, test, textOf } from "./builder.ts";
import { changeQuiz, ids } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { question } from "./quiz-keyboard.ts";
import { tabTo } from "./ui.ts";

const labelOf = (number: number) => `Подсказка ${number}: ученик может открыть её до ответа`;

test("hints are written in their order, removed and restored", async ({
  classroom,
  draftId,
  openBuilder,
}) => {
  const page = await openBuilder(draftId);
  const { keyboard } = page;
  const stored = async () => (await storedQuiz(classroom, draftId)).questions[0]?.hints?.map(textOf);
  await add(page, "Число");
  await keyboard.insertText("Сколько бит в байте?");
  await box(page, "Верное число").fill("8");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  for (const [index, text] of ["Это степень двойки.", "Больше четырёх."].entries()) {
    await button("Добавить подсказку").press("Enter");
    await expect(box(page, labelOf(index + 1))).toBeFocused();
    await keyboard.insertText(text);
  }
  await expect.poll(stored).toEqual(["Это степень двойки.", "Больше четырёх."]);
  await button("Убрать подсказку 1").click();
  await expect(button("Убрать подсказку 1")).toBeFocused();
  await expect(box(page, labelOf(1))).toHaveText("Больше четырёх.");
  await page.getByText("Отменить", { exact: true }).click();
  await expect(box(page, labelOf(2))).toHaveText("Больше четырёх.");
  await expect.poll(stored).toEqual(["Это степень двойки.", "Больше четырёх."]);
  await expectAccessibleEverywhere(page, "the hints of a question");

  await expect(savedState(page)).toBeVisible();
  await button("Пройти как ученик").click();
  await button("Подсказка 1 из 2").click();
  await expect(page.getByRole("note", { name: "Подсказка 1 из 2" })).toContainText("Это степень двойки.");
});

test("a learner opens hints one by one with the keyboard", async ({ classroom, tabFor }) => {
  await changeQuiz(classroom, {
    reveal: "after_submit",
    questions: [
      {
        id: ids.numeric,
        type: "numeric",
        prompt: "Сколько бит в байте?",
        value: 8,
        hints: ["Это степень двойки.", "Больше четырёх."],
      },
    ],
  });
  const { page } = await tabFor(classroom.learner, { viewport: "phone" });
  await page.goto(`/view-page/${classroom.quizId}`);
  const asked = question(page, "numeric");
  const hint = asked.getByRole("note");
  const next = asked.getByRole("button", { name: /^Подсказка/ });
  await expect(next).toHaveText("Подсказка 1 из 2");
  await expect(hint).toHaveCount(0);
  await expectAccessibleEverywhere(page, "a question with closed hints");
  await tabTo(page, next);
  await page.keyboard.press("Enter");
  await expect(hint).toBeFocused();
  await expect(hint).toHaveAccessibleName("Подсказка 1 из 2");
  await expect(hint).toHaveAccessibleDescription("Это степень двойки.");
  await page.keyboard.press("Tab");
  await expect(next).toBeFocused();
  await page.keyboard.press("Space");
  await expect(hint.last()).toBeFocused();
  await expect(hint.last()).toHaveAccessibleDescription("Больше четырёх.");
  await expect(next).toHaveCount(0);
  await expectAccessibleEverywhere(page, "a question with open hints");

  // An unanswered question leads to its answer, past the hints.
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await page.getByRole("link", { name: "вопрос 1" }).click();
  await expect(asked.getByRole("textbox")).toBeFocused();
  await page.keyboard.type("8");
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  await expect(page.getByText("Подсказка")).toHaveCount(0);
});
