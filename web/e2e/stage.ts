import type { Page } from "playwright-core";
import { demoBook } from "../../scripts/books.mjs";
import { graphql, login, post } from "../../scripts/client.mjs";
import { admin, type Imported, type Server } from "../../scripts/server.mjs";
import { newTab, type sizes, type Tab } from "./browser.ts";
import { enroll, type Person, person, tree } from "./people.ts";
import { everyKind } from "./quizzes.ts";

/** What every screen can be shown with: a course, a learner in the middle of it, and somebody who is new. */
export interface Stage {
  server: Server;
  course: Imported;
  courseTitle: string;
  pages: string[];
  /** Of the second page. */
  pageTitle: string;
  learner: Person;
  newcomer: Person;
  /** Who sees a screen, signed in once. */
  tokens: Record<Watcher, string>;
  /** A copy of the book with a quiz of every kind of question in it: what the screens of writing change is nobody else's. */
  written: Written;
}

interface Written {
  courseId: string;
  lessonId: string;
  /** Of the page: its title and its content. */
  text: { title: string; content: { type: string; content: unknown[] } };
  pageId: string;
  quizId: string;
  /** Of the screen before. */
  changed?: string;
}

export type Watcher = "learner" | "newcomer" | "superuser";

export async function setStage(server: Server, book = demoBook): Promise<Stage> {
  const course = await server.import(book, admin.email);
  const learner = await person(server, "Иванова Анна Петровна", "anna@example.com");
  const newcomer = await person(server, "Петров Пётр Петрович", "petr@example.com");
  await enroll(server, learner, course.share_code);
  const { title: courseTitle, modules } = await tree(server, learner.token, course.course_id);
  const all = modules.flatMap((module) => module.lessons.flatMap((lesson) => lesson.pages));
  const pages = all.map((page) => page.id);
  for (const id of pages.slice(0, Math.ceil(pages.length / 3))) {
    await fetch(`${server.url}/api/v1/courses/mark_page_visited/${id}`, {
      method: "POST",
      headers: { authorization: `Bearer ${learner.token}` },
    });
  }
  const superuser = await login(server.url, admin.email, admin.password);
  return {
    server,
    course,
    courseTitle,
    pages,
    pageTitle: all[1]?.title ?? "",
    learner,
    newcomer,
    tokens: { learner: learner.token, newcomer: newcomer.token, superuser },
    written: await copyBook(server, superuser, course.course_id, courseTitle),
  };
}

async function copyBook(server: Server, token: string, from: string, title: string): Promise<Written> {
  const call = (query: string, input: object) => graphql(server.url, token, query, { input });
  const { duplicateCourse } = await call(
    `mutation ($input: DuplicateCourseInput!) { duplicateCourse(input: $input) {
      course { id modules { lessons { id pages { id title content } } } } } }`,
    { courseId: from },
  );
  const { id, modules } = duplicateCourse.course;
  await call("mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }", {
    courseId: id,
    title: `${title}: новая редакция`,
  });
  const lessons = modules.flatMap(
    (module: { lessons: { id: string; pages: unknown[] }[] }) => module.lessons,
  );
  const lesson = lessons.find((one: { pages: unknown[] }) => one.pages.length > 1);
  const { id: pageId, ...text } = lesson.pages[1];
  const quiz = { title: "Проверьте себя", kind: "quiz", quiz: everyKind };
  const path = `/api/v1/courses/create_page/${lesson.id}`;
  const { id: quizId } = await post(server.url, path, quiz, token);
  return { courseId: id, lessonId: lesson.id, text, pageId, quizId };
}

/** One screen in one state: who looks at it and how to get there; resolves when the screen is complete. */
export interface Screen {
  name: string;
  who?: Watcher;
  show: (page: Page, stage: Stage) => Promise<void>;
}

/** Shows a screen in a fresh tab. */
export async function show(
  screen: Screen,
  stage: Stage,
  size: keyof typeof sizes,
  { touch = false } = {},
): Promise<Tab> {
  const token = screen.who && stage.tokens[screen.who];
  const tab = await newTab(stage.server, { size, touch, ...(token && { token }) });
  await screen.show(tab.page, stage);
  return tab;
}
