import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import { expectAccessibleEverywhere } from "./accessibility.ts";
import { joinTeam, signUp } from "./api.ts";
import { addQuestions } from "./banks.ts";
import { box, openReady, savedState, storedQuiz, test } from "./builder.ts";
import { changeQuiz, quizState } from "./classroom.ts";
import { changeInBank, createYesBank, drawQuiz, prompts, shownPrompts, yes } from "./draws.ts";
import { expect, type TabFor } from "./fixtures.ts";

const header = (page: Page, name: RegExp) => page.locator("[data-header]").filter({ hasText: name });
const clock = (page: Page) => page.getByRole("timer", { name: "Оставшееся время" });
const form = (page: Page) => page.getByRole("form", { name: "Тест" });
const answers = (page: Page) => form(page).getByRole("textbox");

async function openQuiz(tabFor: TabFor, classroom: { learner: Parameters<TabFor>[0]; quizId: string }) {
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.quizId}`);
  await expect(page.getByRole("heading", { level: 1, name: "Проверьте себя" })).toBeVisible();
  return page;
}

async function start(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Начать" }).click();
  await expect(form(page)).toBeVisible();
}

async function submit(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(page.getByRole("heading", { name: /Тест (пока не )?пройден/ })).toBeVisible();
}

test.describe("a draw in the builder", () => {
  test("is added from the bank picker, changed and saved", async ({
    server,
    classroom,
    draftId,
    openBuilder,
  }) => {
    await createYesBank(server, classroom.owner, "Очевидное", prompts, ["природа"]);
    const page = await openBuilder(draftId);
    await openReady(page, "Из банка вопросов…");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Случайные вопросы" }).check();
    await dialog.getByRole("textbox", { name: "Сколько вопросов" }).fill("2");
    await dialog.getByRole("button", { name: "Добавить выборку" }).click();
    const summary = header(page, /2\sслучайных вопроса из банка «Очевидное»/);
    await summary.click();
    await expect(page.getByText(/Сейчас подходят 4\sвопроса/)).toBeVisible();
    await page.getByRole("checkbox", { name: /природа/ }).check();
    await box(page, "Баллы за каждый").fill("2,5");
    await box(page, "Баллы за каждый").blur();
    await expect(page.getByText(/2\sвопроса.*5\sбаллов/)).toBeVisible();
    await expectAccessibleEverywhere(page, "a draw in the quiz builder");
    await expect
      .poll(async () => (await storedQuiz(classroom, draftId)).questions[0])
      .toMatchObject({ type: "draw", tags: ["природа"], count: 2, points: 2.5 });

    await box(page, "Сколько вопросов выбрать").fill("5");
    await box(page, "Сколько вопросов выбрать").blur();
    await expect(page.getByText(/Этого не хватит/)).toBeVisible();
    await expect(savedState(page)).toBeVisible();
    await page.getByRole("switch").click();
    await expect(page.getByRole("dialog").getByText("В банке не хватает подходящих вопросов")).toBeVisible();
  });

  test("shows example questions when the author tries the quiz", async ({
    server,
    classroom,
    openBuilder,
  }) => {
    const bank = await createYesBank(server, classroom.owner, "Очевидное", prompts);
    await changeQuiz(classroom, drawQuiz(bank.id, 2));
    const page = await openBuilder(classroom.quizId);
    await page.getByRole("button", { name: "Пройти как ученик" }).click();
    await expect(page.getByText(/выбраны для примера/)).toBeVisible();
    await expect(answers(page)).toHaveCount(2);
    await answers(page).first().fill("да");
    await answers(page).last().fill("да");
    await page.getByRole("button", { name: "Проверить ответы" }).click();
    await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  });

  test("keeps its bank when a colleague without access to the bank changes the points", async ({
    server,
    classroom,
    tabFor,
  }) => {
    const bank = await createYesBank(server, classroom.owner, "Очевидное", prompts);
    await changeQuiz(classroom, drawQuiz(bank.id, 2));
    const colleague = await signUp(server, "Кузнецов Илья Сергеевич");
    await joinTeam(server, classroom.owner, colleague, classroom.courseId, "editor");
    const { page } = await tabFor(colleague);
    await page.goto(`/edit-page/${classroom.quizId}`);
    await header(page, /2\sслучайных вопроса из банка/).click();
    await expect(page.getByText(/Этот банк вам не открыт/)).toBeVisible();
    await expect(page.getByText("Очевидное")).toHaveCount(0);
    await expectAccessibleEverywhere(page, "a draw from a bank that cannot be read");
    await box(page, "Баллы за каждый").fill("3");
    await box(page, "Баллы за каждый").blur();
    await expect
      .poll(async () => (await storedQuiz(classroom, classroom.quizId)).questions)
      .toMatchObject([{ type: "draw", bank_id: bank.id, points: 3 }]);
  });
});

test.describe("a question copied from a bank", () => {
  test("is compared with a newer version and updated, and the update is undone", async ({
    server,
    classroom,
    openBuilder,
  }) => {
    const bank = await createYesBank(server, classroom.owner, "Очевидное", [prompts[0] ?? ""]);
    const [source] = bank.questions;
    if (!source) throw new Error("The bank is empty");
    const copy = { ...yes("Земля круглая?"), source: { question_id: source.id, version: source.version } };
    await changeQuiz(classroom, { questions: [copy] });
    await changeInBank(classroom, source, "Земля — шар?");
    const page = await openBuilder(classroom.quizId);
    await header(page, /Из банка «Очевидное».*Есть новая версия/).click();
    await page.getByRole("button", { name: "Сравнить" }).click();
    const dialog = page.getByRole("dialog", { name: "Новая версия вопроса" });
    await expect(dialog.getByText("Земля круглая?")).toBeVisible();
    await expect(dialog.getByText("Земля — шар?")).toBeVisible();
    await expectAccessibleEverywhere(page, "the versions of a question");
    await dialog.getByRole("button", { name: "Обновить" }).click();
    await expect(header(page, /Земля — шар\?/)).toBeVisible();
    await expect(box(page, "Вопрос")).toHaveText("Земля — шар?");
    await page.getByText("Отменить", { exact: true }).click();
    await expect(box(page, "Вопрос")).toHaveText("Земля круглая?");
    await header(page, /Есть новая версия/).waitFor();
    await page.getByRole("button", { name: "Обновить" }).click();
    await expect
      .poll(async () => (await storedQuiz(classroom, classroom.quizId)).questions[0].source)
      .toEqual({ question_id: source.id, version: source.version + 1 });
    await expect(page.getByText("Есть новая версия")).toHaveCount(0);
    await box(page, "Вопрос").click();
    await page.keyboard.press("End");
    await page.keyboard.insertText(" Да?");
    await expect(header(page, /изменён/)).toBeVisible();
  });

  test("is also what a question of a quiz becomes when it is saved in a bank", async ({
    classroom,
    openBuilder,
  }) => {
    await changeQuiz(classroom, { questions: [yes("Земля круглая?"), yes("Вода мокрая?")] });
    const page = await openBuilder(classroom.quizId);
    await page.getByRole("button", { name: /^Сохранить все вопросы в\sбанк…$/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Название банка" }).fill("Очевидное");
    await dialog.getByRole("textbox", { name: "Теги" }).fill("природа, вода");
    await expectAccessibleEverywhere(page, "saving questions in a bank");
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expect(page.getByText(/2\sвопроса сохранены в\sбанк «Очевидное»/)).toBeVisible();
    await expect(header(page, /Из банка «Очевидное»$/)).toHaveCount(2);
    await expect
      .poll(async () =>
        (await storedQuiz(classroom, classroom.quizId)).questions.map(({ source }) => source?.version),
      )
      .toEqual([1, 1]);
  });
});

test.describe("an attempt that draws its questions", () => {
  test("is started, keeps its questions and answers, and the next attempt draws other questions", async ({
    server,
    classroom,
    tabFor,
  }) => {
    const bank = await createYesBank(server, classroom.owner, "Очевидное", prompts);
    await changeQuiz(classroom, drawQuiz(bank.id, 2));
    const page = await openQuiz(tabFor, classroom);
    await expect(page.getByText(/выбираются заново для каждой попытки/)).toBeVisible();
    await expect(form(page)).toHaveCount(0);
    await expectAccessibleEverywhere(page, "the start of an attempt that draws its questions");
    await start(page);
    await expect(clock(page)).toHaveCount(0);
    const first = await shownPrompts(page);
    expect(first).toHaveLength(2);
    await answers(page).first().fill("да");
    await expect(page.getByText("Сохранено", { exact: true })).toBeVisible();

    const other = await openQuiz(tabFor, classroom);
    expect(await shownPrompts(other)).toEqual(first);
    await expect(answers(other).first()).toHaveValue("да");
    await answers(other).last().fill("нет");
    await submit(other);
    expect((await quizState(classroom, classroom.learner)).attempts).toMatchObject([{ percent: 50 }]);

    await page.reload();
    await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
    expect((await shownPrompts(page)).toSorted()).toEqual(first.toSorted());
    await page.getByRole("button", { name: /Пройти ещё раз/ }).click();
    await start(page);
    const second = await shownPrompts(page);
    expect([...first, ...second].toSorted()).toEqual(prompts.toSorted());
    await answers(page).first().fill("да");
    await answers(page).last().fill("да");
    await submit(page);
    // Each attempt keeps the questions it drew, also after the bank has changed.
    await changeInBank(classroom, bank.questions[0] ?? { id: "", version: 1 }, "Земля — шар?");
    await page.reload();
    expect((await shownPrompts(page)).toSorted()).toEqual(second.toSorted());
    await page.getByRole("button", { name: /^Попытка 1/ }).click();
    await expect.poll(async () => (await shownPrompts(page)).toSorted()).toEqual(first.toSorted());
  });

  test("can also have a time limit", async ({ server, classroom, tabFor }) => {
    const bank = await createYesBank(server, classroom.owner, "Очевидное", prompts);
    await changeQuiz(classroom, drawQuiz(bank.id, 3, { time_limit_seconds: 1200 }));
    const page = await openQuiz(tabFor, classroom);
    await start(page);
    await expect(clock(page)).toHaveText(/^(20:00|19:\d\d)$/);
    await expect(answers(page)).toHaveCount(3);
  });

  test("does not start while the bank has too few questions, and starts once it has enough", async ({
    server,
    classroom,
    tabFor,
  }) => {
    const bank = await createYesBank(server, classroom.owner, "Очевидное", prompts.slice(0, 2));
    await changeQuiz(classroom, drawQuiz(bank.id, 2));
    const remove =
      "mutation ($input: DeleteBankQuestionsInput!) { deleteBankQuestions(input: $input) { bank { id } } }";
    const [gone] = bank.questions;
    await graphql(server.url, classroom.owner.token, remove, {
      input: { bankId: bank.id, questionIds: [gone?.id] },
    });
    const page = await openQuiz(tabFor, classroom);
    await page.getByRole("button", { name: "Начать" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Попытка не потрачена" })).toBeVisible();
    await addQuestions(server, classroom.owner, bank.id, [{ question: yes("Трава зелёная?") }]);
    await page.getByRole("button", { name: "Повторить" }).click();
    await expect(answers(page)).toHaveCount(2);
  });

  test("appears with its questions in the analysis for teachers", async ({ server, classroom, tabFor }) => {
    const bank = await createYesBank(server, classroom.owner, "Очевидное", prompts);
    await changeQuiz(classroom, drawQuiz(bank.id, 2));
    const learner = await openQuiz(tabFor, classroom);
    await start(learner);
    const drawn = await shownPrompts(learner);
    await answers(learner).first().fill("да");
    await answers(learner).last().fill("да");
    await submit(learner);
    const { page } = await tabFor(classroom.owner);
    await page.goto(`/edit-course/${classroom.courseId}?tab=students&view=analysis&part=${classroom.quizId}`);
    for (const prompt of drawn) await expect(page.getByRole("table").getByText(prompt)).toBeVisible();
    await expectAccessibleEverywhere(page, "the analysis of a quiz with drawn questions");
  });
});
