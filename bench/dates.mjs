// Benchmark of dates: the tree query of a course of 4,000 pages, all with dates and 2,000 overrides, compared with the same course
// without dates, on both databases. Both courses are on one server and measured in alternation. Rewrites its part of
// docs/performance.md. `make bench` runs it.
//
// The dates are inserted by SQL while the server is stopped, as 4,000 changes through the API would take too long. All times have begun
// and none has ended, so that both responses have the same pages; the length of each response is checked during the load.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphql, login } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { load, seconds } from "./load.mjs";
import { binary, publish } from "./measured.mjs";
import { literals, sql } from "./sql.mjs";
import { prepareCourse, treeQuery } from "./tree.mjs";

const pages = 4_000;
const overrides = 2_000;
const turns = Number(process.env.BENCH_TURNS ?? 7);
/** The least ratio of the dated course to the other one, in requests per second. */
const goal = 0.8;

/** What the web app asks for: the tree with the state of each page. */
const withStates = `query Tree($id: ID!) { course(id: $id) { title progress { percent } modules { title avatarUrl lessons {
  title isCompleted pages { id title kind isVisited isCompleted timeline { state } } } } } }`;

/** The SQL that dates every module, lesson and page of a course, and overrides pages for its learner and for 1,999 more people. */
function seed(database, course, page) {
  const { bytes, id, time } = literals(database);
  const [begun, due, end] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1), Date.UTC(2027, 5, 1)].map((at) =>
    time(new Date(at)),
  );
  const people = Array.from({ length: overrides - 1 }, () => randomUUID());
  const list = (row) => people.map((person, n) => `(${row(person, n)})`).join(",\n");
  const where = `course_id = ${id(course)}`;
  const override = (user, part) =>
    `INSERT INTO schedule_overrides (id, course_id, user_id, page_id, available_from_lifted, available_until_lifted, due_at, due_at_lifted,
       late_until_lifted, extra_attempts_lifted, time_factor_lifted, updated_at) ${user}, ${part}, FALSE, FALSE, ${end}, FALSE, FALSE, FALSE, FALSE, ${begun}`;
  const anyId = database === "sqlite" ? "randomblob(16)" : "gen_random_uuid()";
  return `
BEGIN;
UPDATE courses SET starts_at = ${begun}, ends_at = ${end}, structure_version = structure_version + 1 WHERE id = ${id(course)};
UPDATE modules SET available_from = ${begun}, available_until = ${end} WHERE ${where};
UPDATE lessons SET available_from = ${begun}, due_at = ${due} WHERE ${where};
UPDATE pages SET available_from = ${begun}, available_until = ${end}, due_at = ${due} WHERE ${where};
INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at) VALUES
${list((person, n) => `${id(person)}, 'override${n}@example.com', 'override${n}@example.com', 'Ученик ${n}', '-', TRUE, FALSE, ${begun}`)};
INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at, marks, tries)
SELECT ${anyId}, ${id(course)}, id, ${begun}, ${begun}, ${bytes("")}, ${bytes("")} FROM users WHERE email LIKE 'override%';
${override(`SELECT ${anyId}, ${id(course)}, user_id`, id(page))} FROM enrollments WHERE ${where};
COMMIT;
ANALYZE;
`;
}

/** One course per side on a new server: `[plain, dated]`, each with the requests of its learner. */
async function prepare(server, database, work) {
  const sides = [];
  for (const name of ["plain", "dated"]) {
    sides.push(await prepareCourse(server, join(work, name), pages, name));
  }
  const [, dated] = sides;
  await server.pause();
  await sql(server, database, seed(database, dated.id, dated.ids[0]));
  await server.resume();
  const query = "query ($id: ID!) { overrides(courseId: $id) { totalCount } }";
  const token = await login(server.url, admin.email, admin.password);
  const { overrides: stored } = await graphql(server.url, token, query, { id: dated.id });
  if (stored.totalCount !== overrides) throw new Error(`${stored.totalCount} overrides are stored`);
  return sides;
}

/** Requests per second of a query of one side. */
async function measure(server, { id, token }, query) {
  const body = JSON.stringify({ query, variables: { id } });
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const text = await (await fetch(`${server.url}/graphql`, { method: "POST", headers, body })).text();
  const { errors, data } = JSON.parse(text);
  if (errors || data.course.modules.length !== 20) throw new Error(text.slice(0, 300));
  const options = {
    method: "POST",
    body,
    token,
    expected: Buffer.byteLength(text),
    lasting: Math.ceil(seconds / 2),
  };
  return (await load(`${server.url}/graphql`, options)).rps;
}

const queries = { "tree query": treeQuery, "tree query with the state of each page": withStates };
const rows = [];
for (const database of ["sqlite", "postgres"]) {
  const work = await mkdtemp(join(tmpdir(), "kurso-dates-"));
  const server = await Server.start({ database, binary });
  try {
    const [plain, dated] = await prepare(server, database, work);
    for (const [name, query] of Object.entries(queries)) {
      const pairs = [];
      for (let turn = 0; turn < turns; turn++) {
        const inTurn = turn % 2 === 0 ? [plain, dated] : [dated, plain];
        const [first, second] = [
          await measure(server, inTurn[0], query),
          await measure(server, inTurn[1], query),
        ];
        pairs.push(turn % 2 === 0 ? [first, second] : [second, first]);
      }
      pairs.sort(([a, b], [c, d]) => b / a - d / c);
      rows.push({ name: `${name}, ${database === "sqlite" ? "SQLite" : "PostgreSQL"}`, pairs });
    }
  } finally {
    await server.stop();
    await rm(work, { recursive: true, force: true });
  }
}

const share = ([plain, dated]) => dated / plain;
const lines = rows.map(({ name, pairs }) => {
  const middle = pairs[turns >> 1];
  const range = `${share(pairs[0]).toFixed(2)} to ${share(pairs.at(-1)).toFixed(2)}`;
  return `| ${name} | ${middle[0].toFixed(0)} | ${middle[1].toFixed(0)} | **${share(middle).toFixed(2)}** | ${range} |`;
});
const report = [
  `${pages} pages, ${overrides} overrides; measured ${turns} times in alternation, the median ratio is shown.`,
  `| request | without dates, requests/s | with dates, requests/s | ratio | range |\n| --- | --: | --: | --: | --: |\n${lines.join("\n")}`,
].join("\n\n");
await publish("dates", report);
for (const { name, pairs } of rows) {
  const ratio = share(pairs[turns >> 1]);
  if (ratio < goal)
    throw new Error(`${name}: ${ratio.toFixed(2)} of the speed without dates, the goal is ${goal}`);
}
