import type { Page } from "@playwright/test";
import { graphql, post } from "../../scripts/client.mjs";
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { type Account, courseTree, signUp } from "./api.ts";
import { type Classroom, changeQuiz, everyKind, quizState, test } from "./classroom.ts";
import { fileQuiz } from "./file-answers.ts";
import { expect } from "./fixtures.ts";
import { question } from "./quiz-keyboard.ts";
import { field, openUserMenu, readToEnd, signIn, storedToken, tabTo, waitForPage } from "./ui.ts";

const narrow = { width: 360, height: 740 };
const [single] = everyKind.questions;
const shortQuiz = { pass_percent: 50, reveal: "after_submit", questions: [single] };
const password = "очень-тайный-пароль";

async function allowGuests(
  { server, owner, courseId }: Pick<Classroom, "server" | "owner" | "courseId">,
  { visibility = "LINK", allowsGuests = true } = {},
): Promise<void> {
  const query = "mutation ($input: SetVisibilityInput!) { setVisibility(input: $input) { course { id } } }";
  await graphql(server.url, owner.token, query, { input: { courseId, visibility, allowsGuests } });
}

const notice = (page: Page) => page.getByRole("complementary", { name: "Вы гость" });
const goOn = (page: Page) => page.getByRole("button", { name: "Продолжить без регистрации" });
const toSignUp = (page: Page) => notice(page).getByRole("link", { name: "Зарегистрироваться" });
const toSignIn = (page: Page) => notice(page).getByRole("link", { name: "Войти" });
const courseUrl = (courseId: string) => (url: URL) => url.pathname === `/view-course/${courseId}`;
const merged = (page: Page, words: string | RegExp = "Прогресс гостя перенесён.") =>
  page.getByRole("status").or(page.getByRole("alert")).getByText(words);

/** Starts the course of a classroom from its page, as a guest. */
async function startFromPage(page: Page, courseId: string): Promise<void> {
  await page.goto(`/courses/${courseId}`);
  await page.locator(`a[href="/join/${courseId}?guest=1"]`).click();
  await page.waitForURL(courseUrl(courseId));
  await expect(notice(page)).toBeVisible();
}

async function takeQuiz(page: Page, quizId: string, answer = "mut"): Promise<void> {
  await page.goto(`/view-page/${quizId}`);
  await question(page, "single").getByLabel(answer, { exact: true }).check();
  await page.getByRole("button", { name: "Отправить ответы", exact: true }).click();
}

async function fillSignUp(page: Page, email: string): Promise<void> {
  for (const [label, value] of Object.entries({
    Фамилия: "Белова",
    Имя: "Ольга",
    Отчество: "Игоревна",
    Email: email,
    Пароль: password,
    "Подтверждение пароля": password,
  }))
    await field(page, label).fill(value);
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await page.waitForURL((url) => url.pathname === "/login");
}

const accountOf = async (page: Page): Promise<Account> => ({
  email: "",
  password: "",
  fullName: "",
  token: (await storedToken(page)) ?? "",
});

test("a guest starts from the page of a course, reads, takes a quiz, signs up, and has it all", async ({
  classroom,
  newTab,
}) => {
  const { server, courseId, pages, quizId } = classroom;
  await allowGuests(classroom);
  await changeQuiz(classroom, shortQuiz);
  const { page } = await newTab();
  await startFromPage(page, courseId);
  await expect(page.getByRole("heading", { level: 1, name: "Основы Rust" })).toBeVisible();
  await expectAccessibleEverywhere(page, "a course as a guest");
  await resize(page, narrow);
  await expectNoHorizontalScroll(page, "a course as a guest, 360");
  await resize(page, { width: 1440, height: 900 });

  await page.goto(`/view-page/${pages[0]}`);
  await expect(notice(page)).toBeVisible();
  await readToEnd(page, pages[0]);
  // Who answers a quiz is left in peace.
  await page.goto(`/view-page/${quizId}`);
  await expect(question(page, "single")).toBeVisible();
  await expect(notice(page)).toBeHidden();
  await question(page, "single").getByLabel("mut", { exact: true }).check();
  await page.getByRole("button", { name: "Отправить ответы", exact: true }).click();
  await expect(notice(page)).toBeVisible();

  await tabTo(page, toSignUp(page), "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/signup");
  await expect(page.getByText("всё, что вы прошли как гость, перейдёт в него")).toBeVisible();
  await expectAccessibleEverywhere(page, "signing up as a guest");
  const email = "guest-signs-up@example.com";
  await fillSignUp(page, email);
  await signIn(page, email, password);
  await waitForPage(page, quizId);
  await expect(merged(page)).toBeVisible();
  await expect(notice(page)).toHaveCount(0);

  const account = await accountOf(page);
  expect((await quizState(classroom, account)).attempts).toMatchObject([{ passed: true }]);
  const { progress } = await courseTree(server, account.token, courseId);
  expect(progress.pagesDone).toBeGreaterThanOrEqual(2);
  await page.goto("/");
  await expect(page.getByRole("link", { name: /Основы Rust/ }).first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "Преподаю" })).toBeVisible();
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("guest"))),
  ).toEqual([]);
});

test("a guest starts with a code by keyboard, and signs in to an account that has used its attempts", async ({
  classroom,
  newTab,
}) => {
  const { server, courseId, shareCode, learner, quizId } = classroom;
  await allowGuests(classroom, { visibility: "PRIVATE" });
  await changeQuiz(classroom, { ...shortQuiz, max_attempts: 1 });
  const { page } = await newTab();
  await page.goto(`/?code=${shareCode}`);
  await page.waitForURL((url) => url.pathname === "/login");
  await expect(goOn(page)).toBeVisible();
  await expect(page.getByText("Курс «Основы Rust» можно начать сразу.")).toBeVisible();
  for (const viewport of [narrow, { width: 1440, height: 900 }]) {
    await resize(page, viewport);
    await expectAccessibleInBothThemes(page, "the sign-in form with the way for guests");
    await expectNoHorizontalScroll(page, "the sign-in form with the way for guests");
  }
  await tabTo(page, goOn(page));
  await page.keyboard.press("Enter");
  await page.waitForURL(courseUrl(courseId));
  await takeQuiz(page, quizId);
  await page.getByRole("button", { name: "Да, отправить" }).click();
  await expect(notice(page)).toBeVisible();

  // The learner has taken the quiz, too.
  const versionQuery = "query ($id: ID!) { page(id: $id) { version } }";
  const { version } = (await graphql(server.url, learner.token, versionQuery, { id: quizId })).page;
  await post(server.url, `/api/v1/courses/submit_quiz/${quizId}`, { version, answers: [] }, learner.token);
  await toSignIn(page).click();
  await page.waitForURL((url) => url.pathname === "/login");
  await expect(page.getByRole("link", { name: "Продолжить без регистрации" })).toBeVisible();
  await signIn(page, learner.email, learner.password);
  await waitForPage(page, quizId);
  await expect(merged(page, /^Прогресс гостя перенесён, 1\sпопытка сверх лимита не засчитана/)).toBeVisible();
  expect((await quizState(classroom, learner)).attempts).toHaveLength(1);
});

test("a merge that finds no server is repeated when the connection returns, once for two tabs", async ({
  classroom,
  newTab,
}) => {
  const { courseId, learner, pages } = classroom;
  await allowGuests(classroom);
  const { page, context } = await newTab();
  await startFromPage(page, courseId);
  await page.goto(`/view-page/${pages[0]}`);
  await readToEnd(page, pages[0]);
  let merges = 0;
  let isReachable = false;
  await context.route("**/graphql", (route) => {
    if (!route.request().postData()?.includes("MergeGuest")) return route.fallback();
    merges += 1;
    return isReachable ? route.fallback() : route.abort("internetdisconnected");
  });
  await toSignIn(page).click();
  await signIn(page, learner.email, learner.password);
  await waitForPage(page, pages[0]);
  await expect.poll(() => merges).toBeGreaterThan(0);
  await expect(page.getByText("Прогресс гостя")).toHaveCount(0);
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.getByRole("heading", { level: 1, name: "Мои курсы" })).toBeVisible();
  isReachable = true;
  merges = 0;
  await context.setOffline(true);
  await context.setOffline(false);
  const shown = async () =>
    (await page.getByText("Прогресс гостя перенесён.").count()) +
    (await other.getByText("Прогресс гостя перенесён.").count());
  await expect.poll(shown).toBe(1);
  expect(merges).toBe(1);
  const { modules } = await courseTree(classroom.server, learner.token, courseId);
  expect(modules[0]?.lessons[0]?.pages[0]?.isVisited).toBe(true);
});

test("signing out asks a guest first, and offers to sign up", async ({ classroom, newTab }) => {
  const { courseId } = classroom;
  await allowGuests(classroom);
  const { page } = await newTab();
  await startFromPage(page, courseId);
  const dialog = page.getByRole("dialog", { name: /потерять прогресс/ });
  const leave = async () => {
    await openUserMenu(page, "Гость");
    await expect(page.getByRole("menuitem", { name: "Настройки" })).toHaveCount(0);
    await page.getByRole("menuitem", { name: "Выйти" }).click();
    await expect(dialog).toBeVisible();
  };
  await leave();
  await expect(dialog.getByRole("button", { name: "Зарегистрироваться" })).toBeFocused();
  await expectAccessibleEverywhere(page, "the question before a guest signs out");
  await resize(page, narrow);
  await expectNoHorizontalScroll(page, "the question before a guest signs out, 360");
  await resize(page, { width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(notice(page)).toBeVisible();
  await leave();
  await dialog.getByRole("button", { name: "Зарегистрироваться" }).click();
  await page.waitForURL((url) => url.pathname === "/signup");
  await page.getByRole("link", { name: "Продолжить без регистрации" }).click();
  await page.waitForURL(courseUrl(courseId));
  await leave();
  await dialog.getByRole("button", { name: "Выйти" }).click();
  await page.waitForURL((url) => url.pathname === "/login");
  await expect(page.getByText("Продолжите с того места, где остановились.")).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("guest")))).toEqual(
    [],
  );
});

test("a guest does not see what takes an account", async ({ classroom, newTab }) => {
  const { courseId, quizId, pages } = classroom;
  await allowGuests(classroom);
  await changeQuiz(classroom, fileQuiz);
  const { page, context } = await newTab();
  const refused: string[] = [];
  context.on("response", async (response) => {
    if (!response.url().endsWith("/graphql")) return;
    const text = await response.text().catch(() => "");
    if (text.includes("FORBIDDEN")) refused.push(response.request().postData() ?? "");
  });
  await startFromPage(page, courseId);
  await page.goto("/");
  await expect(page.getByRole("link", { name: /Основы Rust/ }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Создать курс" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Импортировать курс" })).toHaveCount(0);
  await expect(page.getByText("@guest.example")).toHaveCount(0);
  await expectAccessibleEverywhere(page, "the home screen of a guest");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await palette.getByRole("combobox").fill("настройки");
  await expect(palette.getByRole("option", { name: "Настройки" })).toHaveCount(0);
  await page.keyboard.press("Escape");

  await page.goto("/calendar");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "В вашем календаре" })).toHaveCount(0);
  await page.goto("/notices");
  await expect(page.getByRole("link", { name: /Настро/ })).toHaveCount(0);
  for (const path of ["/settings", "/settings/notices", "/import", "/items", "/banks", "/trash"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: "Нужен аккаунт" })).toBeVisible();
  }
  await expectAccessibleEverywhere(page, "a screen that takes an account");

  await page.goto(`/view-page/${quizId}`);
  await expect(page.getByText("Чтобы приложить файлы, зарегистрируйтесь.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Выбрать файлы" })).toHaveCount(0);
  await page.goto(`/view-page/${pages[0]}`);
  await page.keyboard.press("End");
  const invited = page.getByText("Чтобы задать вопрос, зарегистрируйтесь.");
  await expect(invited).toBeVisible();
  await expect(page.getByRole("button", { name: "Задать вопрос" })).toHaveCount(0);
  await expectAccessible(page, "a page as a guest");
  await invited.getByRole("link").click();
  await page.waitForURL((url) => url.pathname === "/signup");
  await page.goBack();
  // What the app sends by itself later than the first screen.
  await page.waitForTimeout(6000);
  expect(refused, "requests that take an account").toEqual([]);
});

test("the owner lets guests start and sees them without an address", async ({
  classroom,
  tabFor,
  newTab,
}) => {
  const { owner, courseId, shareCode } = classroom;
  await allowGuests(classroom, { allowsGuests: false });
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=settings`);
  const section = page.getByRole("region", { name: "Страница курса" });
  const choice = section.getByRole("checkbox", { name: "Можно начать без регистрации" });
  await expect(choice).not.toBeChecked();

  const { page: visitor } = await newTab();
  await visitor.goto(`/join/${courseId}`);
  await expect(visitor.getByRole("button", { name: "Войти" })).toBeVisible();
  await visitor.goto(`/?code=${shareCode}`);
  await expect(visitor.getByText(`Код ${shareCode} сохранён`)).toBeVisible();
  await expect(goOn(visitor)).toHaveCount(0);

  await choice.focus();
  const stored = page.waitForResponse((one) => Boolean(one.request().postData()?.includes("SetVisibility")));
  await page.keyboard.press("Space");
  await expect(choice).toBeChecked();
  await stored;
  await expectAccessibleEverywhere(page, "settings of the course page with the choice for guests");
  await resize(page, narrow);
  await expectNoHorizontalScroll(page, "settings of the course page with the choice for guests, 360");
  await resize(page, { width: 1440, height: 900 });
  await page.reload();
  await expect(choice).toBeChecked();

  await visitor.goto(`/join/${courseId}`);
  await goOn(visitor).click();
  await visitor.waitForURL(courseUrl(courseId));
  await page.goto(`/edit-course/${courseId}?tab=students`);
  const row = page.getByRole("row").filter({ hasText: /Гость \d+/ });
  await expect(row.getByText("гость", { exact: true })).toBeVisible();
  await row.getByRole("link", { name: /Гость/ }).click();
  await expect(page.getByRole("heading", { level: 2, name: /Гость \d+/ })).toBeVisible();
  await expect(page.getByText("@guest.example")).toHaveCount(0);
});

test("a start that fails says so, can be repeated, and leads to the form", async ({ classroom, newTab }) => {
  const { courseId } = classroom;
  await allowGuests(classroom);
  const { page } = await newTab();
  await page.goto(`/courses/${courseId}`);
  await allowGuests(classroom, { allowsGuests: false });
  await page.locator(`a[href="/join/${courseId}?guest=1"]`).click();
  await expect(page.getByRole("heading", { level: 1, name: "Не удалось начать курс" })).toBeFocused();
  await expectAccessibleEverywhere(page, "a start as a guest that failed");
  await resize(page, narrow);
  await expectNoHorizontalScroll(page, "a start as a guest that failed, 360");
  await page.getByRole("button", { name: "Войти" }).click();
  await expect(field(page, "Пароль")).toBeVisible();
  await expect(goOn(page)).toHaveCount(0);
  await allowGuests(classroom);
  await page.reload();
  await page.waitForURL(courseUrl(courseId));
});

test("a guest whom the server has deleted reads so when the app opens again", async ({
  classroom,
  newTab,
}) => {
  const { server, courseId } = classroom;
  await allowGuests(classroom);
  const { page } = await newTab();
  await startFromPage(page, courseId);
  // Outside of the app, which would learn of it at once.
  await page.goto("/courses");
  await post(server.url, "/api/v1/login/logout", {}, (await storedToken(page)) ?? "");
  await page.goto(`/view-course/${courseId}`);
  await page.waitForURL((url) => url.pathname === "/login");
  await expect(page.getByText(/^Гостевой доступ закончился/)).toBeVisible();
  await expectAccessibleEverywhere(page, "the sign-in form after a guest was deleted");
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("guest")))).toEqual(
    [],
  );
});

test("an account that opens the guest link of a page enrolls as itself", async ({
  classroom,
  server,
  tabFor,
}) => {
  const { courseId } = classroom;
  await allowGuests(classroom);
  const { page } = await tabFor(await signUp(server, "Белова Ольга"));
  await page.goto(`/courses/${courseId}`);
  await page.locator(`a[href="/join/${courseId}?guest=1"]`).click();
  await page.waitForURL(courseUrl(courseId));
  await expect(page.getByRole("button", { name: "Белова Ольга" })).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
});
