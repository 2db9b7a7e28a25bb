import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { box, test as builderTest, savedState, storedQuiz } from "./builder.ts";
import { test as base, type Classroom, changeQuiz, everyKind, quizState } from "./classroom.ts";
import { expect, viewports } from "./fixtures.ts";
import { question } from "./quiz-keyboard.ts";

interface Fixtures {
  /** Sets the time limit of the quiz in seconds and opens its page as the learner. */
  openTimed: (limit: number, settings?: object) => Promise<Page>;
}

const test = base.extend<Fixtures>({
  openTimed: async ({ classroom, tabFor }, use) => {
    await use(async (limit, settings = {}) => {
      await changeQuiz(classroom, { ...everyKind, time_limit_seconds: limit, ...settings });
      const { page } = await tabFor(classroom.learner);
      await openQuiz(page, classroom);
      return page;
    });
  },
});

const narrow = { width: 360, height: 740 };
const clock = (page: Page) => page.getByRole("timer", { name: "Оставшееся время" });
const form = (page: Page) => page.getByRole("form", { name: "Тест" });
const saved = (page: Page) => page.getByText("Сохранено", { exact: true });
const offline = (page: Page) => page.getByRole("status").filter({ hasText: "Нет связи: ответы сохранены" });
const noAnswer = (page: Page) =>
  page.getByRole("status").filter({ hasText: "Сервер не отвечает: ответы сохранены" });
const timeOver = (page: Page) => page.getByText("Время вышло: отправлены сохранённые ответы");
const result = (page: Page) => page.getByRole("heading", { name: /Тест (пока не )?пройден/ });
const right = (page: Page) => question(page, "single").getByLabel("mut");
const text = (page: Page) => question(page, "text").getByRole("textbox");

async function openQuiz(page: Page, { quizId }: Classroom): Promise<void> {
  await page.goto(`/view-page/${quizId}`);
  await expect(page.getByRole("heading", { level: 1, name: "Проверьте себя" })).toBeVisible();
}

async function start(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Начать" }).click();
  await expect(clock(page)).toBeVisible();
}

async function expectAccessibleOnAnyScreen(page: Page, screen: string): Promise<void> {
  for (const viewport of [narrow, viewports.desktop]) {
    await resize(page, viewport);
    await expectAccessibleInBothThemes(page, `${screen}, ${viewport.width} px`);
    await expectNoHorizontalScroll(page, screen);
  }
}

builderTest("an author sets a time limit and sees what learners get", async ({ classroom, openBuilder }) => {
  const page = await openBuilder(classroom.quizId);
  await box(page, "Ограничение времени, мин").fill("20");
  await box(page, "Запас на связь, с").fill("30");
  await box(page, "Запас на связь, с").blur();
  await expect(savedState(page)).toBeVisible();
  expect(await storedQuiz(classroom, classroom.quizId)).toMatchObject({
    time_limit_seconds: 1200,
    grace_seconds: 30,
  });
  await page.getByRole("button", { name: "Пройти как ученик" }).click();
  await expect(page.getByText(/Время для учеников: 20\sминут/)).toBeVisible();
  await expect(form(page)).toBeVisible();
  await expect(clock(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Вернуться к вопросам" }).click();
  await box(page, "Ограничение времени, мин").fill("");
  await box(page, "Ограничение времени, мин").blur();
  await expect
    .poll(() => storedQuiz(classroom, classroom.quizId))
    .toMatchObject({ time_limit_seconds: null });
});

test("the questions appear at the start, and the answers survive a reload and another device", async ({
  classroom,
  tabFor,
  openTimed,
}) => {
  const page = await openTimed(1200);
  await expect(page.getByText(/Время: 20\sминут/)).toBeVisible();
  await expect(form(page)).toHaveCount(0);
  await expectAccessibleOnAnyScreen(page, "the start of a timed quiz");
  // With the keyboard alone.
  await page.getByRole("button", { name: "Начать" }).press("Enter");
  await expect(clock(page)).toHaveText(/^(20:00|19:\d\d)$/);
  await expect(page.locator(":focus")).toHaveAttribute("id", /^question-/);
  await right(page).check();
  await text(page).fill("cargo");
  await expect(saved(page)).toBeVisible();
  await expectAccessibleOnAnyScreen(page, "a timed quiz");

  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith("quiz-")) localStorage.removeItem(key);
  });
  await page.reload();
  await expect(clock(page)).toHaveText(/^1\d:\d\d$/);
  await expect(text(page)).toHaveValue("cargo");
  await expect(right(page)).toBeChecked();

  const other = await tabFor(classroom.learner);
  await openQuiz(other.page, classroom);
  await expect(text(other.page)).toHaveValue("cargo");
  await other.page.getByRole("button", { name: "Отправить ответы" }).click();
  await other.page.getByRole("button", { name: "Всё равно отправить" }).click();
  await expect(result(other.page)).toBeVisible();
  // The first device learns it with its next answer.
  await text(page).fill("npm");
  await expect(result(page)).toBeVisible();
  expect((await quizState(classroom, classroom.learner)).attempts).toMatchObject([{ score: 2 }]);
  await other.page.getByRole("button", { name: /Пройти ещё раз/ }).click();
  await expect(other.page.getByRole("button", { name: "Начать" })).toBeVisible();
  await other.page.getByRole("button", { name: /^К\sрезультатам$/ }).click();
  await expect(result(other.page)).toBeVisible();
});

test("answers given without network are sent when it returns, also after a reload", async ({
  classroom,
  openTimed,
}) => {
  const page = await openTimed(1200);
  await start(page);
  await page.context().setOffline(true);
  await right(page).check();
  await expect(offline(page)).toBeVisible();
  await page.context().setOffline(false);
  await expect(saved(page)).toBeVisible();

  // The server does not answer saves until the page is loaded again.
  await page.route("**/graphql", (route) => {
    const body = route.request().postDataJSON() as { operationName?: string };
    return body.operationName === "SaveAnswers" ? route.abort("connectionreset") : route.continue();
  });
  await text(page).fill("cargo");
  await expect(noAnswer(page)).toBeVisible();
  page.on("dialog", (dialog) => dialog.accept());
  await page.unroute("**/graphql");
  await page.reload();
  await expect(text(page)).toHaveValue("cargo");
  await expect(saved(page)).toBeVisible();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await page.getByRole("button", { name: "Всё равно отправить" }).click();
  await expect(result(page)).toBeVisible();
  expect((await quizState(classroom, classroom.learner)).attempts).toMatchObject([{ score: 2 }]);
});

test("when the time is over, the saved answers are submitted by themselves", async ({
  classroom,
  openTimed,
}) => {
  const page = await openTimed(10);
  await start(page);
  await right(page).check();
  await expect(saved(page)).toBeVisible();
  await expect(timeOver(page)).toBeVisible();
  await expect(page.locator(":focus")).toHaveText(/Тест (пока не )?пройден/);
  await expectAccessibleInBothThemes(page, "the result of a timed quiz");
  expect((await quizState(classroom, classroom.learner)).attempts).toMatchObject([{ score: 1 }]);
});

test("an answer given in time counts when the network returns within the grace period", async ({
  classroom,
  openTimed,
}) => {
  const page = await openTimed(10, { grace_seconds: 120 });
  await start(page);
  await page.context().setOffline(true);
  await right(page).check();
  await expect(form(page).getByText(/^Время вышло\. Ответы, данные вовремя/)).toBeVisible();
  await expect(right(page)).toBeDisabled();
  await page.context().setOffline(false);
  await expect(timeOver(page)).toBeVisible();
  expect((await quizState(classroom, classroom.learner)).attempts).toMatchObject([{ score: 1 }]);
});

test("the server grades the saved answers of a closed page", async ({ classroom, tabFor, openTimed }) => {
  const page = await openTimed(10, { grace_seconds: 0 });
  await start(page);
  await right(page).check();
  await expect(saved(page)).toBeVisible();
  await page.close();
  const attempts = async () => (await quizState(classroom, classroom.learner)).attempts;
  await expect.poll(attempts, { timeout: 60_000 }).toMatchObject([{ score: 1 }]);
  const later = await tabFor(classroom.learner);
  await openQuiz(later.page, classroom);
  await expect(result(later.page)).toBeVisible();
});
