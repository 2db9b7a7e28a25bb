import { expectAccessibleEverywhere } from "./accessibility.ts";
import { add, box, savedState, storedQuiz, test, textOf, write } from "./builder.ts";
import { changeQuiz, ids } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { pasteIntoFocused } from "./page-editor.ts";
import { question } from "./quiz-keyboard.ts";

const labelOf = (number: number) => `Пояснение для тех, кто выбрал вариант ${number}`;

test.describe("the feedback of an option", () => {
  test("is written below the option, removed, restored and stored", async ({
    classroom,
    draftId,
    openBuilder,
  }) => {
    const page = await openBuilder(draftId);
    const { keyboard } = page;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const stored = async () => {
      const [asked] = (await storedQuiz(classroom, draftId)).questions;
      return asked?.options.map(({ feedback }: { feedback?: never }) => feedback && textOf(feedback));
    };
    await add(page, "Один вариант");
    await write(box(page, "Вариант 2"), "Париж");
    await write(box(page, "Вариант 1"), "Лион");
    // With the keyboard: the button follows the field of its option.
    await keyboard.press("Tab");
    await expect(button("Пояснить вариант 1")).toBeFocused();
    await button("Пояснить вариант 1").press("Enter");
    await expect(box(page, labelOf(1))).toBeFocused();
    await keyboard.insertText("Это город на Роне.");
    await keyboard.press("Enter");
    await keyboard.insertText("Столица севернее.");
    await expect(box(page, labelOf(1)).locator("p")).toHaveCount(2);
    await button("Пояснить вариант 2").click();
    await keyboard.insertText("С десятого века.");
    await expect(savedState(page)).toBeVisible();
    await expect.poll(stored).toEqual(["Это город на Роне.Столица севернее.", "С десятого века."]);

    await button("Убрать пояснение к варианту 1").click();
    await expect(button("Пояснить вариант 1")).toBeFocused();
    await expect(box(page, labelOf(1))).toHaveCount(0);
    await expect.poll(stored).toEqual([undefined, "С десятого века."]);
    await write(box(page, "Вариант 1"), " на Роне");
    // The toolbar has a button of that name, too.
    await page.getByText("Отменить", { exact: true }).click();
    await expect(box(page, labelOf(1))).toHaveText("Это город на Роне.Столица севернее.");
    await expect(box(page, "Вариант 1")).toHaveText("Лион на Роне");
    await expect.poll(stored).toEqual(["Это город на Роне.Столица севернее.", "С десятого века."]);

    // An option is removed with its feedback; an empty field stores nothing.
    await button("Убрать: Лион на Роне").click();
    await button("Добавить вариант").click();
    await keyboard.insertText("Нант");
    await button("Пояснить вариант 2").click();
    await expect(box(page, labelOf(2))).toBeFocused();
    await expect.poll(stored).toEqual(["С десятого века.", undefined]);
    await expect(savedState(page)).toBeVisible();
    await page.reload();
    await page.getByRole("button", { name: /Вопрос 1 без текста/ }).click();
    await expect(box(page, labelOf(1))).toHaveText("С десятого века.");
    await expect(box(page, labelOf(2))).toHaveCount(0);
  });

  test("keeps its option when a list is pasted above it", async ({ draftId, openBuilder }) => {
    const page = await openBuilder(draftId);
    await add(page, "Несколько вариантов");
    await page.getByRole("button", { name: "Пояснить вариант 2", exact: true }).click();
    await page.keyboard.insertText("Не совсем.");
    await box(page, "Вариант 1").click();
    await pasteIntoFocused(page, { "text/plain": "Лион\nПариж" });
    await expect(box(page, "Вариант 2")).toHaveText("Париж");
    await expect(box(page, labelOf(3))).toHaveText("Не совсем.");
  });

  test("belongs to choices only, and its fields are accessible at every size", async ({
    draftId,
    openBuilder,
  }) => {
    const page = await openBuilder(draftId, { viewport: "phone" });
    await add(page, "Пропуски в тексте");
    await page.getByRole("button", { name: "Вставить пропуск" }).click();
    await page.getByRole("radio", { name: "Выбрать из списка" }).check();
    await expect(box(page, "Вариант 1")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Пояснить/ })).toHaveCount(0);
    await add(page, "Один вариант");
    await page.getByRole("button", { name: "Пояснить вариант 1", exact: true }).click();
    await page.keyboard.insertText("Слово".repeat(30));
    await expectAccessibleEverywhere(page, "the feedback of an option");
  });
});

test("a learner sees the feedback of the chosen options when the quiz reveals it", async ({
  classroom,
  tabFor,
}) => {
  const options = [
    { content: "println!", correct: true, feedback: "Да, макрос." },
    { content: "read_line", feedback: "Эта функция читает." },
    { content: "exit", feedback: "Эта завершает программу." },
  ];
  const quiz = (reveal: string) => ({
    reveal,
    questions: [{ id: ids.single, type: "single_choice", prompt: "Что печатает на экран?", options }],
  });
  await changeQuiz(classroom, quiz("after_pass"));
  const { page } = await tabFor(classroom.learner, { viewport: "phone" });
  const answer = async (option: string) => {
    await question(page, "single").getByLabel(option).check();
    await page.getByRole("button", { name: "Отправить ответы" }).click();
    await expect(page.getByRole("heading", { name: /Тест (пока не )?пройден/ })).toBeVisible();
  };
  await page.goto(`/view-page/${classroom.quizId}`);
  await answer("read_line");
  await expect(page.getByText("Верные ответы и пояснения откроются")).toBeVisible();
  await expect(page.getByText("Эта функция читает.")).toHaveCount(0);
  await page.getByRole("button", { name: "Пройти ещё раз" }).click();
  await answer("println!");
  const chosen = page.getByRole("listitem").filter({ hasText: "Ваш ответ" });
  await expect(chosen.filter({ hasText: "println!" })).toContainText("Пояснение к вариантуДа, макрос.");
  await page.getByRole("button", { name: "Попытка 1: 0 %" }).click();
  await expect(chosen.filter({ hasText: "read_line" })).toContainText("Эта функция читает.");
  await expect(page.getByText("Да, макрос.")).toHaveCount(0);
  await expect(page.getByText("Эта завершает программу.")).toHaveCount(0);
  await expectAccessibleEverywhere(page, "results with feedback");

  // Teachers see it with the answers.
  const { page: teacher } = await tabFor(classroom.owner);
  await teacher.goto(`/edit-course/${classroom.courseId}?tab=students`);
  await teacher.getByRole("link", { name: classroom.learner.fullName }).first().click();
  await teacher.getByRole("button", { name: /^Попытка 1/ }).click();
  const answers = teacher.getByRole("dialog").getByRole("listitem");
  await expect(answers.filter({ hasText: "Ответ ученика" })).toContainText("Эта функция читает.");
  await expect(answers.filter({ hasText: "println!" })).not.toContainText("Да, макрос.");
});
