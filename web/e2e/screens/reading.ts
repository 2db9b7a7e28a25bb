import type { Page } from "playwright-core";
import type { Screen } from "../stage.ts";

/** What learners see, the shell around it, and what is not there. */
export const reading: Screen[] = [
  {
    name: "view-course",
    who: "learner",
    show: async (page, { course, courseTitle }) => {
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("heading", { level: 1, name: courseTitle }).waitFor();
      await page.getByRole("main").getByRole("region").or(page.locator("main li a")).first().waitFor();
    },
  },
  {
    name: "view-page",
    who: "learner",
    show: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[1]}`);
      await page.getByRole("article").waitFor();
    },
  },
  {
    name: "menu-open",
    who: "learner",
    show: async (page, { learner }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await openSidebar(page);
      await page.getByRole("button", { name: learner.fullName }).click();
      await page.getByRole("menuitem", { name: "Выйти" }).waitFor();
    },
  },
  {
    name: "contents-open",
    who: "learner",
    show: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[0]}`);
      await page.getByRole("article").waitFor();
      await openSidebar(page);
      await page.locator(`a[href="/view-page/${pages[0]}"]`).first().waitFor();
    },
  },
  {
    name: "palette",
    who: "learner",
    show: async (page, { courseTitle }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: courseTitle }).waitFor();
    },
  },
  {
    name: "palette-found",
    who: "learner",
    show: async (page, { pageTitle }) => {
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
    show: async (page) => {
      await page.goto("/no/such/path");
      await page.getByRole("heading", { name: "Упс!" }).waitFor();
    },
  },
  {
    name: "unknown-course",
    who: "newcomer",
    show: async (page) => {
      await page.goto("/view-course/01900000-0000-7000-8000-000000000000");
      await page.getByText("Not Found").waitFor();
    },
  },
  {
    name: "server-gone",
    who: "learner",
    show: async (page, { course }) => {
      await page.route("**/graphql", (route) => route.abort());
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("button", { name: "Повторить" }).first().waitFor();
    },
  },
];

/** On a small screen the sidebar is a drawer; on a wide one it is there already. */
async function openSidebar(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Открыть меню" });
  if ((await button.count()) > 0) await button.click();
}
