import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { graphql, login, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";

export interface Account {
  email: string;
  password: string;
  fullName: string;
  token: string;
}

let accounts = 0;

/** Creates an account over REST and signs it in. */
export async function signUp(
  server: Server,
  fullName = "Иванова Анна Петровна",
  email = `person-${++accounts}@example.com`,
): Promise<Account> {
  const password = "очень-тайный-пароль";
  await post(server.url, "/api/v1/users/signup", { email, password, full_name: fullName });
  return { email, password, fullName, token: await login(server.url, email, password) };
}

export async function enroll(server: Server, learner: Account, shareCode: string): Promise<void> {
  await post(server.url, "/api/v1/courses/enroll", { share_code: shareCode }, learner.token);
}

/** Generates a share code of a course and returns it. */
export async function generateShareCode(
  server: Server,
  owner: Pick<Account, "token">,
  courseId: string,
): Promise<string> {
  const query =
    "mutation ($input: GenerateShareCodeInput!) { generateShareCode(input: $input) { course { shareCode } } }";
  const data = await graphql(server.url, owner.token, query, { input: { courseId } });
  return data.generateShareCode.course.shareCode;
}

/** Marks a page as visited by a learner. */
export async function visit(server: Server, learner: Account, pageId: string): Promise<void> {
  await post(server.url, `/api/v1/courses/mark_page_visited/${pageId}`, {}, learner.token);
}

export interface CourseTree {
  title: string;
  progress: { percent: number; pagesDone: number; pagesTotal: number };
  modules: {
    title: string;
    lessons: {
      title: string;
      isCompleted: boolean;
      pages: { id: string; title: string | null; isVisited: boolean }[];
    }[];
  }[];
}

/** The modules, lessons and pages of a course with the caller's progress, as the server has them. */
export async function courseTree(server: Server, token: string, courseId: string): Promise<CourseTree> {
  const query = `query ($id: ID!) { course(id: $id) {
    title progress { percent pagesDone pagesTotal }
    modules { title lessons { title isCompleted pages { id title isVisited } } }
  } }`;
  return (await graphql(server.url, token, query, { id: courseId })).course;
}

/** A course by the titles of its modules, lessons and pages. */
export type CoursePlan = Record<string, Record<string, (string | null)[]>>;

/** Creates a course of published pages without content and returns its ID. */
export async function createCourse(
  server: Server,
  owner: Pick<Account, "token">,
  title: string,
  plan: CoursePlan = {},
): Promise<string> {
  const call = (query: string, variables: Record<string, unknown>) =>
    graphql(server.url, owner.token, query, variables);
  const created = await call(
    "mutation ($title: String!) { createCourse(input: {title: $title}) { course { id } } }",
    { title },
  );
  const courseId: string = created.createCourse.course.id;
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

/** Waits for an invitation mail to an address in the outbox in the data folder, and returns the link of the newest one. */
export async function invitationLink({ dataDir }: Server, email: string): Promise<string> {
  const outbox = join(dataDir, "outbox");
  let link = "";
  await expect
    .poll(async () => {
      // A mail that is still being written has another name and may be gone a moment later.
      const mails = (await readdir(outbox)).filter((name) => !name.endsWith(".part"));
      for (const name of mails.sort()) {
        const mail = (await readFile(join(outbox, name), "utf8"))
          .replaceAll("=\r\n", "")
          .replaceAll("=3D", "=");
        const found = mail.includes(email) && /https?:\/\/\S+\/accept-invitation\?token=[\w.-]+/.exec(mail);
        if (found) [link] = found;
      }
      return link;
    })
    .not.toBe("");
  return link;
}

/** Makes an account a member of the team of a course, by the invitation that it gets. */
export async function joinTeam(
  server: Server,
  owner: Account,
  colleague: Account,
  courseId: string,
  role: "editor" | "teacher" | "reviewer",
): Promise<void> {
  const path = `/api/v1/courses/collaborators/${courseId}`;
  await post(server.url, path, { email: colleague.email, role }, owner.token);
  const token = new URL(await invitationLink(server, colleague.email)).searchParams.get("token");
  await post(server.url, "/api/v1/courses/accept_invitation", { token }, colleague.token);
}
