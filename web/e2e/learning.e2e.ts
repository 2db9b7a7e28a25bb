import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { post } from "../../scripts/client.mjs";
import { eventually, readToTheEnd, waitForPage, waitUntilRead } from "./app.ts";
import { focused, tabTo } from "./authoring.ts";
import { expectAccessible, expectFineEverywhere, newTab, signedIn } from "./browser.ts";
import { person, tree } from "./people.ts";
import { answerByKeys, question } from "./quizKeys.ts";
import { changeQuiz, ids, room, server, withClassroom } from "./quizzes.ts";

withClassroom();

/** A quiz of one question. */
const oneQuestion = (settings: object = {}) => ({
  ...settings,
  questions: [
    {
      id: ids.single,
      type: "single_choice",
      prompt: "Что печатает программу на экран?",
      options: [{ content: "println!", correct: true }, { content: "read_line" }],
    },
  ],
});

async function visit(pageId: string): Promise<void> {
  await post(server.url, `/api/v1/courses/mark_page_visited/${pageId}`, {}, room.learner.token);
}

async function openCourse(tab?: "progress"): Promise<Page> {
  const { page } = await signedIn(server, room.learner);
  await page.goto(`/view-course/${room.courseId}${tab ? `?tab=${tab}` : ""}`);
  await page.getByRole("heading", { level: 1, name: "Основы Rust" }).waitFor();
  return page;
}

async function answer(page: Page, option: string): Promise<void> {
  await question(page, "single").getByLabel(option).check();
  const last = page.getByRole("button", { name: "Да, отправить" });
  const over = page.getByRole("heading", { name: /Тест (пока не )?пройден/ });
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await last.or(over).first().waitFor();
  if (await last.isVisible()) await last.click();
  await over.waitFor();
}

/** The course as its page shows it, for the screen readers' eyes too. */
const lesson = (page: Page) => page.getByRole("main").getByRole("button", { name: /Первые шаги/ });
const left = (page: Page) => page.getByRole("region", { name: "Что осталось" });

describe("a course says what is left of it", () => {
  test("why a lesson is not completed and why a page is not, and goes on at the next of them", async () => {
    await changeQuiz(room, oneQuestion({ pass_percent: 60, max_attempts: 2 }));
    const page = await openCourse();
    expect(await lesson(page).innerText()).toMatch(/Осталось прочитать 2.страницы и.пройти 1.тест/);
    // All of it is still to do: the outline says it, no list repeats it.
    expect(await left(page).count()).toBe(0);
    await page.getByRole("link", { name: "Начать" }).click();
    await waitForPage(page, room.pages[0]);
    await readToTheEnd(page);
    await waitUntilRead(page, room.pages[0]);
    await page.goto(`/view-course/${room.courseId}`);
    await left(page).waitFor();
    expect(await left(page).getByRole("link").allInnerTexts()).toEqual([
      expect.stringMatching(/Проверьте себя[\s\S]*Тест ещё не пройден, осталось 2.попытки/),
      expect.stringMatching(/Что дальше[\s\S]*Не прочитана/),
    ]);
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, room.quizId);
    await answer(page, "read_line");
    await page.getByRole("link", { name: "Основы Rust" }).first().click();
    await left(page)
      .getByText(/лучший результат.— 0.%, осталась 1.попытка/)
      .waitFor();
    expect(await lesson(page).innerText()).toMatch(/Осталось прочитать 1.страницу и.пройти 1.тест/);
  });

  test("past a quiz without attempts, and what to do when only such are left", async () => {
    await changeQuiz(room, oneQuestion({ pass_percent: 60, max_attempts: 1 }));
    await visit(room.pages[0]);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, room.quizId);
    await answer(page, "read_line");
    await page.goto("/");
    await page.getByText("Попыток больше нет: Проверьте себя").waitFor();
    expect(await page.getByRole("link", { name: "Продолжить" }).count()).toBe(0);
    await page.getByRole("link", { name: "Открыть курс" }).click();
    await left(page)
      .getByText(/попыток больше нет/)
      .waitFor();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, room.pages[2]);
    await readToTheEnd(page);
    await waitUntilRead(page, room.pages[2]);
    await page.goto(`/view-course/${room.courseId}`);
    await page.getByText(/Преподаватель может сбросить их/).waitFor();
    expect(await page.getByRole("link", { name: "Продолжить" }).count()).toBe(0);
  });

  test("to those who learn it: staff see a preview", async () => {
    const { page } = await signedIn(server, room.owner);
    await page.goto(`/view-course/${room.courseId}?tab=progress`);
    await page.getByText("Так курс видят ученики.").waitFor();
    expect(await page.getByText(/Осталось/).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Мой прогресс" }).count()).toBe(0);
  });
});

describe("the moment a course is completed", () => {
  const moment = (page: Page) => page.getByRole("heading", { name: "Курс пройден!" });

  test("comes once, on the page that was the last, and the course knows it", async () => {
    await changeQuiz(room, oneQuestion({ pass_percent: 60 }));
    await visit(room.pages[0]);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await answer(page, "println!");
    await page.getByRole("link", { name: /^Дальше/ }).click();
    await waitForPage(page, room.pages[2]);
    expect(await moment(page).count()).toBe(0);
    await readToTheEnd(page);
    await moment(page).waitFor();
    await page.getByText(/Вы прошли все 3.страницы курса «Основы Rust»/).waitFor();
    await expectFineEverywhere(page, "the end of a course");

    // Another visit is no surprise.
    await page.reload();
    await page.getByText("Курс пройден.").waitFor();
    expect(await moment(page).count()).toBe(0);

    await page.getByRole("link", { name: "К содержанию курса" }).click();
    await page.getByRole("heading", { name: /^Курс пройден сегодня в \d\d:\d\d$/ }).waitFor();
    expect(await left(page).count()).toBe(0);
    await page.getByRole("link", { name: "К моим курсам" }).click();
    await page.waitForURL(`${server.url}/`);
    await page.getByText("Курс пройден").waitFor();
  });

  test("is said beside the result when a quiz was the last", async () => {
    await changeQuiz(room, oneQuestion({ pass_percent: 60 }));
    await visit(room.pages[0]);
    await visit(room.pages[2]);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, room.quizId);
    await answer(page, "println!");
    await moment(page).waitFor();
    await page.getByRole("link", { name: "Посмотреть прогресс" }).click();
    await page.waitForURL((url) => url.search === "?tab=progress");
    await page.goBack();
    await page.getByRole("heading", { name: "Тест пройден" }).waitFor();
    expect(await moment(page).count()).toBe(0);
  });

  test("is remembered when the course grows", async () => {
    await changeQuiz(room, oneQuestion({ pass_percent: 0 }));
    for (const id of room.pages) await visit(id);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await answer(page, "println!");
    const more = { title: "Новое" };
    await post(server.url, `/api/v1/courses/create_page/${room.lessonId}`, more, room.owner.token);
    await page.goto(`/view-course/${room.courseId}`);
    await page.getByText(/Впервые вы.прошли этот курс сегодня/).waitFor();
    await left(page).getByRole("link", { name: /Новое/ }).waitFor();
  });
});

describe("one's own progress", () => {
  test("says where to begin as long as nothing is done", async () => {
    const page = await openCourse("progress");
    await page.getByText("Пока ничего не прочитано").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Начать" }).click();
    await waitForPage(page, room.pages[0]);
  });

  test("shows pages with their visits and quizzes with their attempts, each a way there", async () => {
    await changeQuiz(room, oneQuestion({ pass_percent: 60, max_attempts: 3 }));
    await visit(room.pages[0]);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await answer(page, "read_line");
    await page.getByRole("button", { name: "Пройти ещё раз" }).click();
    await answer(page, "println!");
    await page.getByRole("link", { name: "Основы Rust" }).first().click();
    await page.getByRole("link", { name: "Мой прогресс" }).press("Enter");
    await page.waitForURL((url) => url.search === "?tab=progress");
    const attempts = page.getByRole("list", { name: "Попытки в тесте «Проверьте себя»" });
    await attempts.waitFor();
    expect(
      (await attempts.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " ")),
    ).toEqual([
      expect.stringMatching(/^Попытка 1 0 % сегодня в \d\d:\d\d$/),
      expect.stringMatching(/^Попытка 2 100 % · пройдена сегодня в \d\d:\d\d$/),
    ]);
    const main = page.getByRole("main");
    await main.getByText(/^66.%$/).waitFor();
    await main.getByRole("link", { name: "Что дальше" }).waitFor();
    await main.getByText("ещё не открыта").waitFor();
    await expectAccessible(page, "one's own progress");
    await main.getByRole("link", { name: "Проверьте себя" }).click();
    await waitForPage(page, room.quizId);
  });
});

test("a course with a little left, and completed, is accessible and fits at every size, in both themes", async () => {
  await changeQuiz(room, oneQuestion({ pass_percent: 60, max_attempts: 3 }));
  await visit(room.pages[0]);
  const { page } = await signedIn(server, room.learner, { size: "phone" });
  await page.goto(`/view-page/${room.quizId}`);
  await answer(page, "read_line");
  for (const state of ["left", "completed"]) {
    await page.goto(`/view-course/${room.courseId}`);
    await (state === "left" ? left(page) : page.getByText(/^Курс пройден сегодня/)).waitFor();
    await expectFineEverywhere(page, `a course, ${state}`);
    await page.getByRole("link", { name: "Мой прогресс" }).click();
    await page.getByRole("list", { name: /Попытки/ }).waitFor();
    await expectFineEverywhere(page, `progress, ${state}`);
    if (state === "completed") break;
    await visit(room.pages[2]);
    await page.goto(`/view-page/${room.quizId}`);
    await page.getByRole("button", { name: "Пройти ещё раз" }).click();
    await answer(page, "println!");
    await page.getByRole("heading", { name: "Курс пройден!" }).waitFor();
    await expectFineEverywhere(page, "the moment beside a result");
  }
});

test("a course with every kind of question is taken by keys alone, from its code to its end", async () => {
  const learner = await person(server, "Смирнов Олег Игоревич");
  const { page, context } = await newTab(server, { token: learner.token });
  // Whoever uses a pointer after all is found out.
  await context.addInitScript(() => {
    addEventListener("pointerdown", () => document.documentElement.setAttribute("data-pointed", ""), true);
  });
  const press = (key: string) => page.keyboard.press(key);

  // Into the course by its code.
  await page.goto("/");
  await tabTo(page, page.getByLabel("Код курса", { exact: true }));
  await page.keyboard.type(room.shareCode);
  await press("Enter");
  await page.waitForURL((url) => url.pathname === `/view-course/${room.courseId}`);
  await tabTo(page, page.getByRole("link", { name: "Начать" }));
  await press("Enter");

  // The first page: to its end, and on.
  await waitForPage(page, room.pages[0]);
  await page.getByRole("heading", { level: 1, name: "Переменные" }).waitFor();
  await readToTheEnd(page);
  await tabTo(page, page.getByRole("link", { name: /^Дальше/ }));
  await press("Enter");

  // The quiz: the focus is on its title.
  await waitForPage(page, room.quizId);
  await focused(page.getByRole("heading", { level: 1, name: "Проверьте себя" }));
  await page.getByRole("form", { name: "Тест" }).waitFor();
  await answerByKeys(page);
  await focused(page.getByRole("heading", { name: "Тест пройден" }));

  // The last page, by the arrow this time.
  await press("ArrowRight");
  await waitForPage(page, room.pages[2]);
  await focused(page.getByRole("heading", { level: 1, name: "Что дальше" }));
  await press("End");
  await page.getByRole("heading", { name: "Курс пройден!" }).waitFor();

  // Where one has been, and that it is over.
  await tabTo(page, page.getByRole("link", { name: "Посмотреть прогресс" }));
  await press("Enter");
  await page.waitForURL((url) => url.search === "?tab=progress");
  await page.getByText(/100.%.· пройдена/).waitFor();
  await tabTo(page, page.getByRole("link", { name: "Содержание", exact: true }));
  await press("Enter");
  await page.getByRole("heading", { name: /^Курс пройден сегодня/ }).waitFor();
  await eventually(
    async () => (await tree(server, learner.token, room.courseId)).progress.percent,
    100,
    "the server knows it too",
  );
  expect(await page.evaluate(() => document.documentElement.hasAttribute("data-pointed"))).toBe(false);
});
