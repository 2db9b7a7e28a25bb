import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { field } from "./app.ts";
import type { Person } from "./people.ts";

/** What an author's tests begin with: a course of modules of lessons of pages, by their titles. */
export type Plan = Record<string, Record<string, (string | null)[]>>;

export async function makeCourse(server: Server, who: Pick<Person, "token">, title: string, plan: Plan = {}) {
  const call = (query: string, variables: Record<string, unknown>) =>
    graphql(server.url, who.token, query, variables);
  const made = await call(
    `mutation ($title: String!) { createCourse(input: {title: $title}) { course { id } } }`,
    { title },
  );
  const courseId: string = made.createCourse.course.id;
  for (const [module, lessons] of Object.entries(plan)) {
    const moduleAnswer = await call(
      `mutation ($courseId: ID!, $title: String!) {
        createModule(input: {courseId: $courseId, title: $title}) { module { id } } }`,
      { courseId, title: module },
    );
    const moduleId: string = moduleAnswer.createModule.module.id;
    for (const [lesson, pages] of Object.entries(lessons)) {
      const lessonAnswer = await call(
        `mutation ($moduleId: ID!, $title: String!) {
          createLesson(input: {moduleId: $moduleId, title: $title}) { lesson { id } } }`,
        { moduleId, title: lesson },
      );
      const lessonId: string = lessonAnswer.createLesson.lesson.id;
      for (const page of pages) {
        await call(
          `mutation ($lessonId: ID!, $title: String) {
            createPage(input: {lessonId: $lessonId, title: $title}) { page { id } } }`,
          { lessonId, title: page },
        );
      }
    }
  }
  return courseId;
}

interface Stored {
  modules: {
    title: string;
    lessons: {
      title: string;
      pages: { title: string | null; number: number; kind: string; published: boolean }[];
    }[];
  }[];
}

/** The outline as the server has it: a line a thing, indented by its level, drafts marked. */
export async function storedOutline(
  server: Server,
  who: Pick<Person, "token">,
  id: string,
): Promise<string[]> {
  const query = `query ($id: ID!) { course(id: $id) { modules { title lessons { title pages { title number kind published } } } } }`;
  const { course } = await graphql(server.url, who.token, query, { id });
  return (course as Stored).modules.flatMap((module) => [
    module.title,
    ...module.lessons.flatMap((lesson) => [
      `  ${lesson.title}`,
      ...lesson.pages.map(
        (page) =>
          `    ${page.title ?? `Страница ${page.number}`}${page.kind === "QUIZ" ? " (тест)" : ""}${page.published ? "" : " (черновик)"}`,
      ),
    ]),
  ]);
}

export function outline(page: Page): Locator {
  return page.getByRole("treegrid", { name: "Содержание курса" });
}

/** A row of the outline by what it is: «Страница «Циклы»». */
export function row(page: Page, name: string): Locator {
  return outline(page).getByRole("row", { name: new RegExp(`^${name}`) });
}

/** The outline as it is on the screen, in the shape of `storedOutline`; rows in sight only. */
export function shownOutline(page: Page): Promise<string[]> {
  return outline(page).evaluate((grid) =>
    [...grid.querySelectorAll<HTMLElement>("[role=row][data-kind]")]
      .filter((row) => row.dataset.key !== "draft" && row.dataset.kind !== "add")
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((row) => {
        const level = Number(row.getAttribute("aria-level"));
        const name = /«(.*)»/.exec(row.getAttribute("aria-label") ?? "")?.[1] ?? row.innerText;
        const quiz = row.getAttribute("aria-label")?.startsWith("Тест") ? " (тест)" : "";
        const draft = row.getAttribute("aria-label")?.endsWith("черновик") ? " (черновик)" : "";
        return `${"  ".repeat(level - 1)}${name}${quiz}${draft}`;
      }),
  );
}

export async function openOutline(page: Page, courseId: string): Promise<void> {
  await page.goto(`/edit-course/${courseId}`);
  await outline(page).or(page.getByText("В курсе пока ничего нет")).first().waitFor();
}

/** Goes there as somebody without a mouse does. */
export async function tabTo(page: Page, goal: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await goal.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await goal.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not come to ${goal}`);
}

/** Types a title into the line that is open, which is for this kind of thing. */
export async function writeTitle(
  page: Page,
  kind: "Модуль" | "Урок" | "Страница" | "Тест",
  title: string,
): Promise<void> {
  const labels = { Модуль: "модуля", Урок: "урока", Страница: "страницы", Тест: "теста" };
  await focused(field(page, `Название ${labels[kind]}`));
  await page.keyboard.type(title);
  await page.keyboard.press("Enter");
  await row(page, `${kind} «${title}»`).waitFor();
  await focused(field(page, `Название ${labels[kind]}`));
}

export async function focused(what: Locator): Promise<void> {
  await what.waitFor();
  await expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true);
}
