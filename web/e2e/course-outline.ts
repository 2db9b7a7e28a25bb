import { expect, type Locator, type Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import type { Account } from "./api.ts";
import { field } from "./ui.ts";

interface StoredCourse {
  modules: {
    title: string;
    lessons: {
      title: string;
      pages: { title: string | null; number: number; kind: string; published: boolean }[];
    }[];
  }[];
}

/** The outline as the server has it: one line per item, indented by its level, with drafts and quizzes marked. */
export async function storedOutline(
  server: Server,
  author: Pick<Account, "token">,
  id: string,
): Promise<string[]> {
  const query = `query ($id: ID!) { course(id: $id) { modules { title lessons { title pages { title number kind published } } } } }`;
  const { course } = await graphql(server.url, author.token, query, { id });
  return (course as StoredCourse).modules.flatMap((module) => [
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

/** A row of the outline by the start of its accessible name, for example «Страница «Циклы»». */
export function row(page: Page, name: string): Locator {
  return outline(page).getByRole("row", { name: new RegExp(`^${name}`) });
}

/** The rendered rows of the outline in the format of `storedOutline`. */
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
  await expect(outline(page).or(page.getByText("В курсе пока ничего нет")).first()).toBeVisible();
}

/** Types a title into the open row for a new item of this kind, and expects the item and the next open row. */
export async function typeTitle(
  page: Page,
  kind: "Модуль" | "Урок" | "Страница" | "Тест",
  title: string,
): Promise<void> {
  const labels = { Модуль: "модуля", Урок: "урока", Страница: "страницы", Тест: "теста" };
  await expect(field(page, `Название ${labels[kind]}`)).toBeFocused();
  await page.keyboard.type(title);
  await page.keyboard.press("Enter");
  await expect(row(page, `${kind} «${title}»`)).toBeVisible();
  await expect(field(page, `Название ${labels[kind]}`)).toBeFocused();
}
