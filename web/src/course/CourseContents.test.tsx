import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { aLesson } from "../testing/aLesson";
import { openTimes } from "../testing/openTimes";
import { renderInRouter } from "../testing/renderInRouter";
import { startI18n } from "../testing/startI18n";
import { CourseContents } from "./CourseContents";
import type { CourseTree_CourseFragment } from "./CourseTree.generated";

beforeAll(startI18n);
afterEach(cleanup);

const pages = (...titles: (string | null)[]) =>
  titles.map((title, at) => ({
    __typename: "Page" as const,
    id: `${title ?? "untitled"}-${at}`,
    title,
    number: at + 1,
    kind: "CONTENT" as const,
    published: true,
    isVisited: false,
    isCompleted: false,
    timeline: openTimes,
  }));

const lesson = (title: string, isCompleted: boolean, ...titles: (string | null)[]) =>
  aLesson(title, pages(...titles), { isCompleted });

const course = {
  __typename: "Course",
  id: "c1",
  title: "Rust",
  progress: {
    __typename: "Progress",
    percent: 33,
    pagesDone: 1,
    pagesTotal: 3,
    lessonsDone: 1,
    lessonsTotal: 2,
    completedAt: null,
  },
  enrollment: null,
  modules: [
    {
      __typename: "Module",
      id: "m1",
      title: "Основы",
      description: null,
      avatarUrl: null,
      lessons: [lesson("Начало", true, "Установка"), lesson("Владение", false, "Срезы", null)],
    },
  ],
} as unknown as CourseTree_CourseFragment;

async function show(mode: "view" | "edit", shown = course) {
  await renderInRouter(<CourseContents course={shown} currentPageId="untitled-1" mode={mode} />);
  return within(await screen.findByRole("navigation", { name: "Содержание курса" }));
}

const unbroken = (text: string | null) => text?.replaceAll("\u00a0", " ").trim();

describe("«Содержание курса»", () => {
  test("shows and counts drafts for editors, and for nobody who reads", async () => {
    const start = lesson("Начало", false, "Установка", null);
    const drafted = { ...start, pages: start.pages.map((page, at) => ({ ...page, published: at === 1 })) };
    const modules = [{ ...course.modules[0], lessons: [drafted] }];
    const shown = { ...course, modules } as CourseTree_CourseFragment;
    const read = await show("view", shown);
    expect(read.queryByRole("link", { name: "Установка" })).toBeNull();
    expect(read.getByRole("button", { name: /Начало/ }).dataset.done).toBe("0/1");
    cleanup();
    const edited = await show("edit", shown);
    expect(edited.getByRole("link", { name: "Установка" })).toBeTruthy();
    expect(edited.getByRole("button", { name: /Начало/ }).dataset.done).toBe("0/2");
  });

  test("marks a page as completed only when it is, and an opened quiz as opened", async () => {
    const open = lesson("Владение", false, "Срезы", null);
    const states = [
      { isVisited: true, isCompleted: false, kind: "QUIZ" },
      { isVisited: false, isCompleted: true, kind: "QUIZ" },
    ];
    const marked = { ...open, pages: open.pages.map((page, at) => ({ ...page, ...states[at] })) };
    const modules = [{ ...course.modules[0], lessons: [marked] }];
    const contents = await show("view", { ...course, modules } as CourseTree_CourseFragment);
    expect(contents.getByRole("button", { name: /Владение/ }).dataset.done).toBe("1/2");
    expect(contents.getByRole("link", { name: /Срезы/ }).textContent).toContain("Открыто, но не пройдено");
    expect(contents.getByRole("link", { name: /Страница/ }).textContent).toContain("Пройдено");
  });

  test("a locked page is no link, and says so", async () => {
    const first = lesson("Владение", false, "Срезы", null);
    const pages = first.pages.map((page, at) =>
      at === 0 ? { ...page, timeline: { ...page.timeline, state: "LOCKED" as const } } : page,
    );
    const modules = [{ ...course.modules[0], lessons: [{ ...first, pages }] }];
    const contents = await show("view", { ...course, modules } as CourseTree_CourseFragment);
    expect(contents.queryByRole("link", { name: /Срезы/ })).toBeNull();
    expect(contents.getByText("Срезы").closest("li")?.textContent).toContain("Пока закрыто");
    expect(contents.getByRole("link", { name: /Страница/ })).toBeTruthy();
  });

  test("lists modules, lessons, and the pages of an open lesson in order", async () => {
    const contents = await show("view");
    const branches = () => contents.getAllByRole("button").map(({ textContent }) => unbroken(textContent));
    expect(branches()).toEqual([
      "Основы",
      expect.stringContaining("Начало"),
      expect.stringContaining("Владение"),
    ]);
    const links = () =>
      contents
        .getAllByRole("link")
        .slice(1)
        .map(({ textContent }) => unbroken(textContent));
    expect(links()).toEqual(["Срезы", "Страница 2"]);
    fireEvent.click(contents.getByRole("button", { name: /Начало/ }));
    expect(links()).toEqual(["Установка", "Срезы", "Страница 2"]);
    fireEvent.click(contents.getByRole("button", { name: "Основы" }));
    expect(links()).toEqual([]);
  });

  test("highlights the current page", async () => {
    const contents = await show("view");
    const current = contents.getAllByRole("link").filter((link) => link.getAttribute("aria-current"));
    expect(current.map((link) => link.getAttribute("href"))).toEqual(["/view-page/untitled-1"]);
  });

  test("names a page without a title by its number", async () => {
    const contents = await show("view");
    expect(contents.getByRole("link", { name: /^Страница.2$/ })).toBeTruthy();
  });

  test("marks each lesson as completed or not on the reading screen", async () => {
    const contents = await show("view");
    expect(contents.getByRole("button", { name: /^Пройден\s*Начало$/ })).toBeTruthy();
    expect(contents.getByRole("button", { name: /^Не пройден\s*Владение$/ })).toBeTruthy();
  });

  test("links to /edit-page and shows no marks on the editing screen", async () => {
    const contents = await show("edit");
    expect(contents.getByRole("button", { name: "Владение" })).toBeTruthy();
    expect(contents.queryByText(/пройден/i)).toBeNull();
    expect(contents.getByRole("link", { name: "Срезы" }).getAttribute("href")).toBe("/edit-page/Срезы-0");
  });
});
