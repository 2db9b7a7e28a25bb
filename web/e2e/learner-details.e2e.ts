import type { Locator, Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, createCourse, enroll, signUp, visit } from "./api.ts";
import { changeQuiz, createClassroom, ids, test } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { image } from "./page-editor.ts";
import { question } from "./quiz-keyboard.ts";
import { field, signIn } from "./ui.ts";

/** A quiz of one question with two options, the first of which is right. */
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

async function setContent(server: Server, owner: Account, pageId: string, content: unknown[]): Promise<void> {
  const update = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await graphql(server.url, owner.token, update, { input: { pageId, content: { type: "doc", content } } });
}

/** The file of an uploaded image, as content refers to it. */
async function uploadImage(server: Server, owner: Account): Promise<{ url: string }> {
  const { name, type, base64 } = await image();
  const form = new FormData();
  form.append("file", new Blob([Buffer.from(base64, "base64")], { type }), name);
  const answer = await fetch(`${server.url}/api/v1/courses/upload_file`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner.token}` },
    body: form,
  });
  return (await answer.json()) as { url: string };
}

async function answer(page: Page, option: string): Promise<void> {
  await question(page, "single").getByLabel(option).check();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  const last = page.getByRole("button", { name: "Да, отправить" });
  const over = page.getByRole("heading", { name: /Тест (пока не )?пройден/ });
  await expect(last.or(over).first()).toBeVisible();
  if (await last.isVisible()) await last.click();
  await expect(over).toBeVisible();
}

const top = async (one: Locator) => (await one.boundingBox())?.y ?? Number.NaN;
const color = (one: Locator) => one.evaluate((element) => getComputedStyle(element).color);

test.describe("results of a quiz", () => {
  test("lead on above the questions, and one failed attempt does not undo a pass", async ({
    classroom,
    tabFor,
  }) => {
    await changeQuiz(classroom, oneQuestion({ pass_percent: 60, reveal: "after_submit" }));
    const { page } = await tabFor(classroom.learner);
    await page.goto(`/view-page/${classroom.quizId}`);
    await answer(page, "read_line");
    await page.getByRole("button", { name: "Пройти ещё раз" }).click();
    await answer(page, "println!");
    const next = page.getByRole("link", { name: /^Дальше: Что дальше/ }).first();
    expect(await top(next)).toBeLessThan(await top(question(page, "single")));
    const verdict = page.getByText("Верно", { exact: true });
    expect(await verdict.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))).toBe(
      16,
    );

    await page.getByRole("button", { name: "Попытка 1: 0 %" }).click();
    await expect(page.getByRole("heading", { name: /^Эта попытка не/ })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Тест пока не пройден" })).toHaveCount(0);
    await next.click();
    await page.waitForURL((url) => url.pathname === `/view-page/${classroom.pages[2]}`);
  });

  test("show the options of an attempt in the order in which it was taken", async ({ classroom, tabFor }) => {
    const texts = ["один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь"];
    const options = texts.map((content, at) => ({ content, correct: at === 0 }));
    const shuffled = { ...oneQuestion({ shuffle_options: true }).questions[0], options };
    await changeQuiz(classroom, { shuffle_options: true, questions: [shuffled] });
    const { page } = await tabFor(classroom.learner);
    await page.goto(`/view-page/${classroom.quizId}`);
    const order = async (parts: Locator) =>
      (await parts.allInnerTexts()).map((text) => texts.find((one) => text.trim().startsWith(one)) ?? text);
    await expect(question(page, "single").getByRole("radio")).toHaveCount(texts.length);
    const taken = await order(question(page, "single").locator("label"));
    await answer(page, "два");
    const reviewed = page.getByRole("listitem").filter({ hasText: new RegExp(texts.join("|")) });
    await expect(reviewed).toHaveCount(texts.length);
    expect(await order(reviewed)).toEqual(taken);
    await page.reload();
    await expect(reviewed).toHaveCount(texts.length);
    await expect.poll(() => order(reviewed)).toEqual(taken);
  });
});

test("a session that ends during a quiz says that the answers are kept, and its messages end with signing in", async ({
  classroom,
  tabFor,
}) => {
  await changeQuiz(classroom, oneQuestion());
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.quizId}`);
  await question(page, "single").getByLabel("read_line").check();
  const token = await page.evaluate(() => localStorage.getItem("access_token"));
  await page.request.post("/api/v1/login/logout", { headers: { authorization: `Bearer ${token}` } });
  // The subscription of the bell may have detected the end of the session before.
  await page
    .getByRole("button", { name: "Отправить ответы" })
    .click({ timeout: 3000 })
    .catch(() => undefined);
  await page.waitForURL((url) => url.pathname === "/login");
  await expect(page.getByText("Ваши ответы сохранены на этом устройстве")).toBeVisible();
  await signIn(page, classroom.learner.email, classroom.learner.password);
  await page.waitForURL((url) => url.pathname === `/view-page/${classroom.quizId}`);
  await expect(
    page
      .getByRole("form", { name: "Тест" })
      .or(page.getByRole("heading", { name: /^Тест/ }))
      .first(),
  ).toBeVisible();
  await expect(page.getByText("Что-то пошло не так!")).toHaveCount(0);
});

test("a new user sees the code first, and who only teaches sees the taught courses first", async ({
  server,
  tabFor,
}) => {
  const newcomer = await signUp(server);
  const { page } = await tabFor(newcomer);
  await page.goto("/");
  const main = page.getByRole("main");
  const enrolling = main.getByRole("button", { name: "Записаться" });
  await expect(enrolling).toHaveCount(1);
  const background = (button: Locator) =>
    button.evaluate((element) => getComputedStyle(element).backgroundColor);
  const create = main.getByRole("button", { name: "Создать курс" });
  expect(await background(enrolling)).not.toBe(await background(create));
  expect(await top(enrolling)).toBeLessThan(await top(create));

  const teacher = await signUp(server);
  await createCourse(server, teacher, "Мой курс");
  const { page: teaching } = await tabFor(teacher);
  await teaching.goto("/");
  await expect(teaching.getByRole("heading", { level: 2 }).first()).toHaveText("Я преподаю");
  await expect(teaching.getByRole("heading", { level: 2 })).toHaveText(["Я преподаю", "Я учусь"]);
});

test("a wide table fades at the edge where it goes on", async ({ server, tabFor, classroom }) => {
  const cell = (text: string) => ({
    type: "tableCell",
    content: [{ type: "paragraph", content: [{ type: "text", text }] }],
  });
  const cells = Array.from({ length: 12 }, (_, at) => cell(`Столбец${at}`));
  const wide = { type: "table", content: [{ type: "tableRow", content: cells }] };
  const code = {
    type: "codeBlock",
    attrs: { language: "rust" },
    content: [{ type: "text", text: `let long = "${"x".repeat(200)}";` }],
  };
  await setContent(server, classroom.owner, classroom.pages[0], [wide, code]);
  const { page } = await tabFor(classroom.learner, { viewport: "phone" });
  await page.goto(`/view-page/${classroom.pages[0]}`);
  for (const block of [page.getByRole("group", { name: "Таблица" }), page.locator("pre")]) {
    const fades = () =>
      block.evaluate((element) => {
        const style = getComputedStyle(element);
        return [style.getPropertyValue("--fade-start"), style.getPropertyValue("--fade-end")];
      });
    await expect(block).toBeVisible();
    await expect.poll(fades).toEqual(["0px", "48px"]);
    await block.evaluate((element) => element.scrollTo({ left: 100_000 }));
    await expect.poll(fades).toEqual(["48px", "0px"]);
  }
});

test("links to videos have the colour of links, and pictures are enlarged with round corners", async ({
  server,
  tabFor,
  classroom,
}) => {
  const { url } = await uploadImage(server, classroom.owner);
  await setContent(server, classroom.owner, classroom.pages[0], [
    { type: "embed", attrs: { provider: "youtube", id: "dQw4w9WgXcQ" } },
    { type: "image", attrs: { src: url, alt: "Схема", width: 120 } },
    { type: "paragraph", content: [{ type: "text", text: "Текст" }] },
  ]);
  const { page } = await tabFor(classroom.learner, { theme: "dark" });
  await page.goto(`/view-page/${classroom.pages[0]}`);
  const link = page.getByRole("link", { name: /YouTube/ });
  const accent = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "var(--k-accent)";
    return getComputedStyle(probe).color;
  });
  expect(await color(link)).toBe(accent);

  const picture = page.getByRole("img", { name: "Схема" });
  const small = await picture.boundingBox();
  await picture.click();
  const dialog = page.getByRole("dialog", { name: "Схема" });
  const large = await dialog.getByRole("img").boundingBox();
  expect(large?.height ?? 0).toBeGreaterThan(2 * (small?.height ?? Number.NaN));
  const frame = await dialog.boundingBox();
  // The picture is the dialog: no band of its background shows beside it.
  expect(Math.abs((frame?.width ?? 0) - (large?.width ?? 0))).toBeLessThan(1);
  const corners = await dialog.getByRole("img").evaluate((element) => getComputedStyle(element).borderRadius);
  expect(corners).toMatch(/^\d+px$/);
});

test("the tabs of a course keep their place", async ({ server, classroom, tabFor }) => {
  await visit(server, classroom.learner, classroom.pages[0]);
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-course/${classroom.courseId}`);
  const tabs = page.getByRole("link", { name: "Мой прогресс" });
  await expect(tabs).toBeVisible();
  await expect(page.getByRole("region", { name: "Что осталось" })).toBeVisible();
  const before = await tabs.boundingBox();
  await tabs.click();
  await page.waitForURL((url) => url.search === "?tab=progress");
  await expect(page.getByRole("main").getByText("Первые шаги").first()).toBeVisible();
  expect(await tabs.boundingBox()).toEqual(before);
});

test("a long title takes at most two lines in the command palette of a phone", async ({ server, tabFor }) => {
  const author = await signUp(server);
  const title =
    "Как устроено владение и заимствование в языке Rust и почему это важно для больших программ ".repeat(2);
  await createCourse(server, author, title.trim());
  const { page } = await tabFor(author, { viewport: "phone" });
  await page.goto("/");
  await page.getByRole("button", { name: "Поиск" }).click();
  const option = page.getByRole("option", { name: /Как устроено владение/ });
  await expect(option).toBeVisible();
  expect((await option.boundingBox())?.height ?? 999).toBeLessThan(90);
});

test.describe("a class", () => {
  test("gets one more attempt for a student, and the header counts who was removed", async ({
    server,
    tabFor,
  }) => {
    const classroom = await createClassroom(server);
    await changeQuiz(classroom, oneQuestion({ pass_percent: 60, max_attempts: 1 }));
    await enroll(server, await signUp(server, "Ёлкина Ольга Петровна"), classroom.shareCode);
    const learner = await tabFor(classroom.learner);
    await learner.page.goto(`/view-page/${classroom.quizId}`);
    await answer(learner.page, "read_line");
    await expect(learner.page.getByText(/Преподаватель может дать ещё одну/)).toBeVisible();

    const { page } = await tabFor(classroom.owner);
    await page.goto(`/edit-course/${classroom.courseId}?tab=students`);
    await expect(page.getByText(/^2.ученика$/).first()).toBeVisible();
    await page.getByRole("link", { name: classroom.learner.fullName }).first().click();
    const grant = page.getByRole("button", { name: "Дать ещё попытку" });
    await grant.press("Enter");
    await expect(page.getByText(/^Ещё одна попытка/)).toBeVisible();
    await expect(grant).toHaveCount(0);
    await page.keyboard.press("Control+z");
    await expect(grant).toBeVisible();
    await grant.press("Enter");
    await expect(grant).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Попытка 1/ })).toBeVisible();
    await learner.page.reload();
    await learner.page.getByRole("button", { name: "Пройти ещё раз" }).click();
    await answer(learner.page, "println!");

    await page.getByRole("button", { name: "Убрать из курса" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Убрать из курса" }).click();
    await expect(page.getByText(/^1.ученик$/).first()).toBeVisible();
  });

  test("shows at least eight students on a screen of 900 pixels", async ({ server, tabFor }) => {
    const classroom = await createClassroom(server);
    for (let at = 0; at < 12; at++)
      await enroll(server, await signUp(server, `Ученик Номер ${at}`), classroom.shareCode);
    const { page } = await tabFor(classroom.owner);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/edit-course/${classroom.courseId}?tab=students`);
    const rows = page.getByRole("table").getByRole("row");
    await expect(rows).toHaveCount(14);
    const bottoms = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    expect(bottoms.filter((bottom) => bottom <= 900).length - 1).toBeGreaterThanOrEqual(8);
  });
});

test("a taken address is refused in the form, beside the toast", async ({ server, newTab }) => {
  const taken = await signUp(server);
  const { page } = await newTab();
  await page.goto("/signup");
  const typed = { Фамилия: "Петров", Имя: "Пётр", Отчество: "Петрович", Email: taken.email };
  for (const [label, value] of Object.entries(typed)) await field(page, label).fill(value);
  await field(page, "Пароль").fill("12345678");
  await field(page, "Подтверждение пароля").fill("12345678");
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await expect(page.locator("form").getByText(/email уже есть/)).toBeVisible();
});
