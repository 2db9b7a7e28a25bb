import type { Page } from "@playwright/test";
import { type Account, enroll, signUp, visit } from "../api.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { scrollToEnd } from "../ui.ts";

/** The screens of learners, the shell, and errors. */
export const reading: Screen[] = [
  {
    name: "view-course",
    viewer: "learner",
    open: async (page, { course, courseTitle }) => {
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("heading", { level: 1, name: courseTitle }).waitFor();
      await page.getByRole("main").getByRole("region").or(page.locator("main li a")).first().waitFor();
    },
  },
  {
    name: "view-page",
    viewer: "learner",
    open: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[1]}`);
      await page.getByRole("article").waitFor();
    },
  },
  {
    name: "view-course-progress",
    viewer: "learner",
    open: async (page, { course }) => {
      await page.goto(`/view-course/${course.course_id}?tab=progress`);
      await page.locator("main dl").waitFor();
    },
  },
  {
    name: "view-course-left",
    open: async (page, sample) => {
      await page.goto("/login");
      await openAs(page, await createLearner(sample, 2), `/view-course/${sample.course.course_id}`);
      await page.getByRole("heading", { name: "Что осталось" }).waitFor();
    },
  },
  {
    name: "view-course-completed",
    open: async (page, sample) => {
      await page.goto("/login");
      await openAs(page, await createLearner(sample, 0), `/view-course/${sample.course.course_id}`);
      await page.getByRole("heading", { name: /^Курс пройден/ }).waitFor();
    },
  },
  {
    name: "view-page-course-done",
    open: async (page, sample) => {
      await page.goto("/login");
      await openAs(page, await createLearner(sample, 1), `/view-page/${sample.pages.at(-1)}`);
      await scrollToEnd(page);
      await page.getByRole("heading", { name: "Курс пройден!" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "menu-open",
    viewer: "learner",
    open: async (page, { learner }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await openSidebar(page);
      await page.getByRole("button", { name: learner.fullName }).click();
      await page.getByRole("menuitem", { name: "Выйти" }).waitFor();
    },
  },
  {
    name: "contents-open",
    viewer: "learner",
    open: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[0]}`);
      await page.getByRole("article").waitFor();
      await openSidebar(page);
      await page.locator(`a[href="/view-page/${pages[0]}"]`).first().waitFor();
    },
  },
  {
    name: "palette",
    viewer: "learner",
    open: async (page, { courseTitle }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: courseTitle }).waitFor();
    },
  },
  {
    name: "palette-found",
    viewer: "learner",
    open: async (page, { pageTitle }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await page.locator("dialog[open] [role=combobox]").waitFor();
      await page.keyboard.type(pageTitle.slice(0, 5));
      await page.getByRole("option", { name: pageTitle }).first().waitFor();
    },
  },
  {
    name: "unknown-path",
    open: async (page) => {
      await page.goto("/no/such/path");
      await page.getByRole("heading", { name: "Упс!" }).waitFor();
    },
  },
  {
    name: "unknown-course",
    viewer: "newcomer",
    open: async (page) => {
      await page.goto("/view-course/01900000-0000-7000-8000-000000000000");
      await page.getByText("Not Found").waitFor();
    },
  },
  {
    name: "server-gone",
    viewer: "learner",
    open: async (page, { course }) => {
      await page.route("**/graphql", (route) => route.abort());
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("button", { name: "Повторить" }).first().waitFor();
    },
  },
];

/** Creates a learner who has visited all pages except the last ones. */
async function createLearner({ server, course, pages }: SampleData, left: number): Promise<Account> {
  const account = await signUp(server, "Смирнов Олег Игоревич");
  await enroll(server, account, course.share_code);
  for (const id of pages.slice(0, pages.length - left)) {
    await visit(server, account, id);
  }
  return account;
}

async function openAs(page: Page, account: Account, path: string): Promise<void> {
  await page.evaluate((token) => localStorage.setItem("access_token", token), account.token);
  await page.goto(path);
}

/** Opens the sidebar where it is a drawer. On a wide screen it is always open. */
async function openSidebar(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Открыть меню" });
  if ((await button.count()) > 0) await button.click();
}
