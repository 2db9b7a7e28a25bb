import type { Page } from "playwright-core";
import { post } from "../../../scripts/client.mjs";
import { readToTheEnd } from "../app.ts";
import { enroll, type Person, person } from "../people.ts";
import type { Screen, Stage } from "../stage.ts";

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
    name: "view-course-progress",
    who: "learner",
    show: async (page, { course }) => {
      await page.goto(`/view-course/${course.course_id}?tab=progress`);
      await page.locator("main dl").waitFor();
    },
  },
  {
    name: "view-course-left",
    show: async (page, stage) => {
      await page.goto("/login");
      await openAs(page, await reader(stage, 2), `/view-course/${stage.course.course_id}`);
      await page.getByRole("heading", { name: "Что осталось" }).waitFor();
    },
  },
  {
    name: "view-course-completed",
    show: async (page, stage) => {
      await page.goto("/login");
      await openAs(page, await reader(stage, 0), `/view-course/${stage.course.course_id}`);
      await page.getByRole("heading", { name: /^Курс пройден/ }).waitFor();
    },
  },
  {
    name: "view-page-course-done",
    show: async (page, stage) => {
      await page.goto("/login");
      await openAs(page, await reader(stage, 1), `/view-page/${stage.pages.at(-1)}`);
      await readToTheEnd(page);
      await page.getByRole("heading", { name: "Курс пройден!" }).scrollIntoViewIfNeeded();
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

/** Somebody who has read all of the course but its last pages. */
async function reader({ server, course, pages }: Stage, left: number): Promise<Person> {
  const who = await person(server, "Смирнов Олег Игоревич");
  await enroll(server, who, course.share_code);
  for (const id of pages.slice(0, pages.length - left)) {
    await post(server.url, `/api/v1/courses/mark_page_visited/${id}`, {}, who.token);
  }
  return who;
}

async function openAs(page: Page, who: Person, path: string): Promise<void> {
  await page.evaluate((token) => localStorage.setItem("access_token", token), who.token);
  await page.goto(path);
}

/** On a small screen the sidebar is a drawer; on a wide one it is there already. */
async function openSidebar(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Открыть меню" });
  if ((await button.count()) > 0) await button.click();
}
