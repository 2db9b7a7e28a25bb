import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql, post } from "../../scripts/client.mjs";
import { root, Server } from "../../scripts/server.mjs";
import { expectAccessible, newTab, type Theme, withBrowser } from "./browser.ts";
import { enroll, type Person, person } from "./people.ts";

const hasSubscriptions = readFileSync(join(root, "schema.graphql"), "utf8").includes("type Subscription");

let server: Server;
let teacher: Person;
let learner: Person;
let pageId: string;
let shareCode: string;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
  teacher = await person(server, "Соколова Вера Павловна");
  learner = await person(server);
  pageId = await teach();
});
afterAll(() => server?.stop());

/** A course of one page to read and one quiz, with the learner in it; answers with the page to read. */
async function teach(): Promise<string> {
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
  const page = await create({ title: "Как вязать" });
  const { generateShareCode } = await ask(
    "mutation ($input: GenerateShareCodeInput!) { generateShareCode(input: $input) { course { shareCode } } }",
    { courseId },
  );
  shareCode = generateShareCode.course.shareCode;
  await enroll(server, learner, shareCode);
  return page;
}

/** The playground in a tab that reaches no other host; what it asked for elsewhere. */
async function playground(who?: Person, theme: Theme = "light") {
  const tab = await newTab(server, { theme, ...(who && { token: who.token }) });
  const elsewhere: string[] = [];
  await tab.page.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(server.url) || url.startsWith("data:")) return route.continue();
    elsewhere.push(url);
    return route.abort();
  });
  await tab.page.goto("/graphiql");
  // Its editor is three megabytes of JavaScript.
  await tab.page.locator(".graphiql-query-editor .view-line").first().waitFor({ timeout: 90_000 });
  return { ...tab, elsewhere };
}

async function openTab(page: Page, name: string) {
  await page.getByRole("tab", { name }).click();
}

/** Runs the operation of the tab; the one of this name where it holds several. */
async function run(page: Page, operation?: string) {
  await page.getByRole("button", { name: /^Execute/ }).click();
  if (operation) await page.getByRole("menuitem", { name: operation, exact: true }).click();
}

async function answers(page: Page, text: string | RegExp) {
  const answer = async () => (await page.locator(".result-window").innerText()).replaceAll("\u00a0", " ");
  await expect.poll(answer, { timeout: 20_000 }).toMatch(text);
}

// A refusal of the content security policy is an error in the console, which fails any test here.
describe("the playground", () => {
  test("loads and reads the schema with nothing from anywhere else", async () => {
    const { page, elsewhere } = await playground(learner);
    await page.getByRole("button", { name: /Documentation/ }).click();
    await page.getByText("Query", { exact: true }).first().click();
    await page.getByText("myEnrollments").first().waitFor();
    await page.getByText("Courses the caller learns, latest activity first.").first().waitFor();
    expect(elsewhere).toEqual([]);
  });

  test("runs the tree with progress, as the person who is signed in", async () => {
    const { page, elsewhere } = await playground(learner);
    await page.getByLabel(`От имени ${learner.email}`).waitFor();
    await run(page);
    await answers(page, /"title": "Узлы"/);
    await answers(page, /"pagesTotal": 2/);
    expect(elsewhere).toEqual([]);
  });

  test("takes a quiz with answers that fit its questions", async () => {
    const { page, elsewhere } = await playground(learner);
    await openTab(page, "TakeQuiz");
    await run(page, "Quiz");
    await answers(page, /SingleChoiceQuestion/);
    await run(page, "TakeQuiz");
    await answers(page, /"outcome": "TAKEN"/);
    expect(elsewhere).toEqual([]);
  });

  test.skipIf(!hasSubscriptions)("sees live what a learner does", async () => {
    const { page, elsewhere } = await playground(teacher);
    await openTab(page, "CourseActivity");
    await run(page);
    // Nothing on the screen says when the server has begun to watch, so somebody reads until it is seen.
    const seen = async () => {
      const reader = await person(server);
      await enroll(server, reader, shareCode);
      await post(server.url, `/api/v1/courses/mark_page_visited/${pageId}`, {}, reader.token);
      await page.waitForTimeout(500);
      return page.locator(".result-window").innerText();
    };
    await expect.poll(seen, { timeout: 30_000, interval: 1000 }).toContain("StudentReadPage");
    await page.getByRole("button", { name: /^Stop/ }).click();
    expect(elsewhere).toEqual([]);
  });

  test("asks as nobody without the token, and by a header of one's own", async () => {
    const { page } = await playground(learner);
    await page.getByLabel(`От имени ${learner.email}`).uncheck();
    await run(page);
    await answers(page, /UNAUTHENTICATED/);
    await page.getByRole("button", { name: "Headers", exact: true }).click();
    await page.locator(".graphiql-editor-tool .graphiql-editor:visible .view-lines").click();
    await page.keyboard.insertText(JSON.stringify({ Authorization: `Bearer ${learner.token}` }));
    await run(page);
    await answers(page, /"title": "Узлы"/);
  });

  test("keeps its tabs, and offers its examples again", async () => {
    const { page } = await playground(learner);
    await page.getByRole("button", { name: "Примеры" }).click();
    await page.getByRole("button", { name: /Войти и получить токен/ }).click();
    await page.getByRole("tab", { name: "Login" }).waitFor();
    expect(await page.getByRole("tab").count()).toBe(4);
    // It stores them a moment later.
    await page.waitForTimeout(1000);
    await page.reload();
    await page.getByRole("tab", { name: "Login" }).waitFor();
    expect(await page.getByRole("tab").count()).toBe(4);
  });

  test("offers to sign in when nobody is", async () => {
    const { page } = await playground();
    expect(await page.getByRole("link", { name: "Войти" }).getAttribute("href")).toBe("/login");
    await run(page);
    await answers(page, /UNAUTHENTICATED/);
  });

  test.each(["light", "dark"] as const)("has the app's theme and is accessible: %s", async (theme) => {
    const { page } = await playground(learner, theme);
    expect(await page.evaluate(() => document.body.className)).toContain(`graphiql-${theme}`);
    await run(page);
    await answers(page, /"pagesTotal": 2/);
    await page.getByRole("button", { name: "Примеры" }).click();
    await page.getByRole("heading", { name: "Примеры" }).waitFor();
    // GraphiQL has the button that closes a tab inside the tab.
    await expectAccessible(page, `GraphiQL, ${theme}`, { known: { "nested-interactive": ".graphiql-tab" } });
  });
});
