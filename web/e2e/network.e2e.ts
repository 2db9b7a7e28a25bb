import type { Page } from "@playwright/test";
import { admin } from "../../scripts/server.mjs";
import { courseTree, enroll, signUp } from "./api.ts";
import { expect, type Tab } from "./fixtures.ts";
import { contentField, createCourseWithPages } from "./page-editor.ts";
import { test as base } from "./sample-data.ts";
import { expectVisited, field, pageLink, scrollToEnd, toast, waitForPage } from "./ui.ts";

interface Fixtures {
  /** Opens the first page as a learner without progress. `pagesDone` asks the server for the progress. */
  openFirstPage: () => Promise<Tab & { pagesDone: () => Promise<number> }>;
}

const test = base.extend<Fixtures>({
  openFirstPage: async ({ server, sample, tabFor }, use) => {
    await use(async () => {
      const learner = await signUp(server);
      await enroll(server, learner, sample.course.share_code);
      const tab = await tabFor(learner);
      await tab.page.goto(`/view-page/${sample.pages[0]}`);
      await expect(tab.page.getByRole("article")).toBeVisible();
      await expect(pageLink(tab.page, String(sample.pages[0]))).toBeVisible();
      const pagesDone = async () =>
        (await courseTree(server, learner.token, sample.course.course_id)).progress.pagesDone;
      return { ...tab, pagesDone };
    });
  },
});

test.describe("offline", () => {
  test("sends the visit of a page after the network returns", async ({ sample, openFirstPage }) => {
    const { page, context, pagesDone } = await openFirstPage();
    await context.setOffline(true);
    await expect(page.getByText("Нет соединения. Показываем то, что уже загружено.")).toBeVisible();
    await scrollToEnd(page);
    await expect(page.getByText("Отметка о прочтении отправится, когда связь появится.")).toBeVisible();
    expect(await pagesDone()).toBe(0);
    await context.setOffline(false);
    await expect.poll(pagesDone, "the visited pages").toEqual(1);
    await expectVisited(page, String(sample.pages[0]));
  });

  test("opens a page that is not loaded yet after the network returns", async ({ sample, openFirstPage }) => {
    const { page, context } = await openFirstPage();
    const last = String(sample.pages.at(-1));
    await context.setOffline(true);
    await goWithinApp(page, last);
    await expect(page.getByRole("heading", { name: "Нет соединения" })).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole("article")).toBeVisible();
  });
});

test.describe("a connection that drops while a screen loads", () => {
  test("leaves the screen with its styles after the network returns", async ({ sample, tabFor }) => {
    const { page, context, consoleErrors } = await tabFor(sample.learner);
    await page.goto("/");
    const course = page.locator(`a[href="/view-course/${sample.course.course_id}"]`).first();
    await expect(course).toBeVisible();
    await context.setOffline(true);
    // The keyboard, because hovering over a link loads its screen.
    await course.press("Enter");
    await expect(page.getByRole("heading", { name: "Нет соединения" })).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole("heading", { name: sample.courseTitle, level: 1 })).toBeVisible();
    await expectStyles(page);
    // React reports the error that the test provoked.
    consoleErrors.length = 0;
  });

  test("recovers without help when only the styles failed to load", async ({ sample, tabFor }) => {
    const { page, consoleErrors } = await tabFor(sample.learner);
    await page.goto("/");
    const course = page.locator(`a[href="/view-course/${sample.course.course_id}"]`).first();
    await expect(course).toBeVisible();
    await page.route("**/assets/view-course-*.css", (route) => route.abort(), { times: 1 });
    await course.press("Enter");
    await expect(page.getByRole("heading", { name: sample.courseTitle, level: 1 })).toBeVisible();
    await expectStyles(page);
    consoleErrors.length = 0;
  });

  for (const failing of ["css", "js"]) {
    test(`reloads a lazily loaded part of a screen after its .${failing} file failed to load`, async ({
      server,
      adminToken,
      tabFor,
    }) => {
      const { pageId } = await createCourseWithPages(server, adminToken);
      const { page, context, consoleErrors } = await tabFor(admin);
      const files = { css: "**/assets/{Thread,useThreads}-*.css", js: "**/assets/EditorComments-*.js" };
      const failed = page.waitForEvent("requestfailed");
      await page.route(files[failing as "css" | "js"], (route) => route.abort());
      await page.goto(`/edit-page/${pageId}`);
      await expect(contentField(page)).toBeVisible();
      await failed;
      await page.getByRole("button", { name: "Комментарии" }).click();
      const comments = page.getByRole("region", { name: "Комментарии", exact: true });
      await expect(comments).toHaveCount(0);
      await page.unrouteAll();
      await context.setOffline(true);
      await context.setOffline(false);
      await expect(comments).toBeVisible();
      await expectStyles(page, "Thread");
      consoleErrors.length = 0;
    });
  }
});

test.describe("server down", () => {
  test("keeps the sign-up form values, shows the failure, and submits after the server returns", async ({
    server,
    newTab,
  }) => {
    const { page } = await newTab();
    await page.goto("/signup");
    const typed = {
      Фамилия: "Сидорова",
      Имя: "Мария",
      Отчество: "Ильинична",
      Email: `maria-${Date.now()}@example.com`,
      Пароль: "12345678",
      "Подтверждение пароля": "12345678",
    };
    for (const [label, value] of Object.entries(typed)) await field(page, label).fill(value);
    await server.pause();
    try {
      await page.getByRole("button", { name: "Зарегистрироваться" }).click();
      await expect(toast(page, "Что-то пошло не так!").getByText("Сервер не отвечает")).toBeVisible();
      for (const [label, value] of Object.entries(typed)) await expect(field(page, label)).toHaveValue(value);
    } finally {
      await server.resume();
    }
    await page.getByRole("button", { name: "Зарегистрироваться" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
  });

  test("shows that a page cannot be loaded, and «Повторить» loads it after the server returns", async ({
    server,
    sample,
    openFirstPage,
  }) => {
    const { page } = await openFirstPage();
    const last = String(sample.pages.at(-1));
    await server.pause();
    try {
      await goWithinApp(page, last);
      await expect(page.getByRole("main").getByText("Сервер не отвечает")).toBeVisible();
    } finally {
      await server.resume();
    }
    await page.getByRole("main").getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByRole("article")).toBeVisible();
  });
});

/** Expects the style sheet of a chunk, by default that of the course screen, to be loaded. */
async function expectStyles(page: Page, chunk = "view-course"): Promise<void> {
  const hasStyles = () =>
    page.evaluate(
      (start) => [...document.styleSheets].some(({ href }) => href?.includes(start)),
      `/assets/${chunk}-`,
    );
  await expect.poll(hasStyles, `the styles of ${chunk}`).toBe(true);
}

/** Opens a page inside the app, as the browser's history does. The app has not loaded the page before. */
async function goWithinApp(page: Page, id: string): Promise<void> {
  await page.evaluate((path) => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
  }, `/view-page/${id}`);
  await waitForPage(page, id);
}
