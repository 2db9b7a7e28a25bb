import type { Page } from "@playwright/test";
import { graphql, post } from "../../scripts/client.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { courseTree, signUp, visit } from "./api.ts";
import { test as base, changeQuiz, ids } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { answerWithKeyboard, question } from "./quiz-keyboard.ts";
import { readToEnd, scrollToEnd, tabTo, waitForPage } from "./ui.ts";

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

interface Fixtures {
  /** Opens the course as its learner. */
  openCourse: (tab?: "progress") => Promise<Page>;
}

const test = base.extend<Fixtures>({
  openCourse: async ({ classroom, tabFor }, use) => {
    await use(async (tab) => {
      const { page } = await tabFor(classroom.learner);
      await page.goto(`/view-course/${classroom.courseId}${tab ? `?tab=${tab}` : ""}`);
      await expect(page.getByRole("heading", { level: 1, name: "Основы Rust" })).toBeVisible();
      return page;
    });
  },
});

async function answer(page: Page, option: string): Promise<void> {
  await question(page, "single").getByLabel(option).check();
  const last = page.getByRole("button", { name: "Да, отправить" });
  const over = page.getByRole("heading", { name: /Тест (пока не )?пройден/ });
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(last.or(over).first()).toBeVisible();
  if (await last.isVisible()) await last.click();
  await expect(over).toBeVisible();
}

const lesson = (page: Page) => page.getByRole("main").getByRole("button", { name: /Первые шаги/ });
const left = (page: Page) => page.getByRole("region", { name: "Что осталось" });

test.describe("remaining work", () => {
  test("says why lessons and pages are not completed, and continues at the next page", async ({
    classroom,
    openCourse,
  }) => {
    await changeQuiz(classroom, oneQuestion({ pass_percent: 60, max_attempts: 2 }));
    const page = await openCourse();
    // While nothing is done, the remaining work would repeat the outline.
    await expect(lesson(page)).toBeVisible();
    await expect(page.getByText(/Осталось/)).toHaveCount(0);
    await expect(left(page)).toHaveCount(0);
    await page.getByRole("link", { name: "Начать" }).click();
    await waitForPage(page, classroom.pages[0]);
    await readToEnd(page, classroom.pages[0]);
    await page.goto(`/view-course/${classroom.courseId}`);
    await expect(left(page)).toBeVisible();
    await expect(left(page).getByRole("link")).toHaveText([
      /Проверьте себя[\s\S]*Тест ещё не пройден, осталось 2.попытки/,
      /Что дальше[\s\S]*Не прочитана до конца/,
    ]);
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, classroom.quizId);
    await answer(page, "read_line");
    await page.getByRole("link", { name: "Основы Rust" }).first().click();
    await expect(left(page).getByText(/лучший результат.— 0.%, осталась 1.попытка/)).toBeVisible();
    await expect(lesson(page)).toHaveText(/Осталось прочитать 1.страницу и.пройти 1.тест/);
  });

  test("skips a quiz without attempts left, and says what to do when no other page is left", async ({
    server,
    classroom,
    openCourse,
  }) => {
    await changeQuiz(classroom, oneQuestion({ pass_percent: 60, max_attempts: 1 }));
    await visit(server, classroom.learner, classroom.pages[0]);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, classroom.quizId);
    await answer(page, "read_line");
    await page.goto("/");
    await expect(page.getByText("Дальше: Что дальше")).toBeVisible();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, classroom.pages[2]);
    await readToEnd(page, classroom.pages[2]);
    await page.goto("/");
    await expect(page.getByText("Попыток больше нет: Проверьте себя")).toBeVisible();
    await expect(page.getByRole("link", { name: "Продолжить" })).toHaveCount(0);
    await page.getByRole("link", { name: "Открыть курс" }).click();
    await expect(left(page).getByText(/попыток больше нет/)).toBeVisible();
    await expect(page.getByText(/Преподаватель может дать ещё одну/)).toBeVisible();
    await expect(page.getByRole("link", { name: "Продолжить" })).toHaveCount(0);
  });

  test("continues after the page read last and names what was skipped", async ({
    server,
    classroom,
    openCourse,
  }) => {
    await visit(server, classroom.learner, classroom.pages[2]);
    await visit(server, classroom.learner, classroom.quizId);
    const page = await openCourse();
    await expect(page.getByText(/Дальше: Проверьте себя/)).toBeVisible();
    const skipped = page.getByText(/Пропущена 1.страница:/);
    await skipped.getByRole("link").click();
    await waitForPage(page, classroom.pages[0]);
    await page.goto("/");
    await expect(page.getByText("Дальше: Проверьте себя")).toBeVisible();
  });

  test("counts a page whose window was closed while its visit was sent", async ({
    server,
    classroom,
    openCourse,
  }) => {
    const page = await openCourse();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 1500,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    const sent = page.waitForRequest((request) => Boolean(request.postData()?.includes("MarkPageVisited")));
    await page.goto(`/view-page/${classroom.pages[0]}`);
    // The page fits the screen, so that its end is read without scrolling.
    await sent;
    await page.close();
    const { token } = classroom.learner;
    await expect
      .poll(async () => (await courseTree(server, token, classroom.courseId)).progress.pagesDone)
      .toBe(1);
  });

  test("is shown to learners only: staff see a preview", async ({ tabFor, classroom }) => {
    const { page } = await tabFor(classroom.owner);
    await page.goto(`/view-course/${classroom.courseId}?tab=progress`);
    await expect(page.getByText("Так курс видят ученики.")).toBeVisible();
    await expect(page.getByText(/Осталось/)).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Мой прогресс" })).toHaveCount(0);
  });
});

test.describe("course completion", () => {
  const moment = (page: Page) => page.getByRole("heading", { name: "Курс пройден!" });

  test("is announced once on the last page and shown on the course screen", async ({
    server,
    classroom,
    openCourse,
  }) => {
    await changeQuiz(classroom, oneQuestion({ pass_percent: 60 }));
    await visit(server, classroom.learner, classroom.pages[0]);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await answer(page, "println!");
    await page.getByRole("link", { name: /^Дальше: / }).click();
    await waitForPage(page, classroom.pages[2]);
    await expect(moment(page)).toHaveCount(0);
    await scrollToEnd(page);
    await expect(moment(page)).toBeVisible();
    await expect(page.getByText(/Вы прошли все 3.страницы курса «Основы Rust»/)).toBeVisible();
    await expectAccessibleEverywhere(page, "course completion");

    // A reload does not announce the completion again.
    await page.reload();
    await expect(page.getByText("Курс пройден.")).toBeVisible();
    await expect(moment(page)).toHaveCount(0);

    await page.getByRole("link", { name: "К содержанию курса" }).click();
    await expect(page.getByRole("heading", { name: /^Курс пройден сегодня в \d\d:\d\d$/ })).toBeVisible();
    await expect(left(page)).toHaveCount(0);
    await page.getByRole("link", { name: "К моим курсам" }).click();
    await page.waitForURL(`${server.url}/`);
    await expect(page.getByText("Курс пройден")).toBeVisible();
  });

  test("is announced beside the result when a quiz was the last page", async ({
    server,
    classroom,
    openCourse,
  }) => {
    await changeQuiz(classroom, oneQuestion({ pass_percent: 60 }));
    await visit(server, classroom.learner, classroom.pages[0]);
    await visit(server, classroom.learner, classroom.pages[2]);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, classroom.quizId);
    await answer(page, "println!");
    await expect(moment(page)).toBeVisible();
    await page.getByRole("link", { name: "Посмотреть прогресс" }).click();
    await page.waitForURL((url) => url.search === "?tab=progress");
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
    await expect(moment(page)).toHaveCount(0);
  });

  test("is remembered when the course gets a new page", async ({ server, classroom, openCourse }) => {
    await changeQuiz(classroom, oneQuestion({ pass_percent: 0 }));
    for (const id of classroom.pages) await visit(server, classroom.learner, id);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await answer(page, "println!");
    const more = { title: "Новое" };
    await post(server.url, `/api/v1/courses/create_page/${classroom.lessonId}`, more, classroom.owner.token);
    await page.goto(`/view-course/${classroom.courseId}`);
    await expect(page.getByText(/Впервые вы.прошли этот курс сегодня/)).toBeVisible();
    await expect(left(page).getByRole("link", { name: /Новое/ })).toBeVisible();
  });
});

test.describe("progress of the learner", () => {
  test("says where to begin while no page is visited", async ({ classroom, openCourse }) => {
    const page = await openCourse("progress");
    await expect(page.getByText("Пока ничего не прочитано")).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Начать" }).click();
    await waitForPage(page, classroom.pages[0]);
  });

  test("links to pages with their visits and to quizzes with their attempts", async ({
    server,
    classroom,
    openCourse,
  }) => {
    await changeQuiz(classroom, oneQuestion({ pass_percent: 60, max_attempts: 3 }));
    await visit(server, classroom.learner, classroom.pages[0]);
    const page = await openCourse();
    await page.getByRole("link", { name: "Продолжить" }).click();
    await answer(page, "read_line");
    await page.getByRole("button", { name: "Пройти ещё раз" }).click();
    await answer(page, "println!");
    await page.getByRole("link", { name: "Основы Rust" }).first().click();
    await page.getByRole("link", { name: "Мой прогресс" }).press("Enter");
    await page.waitForURL((url) => url.search === "?tab=progress");
    const attempts = page.getByRole("list", { name: "Попытки: «Проверьте себя»" });
    await expect(attempts).toBeVisible();
    expect(
      (await attempts.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " ")),
    ).toEqual([
      expect.stringMatching(/^Попытка 1 0 % сегодня в \d\d:\d\d$/),
      expect.stringMatching(/^Попытка 2 100 % · пройдена сегодня в \d\d:\d\d$/),
    ]);
    const main = page.getByRole("main");
    await expect(main.getByText(/^66.%$/)).toBeVisible();
    await expect(main.getByRole("link", { name: "Что дальше" })).toBeVisible();
    await expect(main.getByText("не прочитана до конца")).toBeVisible();
    await expectAccessible(page, "the progress");
    await main.getByRole("link", { name: "Проверьте себя" }).click();
    await waitForPage(page, classroom.quizId);
  });
});

test("a correction reaches the open page of a reader, whose place stays", async ({
  classroom,
  server,
  tabFor,
}) => {
  const lines = Array.from({ length: 60 }, (_, at) => `Строка ${at}. ${"Слова. ".repeat(40)}`);
  const save = async () => {
    const content = lines.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] }));
    const [pageId] = classroom.pages;
    await graphql(
      server.url,
      classroom.owner.token,
      "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }",
      { input: { pageId, content: { type: "doc", content } } },
    );
  };
  await save();
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.pages[0]}`);
  const read = page.getByText(/^Строка 30\./);
  await read.scrollIntoViewIfNeeded();
  await read.evaluate((line) => line.scrollIntoView({ block: "start" }));
  const place = (await read.boundingBox())?.y ?? Number.NaN;

  lines.splice(0, 1, "Новое начало.", ...Array.from({ length: 9 }, (_, at) => `Вставка ${at}.`));
  lines[lines.length - 1] = "Исправленный конец.";
  await save();
  await page.clock.setFixedTime(Date.now() + 60_000);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByText("Исправленный конец.")).toHaveCount(1);
  await expect(page.getByText("Новое начало.")).toHaveCount(1);
  await expect
    .poll(async () => Math.abs(((await read.boundingBox())?.y ?? Number.NaN) - place))
    .toBeLessThan(2);
});

test("a nearly completed and a completed course are accessible and fit at every size, in both themes", async ({
  server,
  tabFor,
  classroom,
}) => {
  await changeQuiz(classroom, oneQuestion({ pass_percent: 60, max_attempts: 3 }));
  await visit(server, classroom.learner, classroom.pages[0]);
  const { page } = await tabFor(classroom.learner, { viewport: "phone" });
  await page.goto(`/view-page/${classroom.quizId}`);
  await answer(page, "read_line");
  for (const state of ["left", "completed"]) {
    await page.goto(`/view-course/${classroom.courseId}`);
    await expect(state === "left" ? left(page) : page.getByText(/^Курс пройден сегодня/)).toBeVisible();
    await expectAccessibleEverywhere(page, `a course, ${state}`);
    await page.getByRole("link", { name: "Мой прогресс" }).click();
    await expect(page.getByRole("list", { name: /Попытки/ })).toBeVisible();
    await expectAccessibleEverywhere(page, `progress, ${state}`);
    if (state === "completed") break;
    await visit(server, classroom.learner, classroom.pages[2]);
    await page.goto(`/view-page/${classroom.quizId}`);
    await page.getByRole("button", { name: "Пройти ещё раз" }).click();
    await answer(page, "println!");
    await expect(page.getByRole("heading", { name: "Курс пройден!" })).toBeVisible();
    await expectAccessibleEverywhere(page, "completion beside a result");
  }
});

test("a learner completes a course with every kind of question using only the keyboard", async ({
  server,
  newTab,
  classroom,
}) => {
  const learner = await signUp(server, "Смирнов Олег Игоревич");
  const { page, context } = await newTab({ token: learner.token });
  // Records any use of a pointer, which the test forbids.
  await context.addInitScript(() => {
    addEventListener("pointerdown", () => document.documentElement.setAttribute("data-pointed", ""), true);
  });
  const press = (key: string) => page.keyboard.press(key);

  // Enroll with the share code.
  await page.goto("/");
  await tabTo(page, page.getByLabel("Код курса", { exact: true }));
  await page.keyboard.type(classroom.shareCode);
  await press("Enter");
  await page.waitForURL((url) => url.pathname === `/view-course/${classroom.courseId}`);
  await tabTo(page, page.getByRole("link", { name: "Начать" }));
  await press("Enter");

  // Read the first page to its end and continue.
  await waitForPage(page, classroom.pages[0]);
  await expect(page.getByRole("heading", { level: 1, name: "Переменные" })).toBeVisible();
  await scrollToEnd(page);
  await tabTo(page, page.getByRole("link", { name: /^Дальше/ }));
  await press("Enter");

  // The quiz opens with the focus on its title.
  await waitForPage(page, classroom.quizId);
  await expect(page.getByRole("heading", { level: 1, name: "Проверьте себя" })).toBeFocused();
  await expect(page.getByRole("form", { name: "Тест" })).toBeVisible();
  await answerWithKeyboard(page);
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeFocused();

  // The right arrow opens the last page.
  await press("ArrowRight");
  await waitForPage(page, classroom.pages[2]);
  await expect(page.getByRole("heading", { level: 1, name: "Что дальше" })).toBeFocused();
  await press("End");
  await expect(page.getByRole("heading", { name: "Курс пройден!" })).toBeVisible();

  // The progress shows the attempt, and the course screen its completion.
  await tabTo(page, page.getByRole("link", { name: "Посмотреть прогресс" }));
  await press("Enter");
  await page.waitForURL((url) => url.search === "?tab=progress");
  await expect(page.getByText(/100.%.· пройдена/)).toBeVisible();
  await tabTo(page, page.getByRole("link", { name: "Содержание", exact: true }));
  await press("Enter");
  await expect(page.getByRole("heading", { name: /^Курс пройден сегодня/ })).toBeVisible();
  await expect
    .poll(
      async () => (await courseTree(server, learner.token, classroom.courseId)).progress.percent,
      "the server knows it too",
    )
    .toEqual(100);
  expect(await page.evaluate(() => document.documentElement.hasAttribute("data-pointed"))).toBe(false);
});
