import type { Locator, Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { test as builderTest, savedState, storedQuiz } from "./builder.ts";
import { changeQuiz, everyKind, ids, quizState, test } from "./classroom.ts";
import { expect, viewports } from "./fixtures.ts";
import { question } from "./quiz-keyboard.ts";

const essayId = "0198f000-0000-7000-8000-000000000008";
const [single, , text, numeric] = everyKind.questions;
const stepwise = {
  pass_percent: 50,
  reveal: "after_submit",
  checking: "each_question",
  questions: [single, numeric, { id: essayId, type: "essay", prompt: "Зачем Rust владение?" }, text],
};
const narrow = { width: 360, height: 740 };

const steps = (page: Page) => page.getByRole("navigation", { name: "Вопросы теста" });
const step = (page: Page, name: string | RegExp) => steps(page).getByRole("button", { name });
const action = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const verdict = (page: Page, words: string) => page.getByRole("status").filter({ hasText: words });
const focused = (page: Page) => page.locator(":focus");

async function expectAccessibleOnAnyScreen(page: Page, screen: string): Promise<void> {
  for (const viewport of [narrow, viewports.desktop]) {
    await resize(page, viewport);
    await expectAccessibleInBothThemes(page, `${screen}, ${viewport.width} px`);
    await expectNoHorizontalScroll(page, screen);
  }
}

/** The top of an element in the document. */
const topOf = (place: Locator) =>
  place.evaluate((element) => Math.round(element.getBoundingClientRect().top + window.scrollY));

builderTest("an author chooses to check after each question", async ({ classroom, openBuilder }) => {
  const page = await openBuilder(classroom.quizId);
  const group = page.getByRole("group", { name: "Проверка", exact: true });
  await expect(group.getByLabel(/^в\sконце/)).toBeChecked();
  await group.getByLabel(/^после каждого вопроса/).check();
  await expect(group.getByText(/^После проверки ответ изменить нельзя/)).toBeVisible();
  await expect(savedState(page)).toBeVisible();
  await expect
    .poll(() => storedQuiz(classroom, classroom.quizId))
    .toMatchObject({ checking: "each_question" });
  await expectAccessibleOnAnyScreen(page, "the settings of a quiz");
  // Staff try it in the same way, and nothing is stored.
  await page.getByRole("button", { name: "Пройти как ученик" }).click();
  await question(page, "single").getByLabel("var").check();
  await action(page, "Проверить").click();
  await expect(verdict(page, "Неверно")).toBeVisible();
  await expect(question(page, "single").getByLabel("mut")).toBeDisabled();
});

test("a learner answers, checks, sees and goes on, with the keyboard alone", async ({
  classroom,
  tabFor,
}) => {
  await changeQuiz(classroom, stepwise);
  const { page } = await tabFor(classroom.learner);
  const press = (key: string) => page.keyboard.press(key);
  await page.goto(`/view-page/${classroom.quizId}`);
  await expect(page.getByRole("heading", { name: "Тест с проверкой после каждого вопроса" })).toBeVisible();
  await page.getByRole("button", { name: "Начать" }).press("Enter");
  await expect(focused(page)).toHaveId(`question-${ids.single}`);
  await expectAccessibleOnAnyScreen(page, "a question to check");

  await action(page, "Проверить").focus();
  await press("Enter");
  await expect(page.getByRole("alert").getByText("Сначала ответьте на вопрос.")).toBeVisible();
  await question(page, "single").getByLabel("let").focus();
  await press("Space");
  await press("ArrowDown");
  await expect(question(page, "single").getByLabel("mut")).toBeChecked();
  const before = await topOf(action(page, "Проверить"));
  await press("Enter");
  await expect(verdict(page, "Верно")).toBeVisible();
  await expect(page.getByText("По умолчанию переменные в Rust неизменяемы")).toBeVisible();
  await expect(focused(page)).toHaveText("Дальше");
  expect(await topOf(action(page, "Дальше"))).toBe(before);
  await expect(question(page, "single").getByLabel("mut")).toBeDisabled();
  await expectAccessibleOnAnyScreen(page, "a checked question");

  await press("Enter");
  await expect(focused(page)).toHaveId(`question-${ids.numeric}`);
  await press("Tab");
  await page.keyboard.type("5");
  await press("Enter");
  await expect(verdict(page, "Неверно")).toBeVisible();
  await expect(page.getByText("16", { exact: true })).toBeVisible();
  await expectAccessibleOnAnyScreen(page, "a wrong answer");

  // A reload goes on where the attempt was.
  await page.reload();
  await expect(page.locator(`#question-${essayId}`)).toBeVisible();
  await expect(step(page, "Вопрос 1: верно")).toBeVisible();
  await step(page, "Вопрос 2: неверно").press("Enter");
  await expect(question(page, "numeric").getByRole("textbox")).toHaveValue("5");
  await expect(question(page, "numeric").getByRole("textbox")).toBeDisabled();
  await expect(verdict(page, "Неверно")).toBeVisible();
  await action(page, "Дальше").press("Enter");
  await page
    .locator(`#question-${essayId}`)
    .getByRole("textbox")
    .pressSequentially("Чтобы освобождать память");
  await action(page, "Ответить").press("Enter");
  await expect(verdict(page, "Проверит преподаватель")).toBeVisible();

  // Without a connection nothing is checked, and nothing is lost.
  await action(page, "Дальше").press("Enter");
  await question(page, "text").getByRole("textbox").pressSequentially("cargo");
  await page.context().setOffline(true);
  await press("Enter");
  await expect(page.getByRole("alert").getByText(/^Нет связи, проверить не получилось/)).toBeVisible();
  await expectAccessibleOnAnyScreen(page, "a check without a connection");
  await page.context().setOffline(false);
  await action(page, "Проверить").press("Enter");
  await expect(verdict(page, "Верно")).toBeVisible();
  await expect(page.getByText("Проверено: 4 из 4")).toBeVisible();
  await action(page, "Завершить тест").press("Enter");
  await expect(page.getByRole("heading", { name: /^Тест пройден|Ответы приняты/ })).toBeVisible();
  const { attempts } = await quizState(classroom, classroom.learner);
  expect(attempts).toMatchObject([{ score: 2 }]);
});

test("a checked answer is fixed on every device", async ({ classroom, tabFor }) => {
  await changeQuiz(classroom, { ...stepwise, time_limit_seconds: 1200 });
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.quizId}`);
  await page.getByRole("button", { name: "Начать" }).click();
  await question(page, "single").getByLabel("let").check();
  await expect(page.getByText("Сохранено", { exact: true })).toBeVisible();
  const other = (await tabFor(classroom.learner)).page;
  await other.goto(`/view-page/${classroom.quizId}`);
  await question(other, "single").getByLabel("mut").check();
  await action(other, "Проверить").click();
  await expect(verdict(other, "Верно")).toBeVisible();
  // The first device still shows another answer, and learns by its own check which one counts.
  await action(page, "Проверить").click();
  await expect(verdict(page, "Верно")).toBeVisible();
  await expect(question(page, "single").getByLabel("mut")).toBeChecked();
  await action(page, "Завершить тест").click();
  await expect(page.getByText(/^Не\sпроверены 3\sвопроса/)).toBeVisible();
  await action(page, "Всё равно завершить").click();
  await expect(page.getByRole("heading", { name: /пройден/ })).toBeVisible();
  expect((await quizState(classroom, classroom.learner)).attempts).toMatchObject([{ score: 1 }]);
});
