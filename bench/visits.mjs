// The write learners make most: `markPageVisited`, each request another page or another learner, on durable commits (SQLite
// with `synchronous=FULL`, PostgreSQL with `fsync` and `synchronous_commit` as the server has them).
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { graphql, login, post } from "../scripts/client.mjs";
import { wrk } from "./load.mjs";

// With the 500 pages of the course so many that none is marked twice in the time.
const learners = 160;
const mutation = `mutation Visit($input: MarkPageVisitedInput!) { markPageVisited(input: $input) {
  page { id isVisited isCompleted } course { id progress { percent pagesDone } } } }`;

/** Marks pages of the course with this share code, whose tree a learner sees by `ids`. */
export async function measureVisits(server, folder, { code, ids }) {
  const tokens = [];
  for (let n = 0; n < learners; n++) {
    const account = { email: `visitor-${n}@example.com`, password: "a-visitor-of-many-pages" };
    await post(server.url, "/api/v1/users/signup", { ...account, full_name: `Читатель ${n}` });
    const token = await login(server.url, account.email, account.password);
    await post(server.url, "/api/v1/courses/enroll", { share_code: code }, token);
    await graphql(server.url, token, mutation, { input: { pageId: ids[0] } });
    tokens.push(token);
  }
  const lines = ids.flatMap((page) => tokens.map((token) => `${token} ${page}`));
  const list = join(folder, "visits.txt");
  await writeFile(list, lines.join("\n"));
  const body = JSON.stringify({ query: mutation, variables: { input: { pageId: "PAGE" } } });
  return wrk(`${server.url}/graphql`, "visits.lua", { VISITS: list, BODY: body });
}
