// Benchmark of the most frequent write, `markPageVisited`: every request has another page or learner. Commits are durable (SQLite
// with `synchronous=FULL`, PostgreSQL with its defaults for `fsync` and `synchronous_commit`).
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { graphql, login, post } from "../scripts/client.mjs";
import { wrk } from "./load.mjs";

// Enough learners, with the 500 pages of the course, that no visit is repeated during the run.
const learners = 160;
const mutation = `mutation Visit($input: MarkPageVisitedInput!) { markPageVisited(input: $input) {
  page { id isVisited isCompleted } course { id progress { percent pagesDone } } } }`;

/**
 * Marks the pages `ids` of the course with the share code `code` as visited, by many learners. A second measurement on the same
 * server needs another `group` of learners.
 */
export async function measureVisits(server, folder, { code, ids }, group = "visitor") {
  const tokens = [];
  for (let n = 0; n < learners; n++) {
    const account = { email: `${group}-${n}@example.com`, password: "a-visitor-of-many-pages" };
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
