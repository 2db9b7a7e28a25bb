import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessible } from "./accessibility.ts";
import { type Account, enroll, signUp, visit } from "./api.ts";
import { test as base, expect, type Tab, type Theme } from "./fixtures.ts";

interface Course {
  teacher: Account;
  learner: Account;
  /** The text page. */
  pageId: string;
  shareCode: string;
}

/** Creates a course with a text page and a quiz, its teacher, and one learner. */
async function createSmallCourse(server: Server): Promise<Course> {
  const teacher = await signUp(server, "Соколова Вера Павловна");
  const learner = await signUp(server);
  const ask = (query: string, input: object) => graphql(server.url, teacher.token, query, { input });
  const { createCourse } = await ask(
    "mutation ($input: CreateCourseInput!) { createCourse(input: $input) { course { id } } }",
    { title: "Узлы" },
  );
  const courseId = createCourse.course.id;
  const { createModule } = await ask(
    "mutation ($input: CreateModuleInput!) { createModule(input: $input) { module { id } } }",
    { courseId, title: "Петли" },
  );
  const { createLesson } = await ask(
    "mutation ($input: CreateLessonInput!) { createLesson(input: $input) { lesson { id } } }",
    { moduleId: createModule.module.id, title: "Беседочный узел" },
  );
  const create = async (input: object) => {
    const { createPage } = await ask(
      "mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }",
      { lessonId: createLesson.lesson.id, ...input },
    );
    return createPage.page.id;
  };
  const options = [{ content: "Беседочный", correct: true }, { content: "Прямой" }];
  await create({
    title: "Проверьте себя",
    kind: "QUIZ",
    quiz: { questions: [{ type: "single_choice", prompt: "Какой узел не затягивается?", options }] },
  });
  const pageId = await create({ title: "Как вязать" });
  const { generateShareCode } = await ask(
    "mutation ($input: GenerateShareCodeInput!) { generateShareCode(input: $input) { course { shareCode } } }",
    { courseId },
  );
  const { shareCode } = generateShareCode.course;
  await enroll(server, learner, shareCode);
  return { teacher, learner, pageId, shareCode };
}

interface Fixtures {
  course: Course;
  /** Opens the playground in a tab that reaches no other host. `blocked` lists the requests to other hosts. */
  openPlayground: (account?: Account, theme?: Theme) => Promise<Tab & { blocked: string[] }>;
}

const test = base.extend<Fixtures>({
  course: async ({ server }, use) => {
    await use(await createSmallCourse(server));
  },

  openPlayground: async ({ server, newTab }, use) => {
    await use(async (account, theme = "light") => {
      const tab = await newTab({ theme, ...(account && { token: account.token }) });
      const blocked: string[] = [];
      await tab.page.route("**/*", (route) => {
        const url = route.request().url();
        if (url.startsWith(server.url) || url.startsWith("data:")) return route.continue();
        blocked.push(url);
        return route.abort();
      });
      await tab.page.goto("/graphiql");
      // The editor is three megabytes of JavaScript.
      const line = tab.page.locator(".graphiql-query-editor .view-line").first();
      await expect(line).toBeVisible({ timeout: 90_000 });
      return { ...tab, blocked };
    });
  },
});

async function selectTab(page: Page, name: string) {
  await page.getByRole("tab", { name }).click();
}

/** Runs the operation of the tab, or the named one if the tab has several. */
async function run(page: Page, operation?: string) {
  await page.getByRole("button", { name: /^Execute/ }).click();
  if (operation) await page.getByRole("menuitem", { name: operation, exact: true }).click();
}

async function expectResult(page: Page, text: RegExp) {
  // The editor shows spaces as no-break spaces.
  const result = async () => (await page.locator(".result-window").innerText()).replaceAll("\u00a0", " ");
  await expect.poll(result).toMatch(text);
}

// A violation of the content security policy is a console error, which fails every test here.
test.describe("GraphQL playground", () => {
  test("loads the schema and nothing from other hosts", async ({ course, openPlayground }) => {
    const { page, blocked } = await openPlayground(course.learner);
    await page.getByRole("button", { name: /Documentation/ }).click();
    await page.getByText("Query", { exact: true }).first().click();
    await expect(page.getByText("myEnrollments").first()).toBeVisible();
    await expect(page.getByText("The caller's enrollments, latest activity first.").first()).toBeVisible();
    expect(blocked).toEqual([]);
  });

  test("queries the course tree as the signed-in user", async ({ course, openPlayground }) => {
    const { page, blocked } = await openPlayground(course.learner);
    await expect(page.getByLabel(`От имени ${course.learner.email}`)).toBeVisible();
    await run(page);
    await expectResult(page, /"title": "Узлы"/);
    await expectResult(page, /"pagesTotal": 2/);
    expect(blocked).toEqual([]);
  });

  test("submits a quiz with the answers of the example", async ({ course, openPlayground }) => {
    const { page, blocked } = await openPlayground(course.learner);
    await selectTab(page, "TakeQuiz");
    await run(page, "Quiz");
    await expectResult(page, /SingleChoiceQuestion/);
    await run(page, "TakeQuiz");
    await expectResult(page, /"outcome": "TAKEN"/);
    expect(blocked).toEqual([]);
  });

  test("receives the activity of a learner over a subscription", async ({
    server,
    course,
    openPlayground,
  }) => {
    const { page, blocked } = await openPlayground(course.teacher);
    await selectTab(page, "CourseActivity");
    await run(page);
    // The screen does not show when the subscription starts, so new learners visit the page until one is reported.
    const result = async () => {
      const reader = await signUp(server);
      await enroll(server, reader, course.shareCode);
      await visit(server, reader, course.pageId);
      return page.locator(".result-window").innerText();
    };
    await expect.poll(result, { timeout: 30_000, intervals: [1000] }).toContain("StudentReadPage");
    await page.getByRole("button", { name: /^Stop/ }).click();
    expect(blocked).toEqual([]);
  });

  test("queries without the token, and with an Authorization header from the headers editor", async ({
    course,
    openPlayground,
  }) => {
    const { page } = await openPlayground(course.learner);
    await page.getByLabel(`От имени ${course.learner.email}`).uncheck();
    await run(page);
    await expectResult(page, /UNAUTHENTICATED/);
    await page.getByRole("button", { name: "Headers", exact: true }).click();
    await page.locator(".graphiql-editor-tool .graphiql-editor:visible .view-lines").click();
    await page.keyboard.insertText(JSON.stringify({ Authorization: `Bearer ${course.learner.token}` }));
    await run(page);
    await expectResult(page, /"title": "Узлы"/);
  });

  test("keeps its tabs after a reload, and adds an example in a new tab", async ({
    course,
    openPlayground,
  }) => {
    const { page } = await openPlayground(course.learner);
    await page.getByRole("button", { name: "Примеры" }).click();
    await page.getByRole("button", { name: /Войти и получить токен/ }).click();
    await expect(page.getByRole("tab", { name: "Login" })).toBeVisible();
    await expect(page.getByRole("tab")).toHaveCount(3);
    // GraphiQL stores the tabs with a delay.
    const isStored = () =>
      page.evaluate(() => Object.values(localStorage).some((value) => value.includes('"title":"Login"')));
    await expect.poll(isStored).toBe(true);
    await page.reload();
    await expect(page.getByRole("tab", { name: "Login" })).toBeVisible();
    await expect(page.getByRole("tab")).toHaveCount(3);
  });

  test("shows visitors the login first", async ({ openPlayground }) => {
    const { page } = await openPlayground();
    await expect(page.getByRole("link", { name: "Войти" })).toHaveAttribute("href", "/login");
    await expect(page.getByRole("tab", { name: "Login" })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("tab")).toHaveCount(1);
    await run(page);
    await expectResult(page, /Incorrect email or password|Неверн/);
  });

  test("is what a browser sees that opens the endpoint", async ({ newTab }) => {
    const { page } = await newTab();
    await page.goto("/graphql");
    await expect(page).toHaveURL("/graphiql");
  });

  test("shows a user without courses operations that succeed", async ({ server, openPlayground }) => {
    const { page } = await openPlayground(await signUp(server));
    await run(page);
    await expectResult(page, /"myCourses"/);
  });

  test("an author creates a course step by step and imports one", async ({ server, openPlayground }) => {
    const { page } = await openPlayground(await signUp(server));
    await page.getByRole("button", { name: "Примеры" }).click();
    const tabs = await page.getByRole("tab").count();
    for (const [step, first] of [
      [/Добавить модуль/, "1. Создать курс"],
      [/Добавить страницу З/, "3. Добавить урок"],
    ] as const) {
      await page.getByRole("button", { name: step }).click();
      await expect(page.getByText(`Сначала выполните «${first}».`)).toBeVisible();
    }
    await expect(page.getByRole("tab")).toHaveCount(tabs);
    for (const [step, operation, result] of [
      [/Создать курс/, "CreateCourse", /"myRole": "OWNER"/],
      [/Добавить модуль/, "CreateModule", /"title": "Первый модуль"/],
      [/Добавить урок/, "CreateLesson", /"title": "Первый урок"/],
      [/Добавить страницу З/, "CreatePage", /"title": "Первая страница"/],
    ] as const) {
      await page.getByRole("button", { name: step }).click();
      await expect(page.getByRole("tab", { name: operation }).last()).toHaveAttribute(
        "aria-selected",
        "true",
      );
      await run(page);
      await expectResult(page, result);
    }
    const choose = async (step: RegExp, name: string, text: string) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: step }).click();
      await (await chooser).setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    };
    await choose(/страницу с файлом/, "узлы.txt", "Беседочный узел");
    await expect(page.getByRole("tab", { name: "AddFile" })).toBeVisible();
    await run(page);
    await expectResult(page, /"filename": "узлы.txt"/);
    await choose(/Импортировать курс/, "questions.gift", "Какой узел не затягивается? {=беседочный ~прямой}");
    await expect(page.getByRole("tab", { name: "ImportCourse" })).toBeVisible();
    await run(page, "ImportCourse");
    await expectResult(page, /"state"/);
    await expect(async () => {
      await run(page, "MyImports");
      await expectResult(page, /"state": "DONE"/);
    }).toPass({ timeout: 30_000 });
  });

  test("has room for the response on a phone", async ({ course, openPlayground }) => {
    const { page } = await openPlayground(course.learner);
    await page.setViewportSize({ width: 375, height: 700 });
    await run(page);
    await expectResult(page, /"pagesTotal": 2/);
    const result = await page.locator(".graphiql-response").boundingBox();
    expect(result?.width).toBeGreaterThan(300);
    expect(result?.height).toBeGreaterThan(200);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  });

  for (const theme of ["light", "dark"] as const)
    test(`has the app's theme and is accessible: ${theme}`, async ({ course, openPlayground }) => {
      const { page } = await openPlayground(course.learner, theme);
      await expect(page.locator("body")).toContainClass(`graphiql-${theme}`);
      await run(page);
      await expectResult(page, /"pagesTotal": 2/);
      await page.getByRole("button", { name: "Примеры" }).click();
      await expect(page.getByRole("heading", { name: "Примеры" })).toBeVisible();
      // GraphiQL nests the close button of a tab in the tab.
      await expectAccessible(page, `GraphiQL, ${theme}`, {
        known: { "nested-interactive": ".graphiql-tab" },
      });
    });
});
