import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessibleInBothThemes, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { type Classroom, changeQuiz, everyKind, ids, quizState, test } from "./classroom.ts";
import { expect, viewports } from "./fixtures.ts";
import { question } from "./quiz-keyboard.ts";
import { endSessionElsewhere, signIn } from "./ui.ts";

// psql moves the time at which questions are due.
test.use({ database: "postgres" });

const [single, , text, numeric] = everyKind.questions;
const narrow = { width: 360, height: 740 };
const run = promisify(execFile);

/** Moves all questions of practice a day back, as if it had passed. */
async function passDay(server: Server): Promise<void> {
  const sql =
    "UPDATE practice_cards SET due_at = due_at - interval '1 day', reviewed_at = reviewed_at - interval '1 day'";
  await run("psql", [server.env.KURSO_DATABASE_URL ?? "", "-qc", sql]);
}

async function expectAccessibleOnAnyScreen(page: Page, screen: string): Promise<void> {
  for (const viewport of [narrow, viewports.desktop]) {
    await resize(page, viewport);
    await expectAccessibleInBothThemes(page, `${screen}, ${viewport.width} px`);
    await expectNoHorizontalScroll(page, screen);
  }
}

const action = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("missed questions come back the next day, from the result of a quiz to the home screen", async ({
  classroom,
  tabFor,
}) => {
  const quiz = { pass_percent: 50, reveal: "after_submit", questions: [single, text, numeric] };
  await changeQuiz(classroom, quiz);
  const { page } = await tabFor(classroom.learner);
  await page.goto("/practice");
  await expect(page.getByRole("heading", { name: "Повторять пока нечего" })).toBeVisible();
  await expectAccessibleOnAnyScreen(page, "practice without questions");

  await page.goto(`/view-page/${classroom.quizId}`);
  await question(page, "single").getByLabel("var").check();
  await action(page, "Отправить ответы").click();
  await action(page, "Всё равно отправить").click();
  await page.getByRole("link", { name: "Открыть «Повторение»" }).click();
  await expect(page.getByRole("heading", { name: "Сейчас повторять нечего" })).toBeVisible();
  await expect(page.getByText(/^Следующие вопросы появятся (сегодня|завтра)/)).toBeVisible();

  await passDay(classroom.server);
  await page.goto("/");
  await page.getByRole("link", { name: "Повторение" }).click();
  await expect(page.getByRole("heading", { name: /^Вопрос 1\sиз\s3/ })).toBeVisible();
  await expectAccessibleOnAnyScreen(page, "a question of practice");
  // The order is that of the time at which they are due, here that of the quiz.
  for (const [at, name] of (["single", "text", "numeric"] as const).entries()) {
    await expect(page.getByRole("heading", { name: new RegExp(`^Вопрос ${at + 1}\\s`) })).toBeVisible();
    await answerShown(page, name);
  }
  await expect(page.getByRole("heading", { name: "Всё повторено" })).toBeFocused();
  await expect(page.getByText(/Повторено 3\sвопроса\. Верно\s— 2/)).toBeVisible();
  await expectAccessibleOnAnyScreen(page, "the end of practice");
  expect((await quizState(classroom, classroom.learner)).attempts).toHaveLength(1);
});

/** Answers the shown question: one of three wrong, the others right; then goes on. */
async function answerShown(page: Page, name: "single" | "text" | "numeric"): Promise<void> {
  const shown = page.locator(`#question-${ids[name]}`);
  await expect(shown).toBeVisible();
  await action(page, "Проверить").click();
  await expect(page.getByRole("alert").getByText("Сначала ответьте на вопрос.")).toBeVisible();
  if (name === "single") await shown.getByLabel("mut").check();
  else await shown.getByRole("textbox").fill(name === "text" ? "не знаю" : String(numericKey));
  await page.keyboard.press("Enter");
  const verdict = name === "text" ? "Неверно" : "Верно";
  await expect(page.getByRole("status").getByText(verdict, { exact: true })).toBeVisible();
  await expect(page.getByText(/^вернётся (завтра|через \d+\s)/)).toBeVisible();
  if (name === "single") await expectAccessibleOnAnyScreen(page, "an answered question of practice");
  await page.locator(":focus").press("Enter");
}

const numericKey = (numeric as { value?: number }).value;

/** Submits the quiz without answers, and opens practice a day later. */
async function missAll(page: Page, { server, quizId }: Classroom): Promise<void> {
  await page.goto(`/view-page/${quizId}`);
  await action(page, "Отправить ответы").click();
  await action(page, "Всё равно отправить").click();
  await expect(page.getByRole("link", { name: "Открыть «Повторение»" })).toBeVisible();
  await passDay(server);
  await page.goto("/practice");
}

test("a question can be put off, stopped and taken back, and typed text asks before it is lost", async ({
  classroom,
  tabFor,
}) => {
  await changeQuiz(classroom, { reveal: "after_submit", pass_percent: 50, questions: [single, text] });
  const { page } = await tabFor(classroom.learner);
  await missAll(page, classroom);
  // The second click of a double click does not reach the next question.
  await action(page, "Позже").dblclick();
  await page.locator(`#question-${ids.text}`).getByRole("textbox").fill("заимствование");
  await page.getByRole("link", { name: "Мои курсы" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Вернуться" }).click();
  await action(page, "Больше не показывать").click();
  await page.getByRole("dialog").getByRole("button", { name: "Не сохранять" }).click();
  await expect(page.getByText("Этот вопрос больше не появится")).toBeVisible();
  await page.getByRole("button", { name: "Отменить" }).click();
  await page.goto("/practice");
  await expect(page.getByRole("heading", { name: /^Вопрос 1\sиз\s2/ })).toBeVisible();
  await action(page, "Больше не показывать").click();
  await expect(page.getByRole("heading", { name: /^Вопрос 2\sиз\s2/ })).toBeVisible();
  await page.goto("/practice");
  await expect(page.getByRole("heading", { name: /^Вопрос 1\sиз\s1/ })).toBeVisible();
});

test("typed text waits for the person whose session ends", async ({ classroom, tabFor }) => {
  await changeQuiz(classroom, { reveal: "after_submit", pass_percent: 50, questions: [text] });
  const { page, context } = await tabFor(classroom.learner);
  await missAll(page, classroom);
  const field = page.locator(`#question-${ids.text}`).getByRole("textbox");
  await field.fill("заимствование");
  await endSessionElsewhere(context);
  await page.waitForURL((url) => url.pathname === "/login");
  await signIn(page, classroom.learner.email, classroom.learner.password);
  await expect(page.getByRole("navigation").first()).toBeVisible();
  await page.goto("/practice");
  await expect(field).toHaveValue("заимствование");
});

test("an answer that finds no server stays, and can be checked later", async ({ classroom, tabFor }) => {
  await changeQuiz(classroom, { reveal: "after_submit", pass_percent: 50, questions: [text] });
  const { page, context, consoleErrors } = await tabFor(classroom.learner);
  await missAll(page, classroom);
  const field = page.locator(`#question-${ids.text}`).getByRole("textbox");
  await field.fill("не знаю");
  await context.setOffline(true);
  await action(page, "Проверить").click();
  await expect(page.getByRole("alert").getByText(/^Нет сети\. Ответ останется здесь/)).toBeVisible();
  await expect(field).toHaveValue("не знаю");
  await context.setOffline(false);
  await action(page, "Проверить").click();
  await expect(page.getByRole("status").getByText("Неверно", { exact: true })).toBeVisible();
  await action(page, "Закончить").click();
  await expect(page.getByRole("heading", { name: "Всё повторено" })).toBeVisible();
  await passDay(classroom.server);
  await page.goto("/practice");
  await action(page, "Не помню").click();
  await expect(page.getByRole("status").getByText("Неверно", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Разбор ответа" })).toBeVisible();
  consoleErrors.length = 0;
});
