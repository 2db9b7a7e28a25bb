import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { contents } from "./app.ts";
import { expectFineEverywhere, newTab, signedIn } from "./browser.ts";
import { drag, swipe } from "./pointing.ts";
import { answerByKeys, order, question, rights, rows, rowTexts } from "./quizKeys.ts";
import { changeQuiz, everyKind, ids, room, server, standing, withClassroom } from "./quizzes.ts";

withClassroom();

async function open(options: Parameters<typeof signedIn>[2] = {}): Promise<Page> {
  const { page } = await signedIn(server, room.learner, options);
  await page.goto(`/view-page/${room.quizId}`);
  await page.getByRole("form", { name: "Тест" }).waitFor();
  return page;
}

async function submit(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Отправить ответы" }).click();
}

/** Everything but the three that are dragged. */
async function answerTheRest(page: Page): Promise<void> {
  await question(page, "single").getByLabel("mut").check();
  await question(page, "multiple").getByLabel("i32").check();
  await question(page, "multiple").getByLabel("u8").check();
  await question(page, "text").getByRole("textbox").fill("cargo");
  await question(page, "numeric").getByRole("textbox").fill("16");
  await question(page, "blanks").getByLabel("Пропуск 1").fill("Владелец");
  await question(page, "blanks").getByLabel("Пропуск 2").selectOption({ label: "удаляется" });
}

describe("a quiz is taken", () => {
  test("by the mouse, each kind of question, cards and rows by dragging", async () => {
    const page = await open();
    await answerTheRest(page);
    const matching = question(page, "matching");
    for (const [left, right] of Object.entries(rights)) {
      await drag(
        page,
        matching.getByRole("button", { name: right, exact: true }),
        matching.getByRole("button", { name: `Пара к «${left}»: пусто` }),
      );
      await matching.getByRole("button", { name: `Пара к «${left}»: ${right}` }).waitFor();
    }
    // Each goes to its place from wherever it is.
    for (const [place, name] of order.entries()) {
      const now = (await rowTexts(page)).indexOf(name);
      if (now === place) continue;
      await drag(page, rows(page).nth(now).locator("[aria-hidden]").first(), rows(page).nth(place));
    }
    expect(await rowTexts(page)).toEqual(order);
    await submit(page);
    await page.getByRole("heading", { name: "Тест пройден" }).waitFor();
    expect(await standing(room, room.learner)).toMatchObject({
      isCompleted: true,
      attempts: [{ percent: 100, passed: true, score: 12 }],
    });
    // The tree and the ring know at once.
    await contents(page)
      .getByRole("img", { name: /^Пройдено\s33\s%/ })
      .waitFor();
  });

  test("by the keyboard alone", async () => {
    const page = await open();
    await page.getByRole("heading", { level: 1 }).focus();
    await answerByKeys(page);
    await page.getByRole("heading", { name: "Тест пройден" }).waitFor();
    // The focus is where to read on.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Тест пройден");
    expect((await standing(room, room.learner)).attempts).toMatchObject([{ percent: 100 }]);
  });

  test("by touch: cards by tapping, rows by dragging", async () => {
    const { page } = await newTab(server, { size: "phone", token: room.learner.token, touch: true });
    await page.goto(`/view-page/${room.quizId}`);
    const matching = question(page, "matching");
    await matching.waitFor();
    for (const [left, right] of Object.entries(rights)) {
      await matching.getByRole("button", { name: right, exact: true }).tap();
      await matching.getByRole("button", { name: `Пара к «${left}»: пусто` }).tap();
      await matching.getByRole("button", { name: `Пара к «${left}»: ${right}` }).waitFor();
    }
    const before = await rowTexts(page);
    await swipe(page, rows(page).nth(0).locator("[aria-hidden]").first(), rows(page).nth(2));
    expect(await rowTexts(page)).toEqual([before[1], before[2], before[0], before[3]]);
  });
});

describe("nothing that was answered is lost", () => {
  test("answers are there again after a reload, and for nobody else", async () => {
    const page = await open();
    await answerTheRest(page);
    await page.reload();
    await question(page, "text").getByRole("textbox").waitFor();
    expect(await question(page, "text").getByRole("textbox").inputValue()).toBe("cargo");
    expect(await question(page, "single").getByLabel("mut").isChecked()).toBe(true);
    // Somebody else at the same device sees nothing of it.
    await page.evaluate((token) => localStorage.setItem("access_token", token), room.owner.token);
    await page.reload();
    await question(page, "text").getByRole("textbox").waitFor();
    expect(await question(page, "text").getByRole("textbox").inputValue()).toBe("");
  });

  test("a submit whose answer was lost is sent again as the same one and counts once", async () => {
    const page = await open();
    await answerTheRest(page);
    const sent: string[] = [];
    // The server takes the answers, and the answer to that never arrives.
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
    await page.getByText("Сервер не ответил, приняты ли ответы").waitFor();
    expect(await question(page, "text").getByRole("textbox").isDisabled()).toBe(true);
    // Even a closed page asks for the same again.
    await page.reload();
    await page.getByRole("heading", { name: /Тест (пока не )?пройден/ }).waitFor();
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBe(sent[1]);
    expect((await standing(room, room.learner)).attempts).toHaveLength(1);
  });

  test("answers given offline are sent when the network is back", async () => {
    const page = await open();
    await answerTheRest(page);
    await page.context().setOffline(true);
    await submit(page);
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await page.getByText("Нет сети. Ответы сохранены").waitFor();
    expect((await standing(room, room.learner)).attempts).toHaveLength(0);
    await page.context().setOffline(false);
    await page.getByRole("heading", { name: /Тест (пока не )?пройден/ }).waitFor();
    expect((await standing(room, room.learner)).attempts).toHaveLength(1);
  });

  test("a quiz changed meanwhile is explained, the answers are kept and no attempt is used", async () => {
    const page = await open();
    await answerTheRest(page);
    const questions = everyKind.questions.map((question) =>
      question.id === ids.numeric
        ? { ...question, prompt: "Сколько бит в числе типа u32?", value: 32 }
        : question,
    );
    const added = { type: "numeric", prompt: "Сколько бит в байте?", value: 8 };
    await changeQuiz(room, { ...everyKind, questions: [...questions.slice(0, -1), added] });
    await submit(page);
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await page.getByRole("heading", { name: "Автор изменил этот тест" }).waitFor();
    await page.getByText("Изменён 1 вопрос").waitFor();
    await page.getByText("Добавлен 1 вопрос").waitFor();
    await page.getByText("Удалён 1 вопрос").waitFor();
    await question(page, "numeric").getByText("Этот вопрос изменился").waitFor();
    expect(await question(page, "text").getByRole("textbox").inputValue()).toBe("cargo");
    expect((await standing(room, room.learner)).attempts).toHaveLength(0);
    await submit(page);
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await page.getByRole("heading", { name: /Тест (пока не )?пройден/ }).waitFor();
    expect((await standing(room, room.learner)).attempts).toHaveLength(1);
  });

  test("a change that the learner cannot see disturbs nobody", async () => {
    const page = await open();
    await answerTheRest(page);
    await changeQuiz(room, {
      ...everyKind,
      questions: everyKind.questions.map((one) => ({ ...one, explanation: "Иначе." })),
    });
    await submit(page);
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await page.getByRole("heading", { name: /Тест (пока не )?пройден/ }).waitFor();
    expect((await standing(room, room.learner)).attempts).toHaveLength(1);
  });
});

describe("results", () => {
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
    await last.or(page.getByRole("heading", { name: /Тест (пока не )?пройден/ })).waitFor();
    if (await last.isVisible()) await last.click();
    await page.getByRole("heading", { name: /Тест (пока не )?пройден/ }).waitFor();
  };

  test("say the right answer only as the quiz allows, count attempts, and are there again", async () => {
    await changeQuiz(room, one({ reveal: "after_pass", max_attempts: 2 }));
    const page = await open();
    await page.getByText("Осталось 2 попытки").waitFor();
    await answer(page, "read_line");
    await page.getByText("Верные ответы и пояснения откроются").waitFor();
    expect(await page.getByText("Верный ответ").count()).toBe(0);
    await page.getByText("Осталась 1 попытка").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Тест пока не пройден" }).waitFor();
    await page.getByRole("button", { name: "Пройти ещё раз" }).click();
    await answer(page, "println!");
    await page.getByText("Макрос println! пишет").waitFor();
    await page.getByText("Попыток больше нет").waitFor();
    expect(await page.getByRole("button", { name: "Пройти ещё раз" }).count()).toBe(0);
    // The first attempt may be looked at, and says more now.
    await page.getByRole("button", { name: "Попытка 1: 0 %" }).click();
    await page.getByText("Верный ответ").waitFor();
    await page.getByText("Лучший результат — 100 %").waitFor();
  });

  test("of a quiz that never says what was right say the score alone", async () => {
    await changeQuiz(room, one({ reveal: "never" }));
    const page = await open();
    await answer(page, "read_line");
    await page.getByText("В этом тесте верные ответы не показываются.").waitFor();
    expect(await page.getByText("Неверно", { exact: true }).count()).toBe(0);
  });

  test("are printed without buttons", async () => {
    const page = await open();
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("button", { name: "Отправить ответы" }).isVisible()).toBe(false);
    expect(await question(page, "single").isVisible()).toBe(true);
  });
});

describe("a try-out of staff", () => {
  test("is graded like an attempt and stored nowhere", async () => {
    const { page } = await signedIn(server, room.owner);
    await page.goto(`/view-page/${room.quizId}`);
    await question(page, "single").getByLabel("mut").check();
    await page.getByRole("button", { name: "Проверить ответы" }).click();
    await page.getByRole("button", { name: "Всё равно отправить" }).click();
    await page.getByRole("heading", { name: "Тест пока не пройден" }).waitFor();
    await page.getByText("Это проба: ничего не сохранено").waitFor();
    expect((await standing(room, room.owner)).attempts).toEqual([]);
  });
});

test("taking and results are accessible and fit at every size, in both themes", async () => {
  const page = await open({ size: "phone" });
  const matching = question(page, "matching");
  await matching.getByRole("button", { name: "создаёт проект", exact: true }).click();
  await expectFineEverywhere(page, "taking a quiz");
  await matching.getByRole("button", { name: "Пара к «cargo new»: пусто" }).click();
  await question(page, "numeric").getByRole("textbox").fill("шестнадцать");
  await question(page, "numeric").getByRole("textbox").blur();
  await page.getByText("Введите число").waitFor();
  await expectFineEverywhere(page, "answers that do not fit");
  await question(page, "numeric").getByRole("textbox").fill("16");
  await submit(page);
  await page.getByText("Без ответа остал").waitFor();
  await expectFineEverywhere(page, "open questions");
  await page.getByRole("button", { name: "Всё равно отправить" }).click();
  await page.getByRole("heading", { name: "Тест пока не пройден" }).waitFor();
  await expectFineEverywhere(page, "results");
});
