import { graphql, login, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";

export interface Person {
  email: string;
  password: string;
  fullName: string;
  token: string;
}

let made = 0;

/** Signs somebody up and in over REST, for tests that are about something else. */
export async function person(
  server: Server,
  fullName = "Иванова Анна Петровна",
  email = `person-${++made}@example.com`,
): Promise<Person> {
  const password = "очень-тайный-пароль";
  await post(server.url, "/api/v1/users/signup", { email, password, full_name: fullName });
  return { email, password, fullName, token: await login(server.url, email, password) };
}

export async function enroll(server: Server, who: Person, shareCode: string): Promise<void> {
  await post(server.url, "/api/v1/courses/enroll", { share_code: shareCode }, who.token);
}

export interface Tree {
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

/** What the server holds, asked beside the browser: the truth that screens are compared with. */
export async function tree(server: Server, token: string, courseId: string): Promise<Tree> {
  const query = `query ($id: ID!) { course(id: $id) {
    title progress { percent pagesDone pagesTotal }
    modules { title lessons { title isCompleted pages { id title isVisited } } }
  } }`;
  return (await graphql(server.url, token, query, { id: courseId })).course;
}
