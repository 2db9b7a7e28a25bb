import type { Page } from "@playwright/test";
import { demoBook } from "../../scripts/books.mjs";
import { graphql, post } from "../../scripts/client.mjs";
import { admin, type Imported, type Server } from "../../scripts/server.mjs";
import { type Account, courseTree, enroll, signUp, visit } from "./api.ts";
import { everyKind } from "./classroom.ts";
import { test as base, type Tab, type TabOptions } from "./fixtures.ts";

/** The data of the screens: a course, a learner who has read a third of it, and an account without courses. */
export interface SampleData {
  server: Server;
  course: Imported;
  courseTitle: string;
  pages: string[];
  /** The title of the second page. */
  pageTitle: string;
  learner: Account;
  newcomer: Account;
  /** Access tokens. */
  tokens: Record<Viewer, string>;
  /** A copy of the course with a quiz of every kind of question. The authoring screens change it, and no other screen shows it. */
  copy: CourseCopy;
}

interface CourseCopy {
  courseId: string;
  lessonId: string;
  /** The title and the content of the page. */
  text: { title: string; content: { type: string; content: unknown[] } };
  pageId: string;
  quizId: string;
  /** The page that `anotherPage` created for the previous screen. */
  changed?: string;
}

type Viewer = "learner" | "newcomer" | "superuser";

async function createSampleData(server: Server, superuser: string, book: string): Promise<SampleData> {
  const course = await server.import(book, admin.email);
  const learner = await signUp(server, "Иванова Анна Петровна", "anna@example.com");
  const newcomer = await signUp(server, "Петров Пётр Петрович", "petr@example.com");
  await enroll(server, learner, course.share_code);
  const { title: courseTitle, modules } = await courseTree(server, learner.token, course.course_id);
  const all = modules.flatMap((module) => module.lessons.flatMap((lesson) => lesson.pages));
  const pages = all.map((page) => page.id);
  for (const id of pages.slice(0, Math.ceil(pages.length / 3))) {
    await visit(server, learner, id);
  }
  return {
    server,
    course,
    courseTitle,
    pages,
    pageTitle: all[1]?.title ?? "",
    learner,
    newcomer,
    tokens: { learner: learner.token, newcomer: newcomer.token, superuser },
    copy: await copyCourse(server, superuser, course.course_id, courseTitle),
  };
}

async function copyCourse(server: Server, token: string, from: string, title: string): Promise<CourseCopy> {
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

/** One state of a screen. */
export interface Screen {
  name: string;
  viewer?: Viewer;
  /** Opens the screen in this state and waits until it is complete. */
  open: (page: Page, sample: SampleData) => Promise<void>;
}

const created = new WeakMap<Server, Promise<SampleData>>();

interface Fixtures {
  /** The course that the sample data is made from. */
  book: string;
  /** Created once per server. */
  sample: SampleData;
  /** Opens a screen in a new tab. */
  openScreen: (screen: Screen, options: Pick<TabOptions, "viewport" | "touch">) => Promise<Tab>;
}

export const test = base.extend<Fixtures>({
  book: [demoBook, { option: true }],

  sample: async ({ server, adminToken, book }, use) => {
    const data = created.get(server) ?? createSampleData(server, adminToken, book);
    created.set(server, data);
    await use(await data);
  },

  openScreen: async ({ newTab, sample }, use) => {
    await use(async ({ viewer, open }, options) => {
      const tab = await newTab({ ...options, ...(viewer && { token: sample.tokens[viewer] }) });
      await open(tab.page, sample);
      return tab;
    });
  },
});
