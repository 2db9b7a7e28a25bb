import type { Page } from "@playwright/test";
import { expectAccessibleEverywhere } from "./accessibility.ts";
import { test as base, changeQuiz, everyKind, ids, quizState } from "./classroom.ts";
import { drag, touchDrag } from "./drag.ts";
import { expect, type TabFor } from "./fixtures.ts";
import {
  answerWithKeyboard,
  correctOrder,
  correctPairs,
  orderingRows,
  orderingTexts,
  question,
} from "./quiz-keyboard.ts";
import { contents } from "./ui.ts";

interface Fixtures {
  /** Opens the quiz as its learner. */
  openQuiz: (options?: Parameters<TabFor>[1]) => Promise<Page>;
}

const test = base.extend<Fixtures>({
  openQuiz: async ({ classroom, tabFor }, use) => {
    await use(async (options) => {
      const { page } = await tabFor(classroom.learner, options);
      await page.goto(`/view-page/${classroom.quizId}`);
      await expect(page.getByRole("form", { name: "Тест" })).toBeVisible();
      return page;
    });
  },
});

async function submit(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Отправить ответы" }).click();
}

/** Answers all questions except matching and ordering. */
async function answerTheRest(page: Page): Promise<void> {
  await question(page, "single").getByLabel("mut").check();
  await question(page, "multiple").getByLabel("i32").check();
  await question(page, "multiple").getByLabel("u8").check();
  await question(page, "text").getByRole("textbox").fill("cargo");
  await question(page, "numeric").getByRole("textbox").fill("16");
  await question(page, "blanks").getByLabel("Пропуск 1").fill("Владелец");
  await question(page, "blanks").getByLabel("Пропуск 2").selectOption({ label: "удаляется" });
}

test.describe("taking a quiz", () => {
  test("answers every kind of question with the mouse, with cards and rows dragged", async ({
    classroom,
    openQuiz,
  }) => {
    const page = await openQuiz();
    await answerTheRest(page);
    const matching = question(page, "matching");
    for (const [left, right] of Object.entries(correctPairs)) {
      await drag(
        page,
        matching.getByRole("button", { name: right, exact: true }),
        matching.getByRole("button", { name: `Пара к «${left}»: пусто` }),
      );
      await expect(matching.getByRole("button", { name: `Пара к «${left}»: ${right}` })).toBeVisible();
    }
    // Drag each row to its index.
    for (const [place, name] of correctOrder.entries()) {
      const now = (await orderingTexts(page)).indexOf(name);
      if (now === place) continue;
      await drag(
        page,
        orderingRows(page).nth(now).locator("[aria-hidden]").first(),
        orderingRows(page).nth(place),
      );
    }
    await expect.poll(() => orderingTexts(page)).toEqual(correctOrder);
    // The order that was dealt may be the right one.
    const keep = page.getByRole("button", { name: "Оставить так" });
    if (await keep.isVisible()) await keep.click();
    await submit(page);
    await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
    expect(await quizState(classroom, classroom.learner)).toMatchObject({
      isCompleted: true,
      attempts: [{ percent: 100, passed: true, score: 12 }],
    });
    // The course contents show the new progress at once.
    await expect(contents(page).getByRole("img", { name: /^Пройдено\s33\s%/ })).toBeVisible();
  });

  test("answers every kind of question using only the keyboard", async ({ classroom, openQuiz }) => {
    const page = await openQuiz();
    await page.getByRole("heading", { level: 1 }).focus();
    await answerWithKeyboard(page);
    await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
    // The focus moves to the result.
    await expect(page.locator(":focus")).toHaveText("Тест пройден");
    expect((await quizState(classroom, classroom.learner)).attempts).toMatchObject([{ percent: 100 }]);
  });

  test("matches cards by tapping and sorts rows by dragging on a touch screen", async ({
    newTab,
    classroom,
  }) => {
    const { page } = await newTab({ viewport: "phone", token: classroom.learner.token, touch: true });
    await page.goto(`/view-page/${classroom.quizId}`);
    const matching = question(page, "matching");
    await expect(matching).toBeVisible();
    for (const [left, right] of Object.entries(correctPairs)) {
      await matching.getByRole("button", { name: right, exact: true }).tap();
      await matching.getByRole("button", { name: `Пара к «${left}»: пусто` }).tap();
      await expect(matching.getByRole("button", { name: `Пара к «${left}»: ${right}` })).toBeVisible();
    }
    const before = await orderingTexts(page);
    await touchDrag(
      page,
      orderingRows(page).nth(0).locator("[aria-hidden]").first(),
      orderingRows(page).nth(2),
    );
    await expect.poll(() => orderingTexts(page)).toEqual([before[1], before[2], before[0], before[3]]);
  });
});

test.describe("unsent answers", () => {
  test("include an order only when it was moved or kept as it is", async ({ openQuiz }) => {
    const page = await openQuiz();
    const keep = question(page, "ordering").getByRole("button", { name: "Оставить так" });
    await expect(keep).toBeVisible();
    const dealt = await orderingTexts(page);
    await keep.click();
    await expect(keep).toHaveCount(0);
    await page.reload();
    await expect(orderingRows(page)).toHaveCount(dealt.length);
    expect(await orderingTexts(page)).toEqual(dealt);
    await expect(keep).toHaveCount(0);
  });

  test("are restored after a reload, for the same user only", async ({ classroom, openQuiz }) => {
    const page = await openQuiz();
    await answerTheRest(page);
    await page.reload();
    await expect(question(page, "text").getByRole("textbox")).toBeVisible();
    await expect(question(page, "text").getByRole("textbox")).toHaveValue("cargo");
    await expect(question(page, "single").getByLabel("mut")).toBeChecked();
    // Another user of the same browser does not see the answers.
    // The token changes on a page without the app: a running app could end the session in between.
    await page.goto("/api/v1/utils/health-check/");
    await page.evaluate((token) => localStorage.setItem("access_token", token), classroom.owner.token);
    await page.goto(`/view-page/${classroom.quizId}`);
    await expect(question(page, "text").getByRole("textbox")).toBeVisible();
    await expect(question(page, "text").getByRole("textbox")).toHaveValue("");
  });

  test("are submitted again with the same ID when the response is lost, and count as one attempt", async ({
    classroom,
    openQuiz,
  }) => {
    const page = await openQuiz();
    await answerTheRest(page);
    const sent: string[] = [];
    // The server receives the answers, but its response is lost.
    await page.route("**/graphql", async (route) => {
      const body = route.request().postDataJSON() as {
        operationName?: string;
        variables: { input?: { submissionId?: string } };
      };
      if (body.operationName !== "SubmitQuiz") return route.continue();
      sent.push(body.variables.input?.submissionId ?? "");
      if (sent.length > 1) return route.continue();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await submit(page);
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await expect(page.getByText("Сервер не ответил, приняты ли ответы")).toBeVisible();
    await expect(question(page, "text").getByRole("textbox")).toBeDisabled();
    // After a reload the app sends the same submission again.
    await page.reload();
    await expect(page.getByRole("heading", { name: /Тест (пока не )?пройден/ })).toBeVisible();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBe(sent[1]);
    expect((await quizState(classroom, classroom.learner)).attempts).toHaveLength(1);
  });

  test("are submitted after the network returns", async ({ classroom, openQuiz }) => {
    const page = await openQuiz();
    await answerTheRest(page);
    await page.context().setOffline(true);
    await submit(page);
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await expect(page.getByText("Нет сети. Ответы сохранены")).toBeVisible();
    expect((await quizState(classroom, classroom.learner)).attempts).toHaveLength(0);
    await page.context().setOffline(false);
    await expect(page.getByRole("heading", { name: /Тест (пока не )?пройден/ })).toBeVisible();
    expect((await quizState(classroom, classroom.learner)).attempts).toHaveLength(1);
  });

  test("are kept when the author changes the quiz, without using an attempt", async ({
    classroom,
    openQuiz,
  }) => {
    const page = await openQuiz();
    await answerTheRest(page);
    const questions = everyKind.questions.map((question) =>
      question.id === ids.numeric
        ? { ...question, prompt: "Сколько бит в числе типа u32?", value: 32 }
        : question,
    );
    const added = { type: "numeric", prompt: "Сколько бит в байте?", value: 8 };
    await changeQuiz(classroom, { ...everyKind, questions: [...questions.slice(0, -1), added] });
    await submit(page);
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await expect(page.getByRole("heading", { name: "Автор изменил этот тест" })).toBeVisible();
    await expect(page.getByText("Изменён 1 вопрос")).toBeVisible();
    await expect(page.getByText("Добавлен 1 вопрос")).toBeVisible();
    await expect(page.getByText("Удалён 1 вопрос")).toBeVisible();
    await expect(question(page, "numeric").getByText("Этот вопрос изменился")).toBeVisible();
    await expect(question(page, "text").getByRole("textbox")).toHaveValue("cargo");
    expect((await quizState(classroom, classroom.learner)).attempts).toHaveLength(0);
    await submit(page);
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await expect(page.getByRole("heading", { name: /Тест (пока не )?пройден/ })).toBeVisible();
    expect((await quizState(classroom, classroom.learner)).attempts).toHaveLength(1);
  });

  test("are graded after a change of the quiz that learners cannot see", async ({ classroom, openQuiz }) => {
    const page = await openQuiz();
    await answerTheRest(page);
    await changeQuiz(classroom, {
      ...everyKind,
      questions: everyKind.questions.map((one) => ({ ...one, explanation: "Иначе." })),
    });
    await submit(page);
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await expect(page.getByRole("heading", { name: /Тест (пока не )?пройден/ })).toBeVisible();
    expect((await quizState(classroom, classroom.learner)).attempts).toHaveLength(1);
  });
});

test.describe("results", () => {
  const one = (settings: object) => ({
    ...settings,
    questions: [
      {
        id: ids.single,
        type: "single_choice",
        prompt: "Что печатает программу на экран?",
        explanation: "Макрос println! пишет в стандартный вывод.",
        options: [{ content: "println!", correct: true }, { content: "read_line" }],
      },
    ],
  });
  const answer = async (page: Page, option: string) => {
    await question(page, "single").getByLabel(option).check();
    const last = page.getByRole("button", { name: "Да, отправить" });
    await submit(page);
    await expect(last.or(page.getByRole("heading", { name: /Тест (пока не )?пройден/ }))).toBeVisible();
    if (await last.isVisible()) await last.click();
    await expect(page.getByRole("heading", { name: /Тест (пока не )?пройден/ })).toBeVisible();
  };

  test("show correct answers when the quiz allows it, count attempts, and stay after a reload", async ({
    classroom,
    openQuiz,
  }) => {
    await changeQuiz(classroom, one({ reveal: "after_pass", max_attempts: 2 }));
    const page = await openQuiz();
    await expect(page.getByText("Осталось 2 попытки")).toBeVisible();
    await answer(page, "read_line");
    await expect(page.getByText("Верные ответы и пояснения откроются")).toBeVisible();
    await expect(page.getByText("Верный ответ")).toHaveCount(0);
    await expect(page.getByText("Осталась 1 попытка")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Тест пока не пройден" })).toBeVisible();
    await page.getByRole("button", { name: "Пройти ещё раз" }).click();
    await answer(page, "println!");
    await expect(page.getByText("Макрос println! пишет")).toBeVisible();
    await expect(page.getByText("Попыток больше нет")).toBeVisible();
    await expect(page.getByRole("button", { name: "Пройти ещё раз" })).toHaveCount(0);
    // The first attempt now shows the correct answer.
    await page.getByRole("button", { name: "Попытка 1: 0 %" }).click();
    await expect(page.getByText("Верный ответ")).toBeVisible();
    await expect(page.getByText("Лучший результат — 100 %")).toBeVisible();
  });

  test("show only the score when the quiz never reveals answers", async ({ classroom, openQuiz }) => {
    await changeQuiz(classroom, one({ reveal: "never" }));
    const page = await openQuiz();
    await answer(page, "read_line");
    await expect(page.getByText("В этом тесте верные ответы не показываются.")).toBeVisible();
    await expect(page.getByText("Неверно", { exact: true })).toHaveCount(0);
  });

  test("are printed without buttons", async ({ openQuiz }) => {
    const page = await openQuiz();
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("button", { name: "Отправить ответы" })).toBeHidden();
    await expect(question(page, "single")).toBeVisible();
  });
});

test.describe("staff", () => {
  test("try a quiz, which is graded but not stored", async ({ tabFor, classroom }) => {
    const { page } = await tabFor(classroom.owner);
    await page.goto(`/view-page/${classroom.quizId}`);
    await question(page, "single").getByLabel("mut").check();
    await page.getByRole("button", { name: "Проверить ответы" }).click();
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await expect(page.getByRole("heading", { name: "Тест пока не пройден" })).toBeVisible();
    await expect(page.getByText("Это проба: ничего не сохранено")).toBeVisible();
    expect((await quizState(classroom, classroom.owner)).attempts).toEqual([]);
  });
});

test("the quiz and its results are accessible and fit at every size, in both themes", async ({
  openQuiz,
}) => {
  const page = await openQuiz({ viewport: "phone" });
  const matching = question(page, "matching");
  await matching.getByRole("button", { name: "создаёт проект", exact: true }).click();
  await expectAccessibleEverywhere(page, "taking a quiz");
  await matching.getByRole("button", { name: "Пара к «cargo new»: пусто" }).click();
  await question(page, "numeric").getByRole("textbox").fill("шестнадцать");
  await question(page, "numeric").getByRole("textbox").blur();
  await expect(page.getByText("Введите число")).toBeVisible();
  await expectAccessibleEverywhere(page, "an invalid answer");
  await question(page, "numeric").getByRole("textbox").fill("16");
  await submit(page);
  await expect(page.getByText("Без ответа остал")).toBeVisible();
  await expectAccessibleEverywhere(page, "open questions");
  await page.getByRole("button", { name: "Всё равно отправить" }).click();
  await expect(page.getByRole("heading", { name: "Тест пока не пройден" })).toBeVisible();
  await expectAccessibleEverywhere(page, "results");
});

test("the second click of a double click does not follow a link that has moved under the pointer", async ({
  classroom,
  tabFor,
}) => {
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.quizId}`);
  // The links of the page are there before its quiz.
  await expect(page.getByRole("button", { name: "Отправить ответы" })).toBeVisible();
  const back = page.getByRole("link", { name: /Назад/ });
  await back.scrollIntoViewIfNeeded();
  const { x, y } = (await back.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 20, y + 20);
  // The first click was on the button that submitted the answers.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await expect(page).toHaveURL(new RegExp(classroom.quizId));
  await page.mouse.click(x + 20, y + 20);
  await expect(page).toHaveURL(new RegExp(classroom.pages[0]));
});
