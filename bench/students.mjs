// Benchmark of the class list, the heat map and the details of one student, for a class of 2,000 in a course of 500 pages, on both
// databases. Rewrites its part of docs/performance.md. `make bench` runs it.
// The responses for every student and every page are compared with the inserted data.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { login, post } from "../scripts/client.mjs";
import { admin, root, Server } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";
import { done, seed } from "./class.mjs";
import { binary, publish } from "./measured.mjs";
import { sql } from "./sql.mjs";

const students = 2_000;
const pages = 500;
const shape = { students, pages, nth: 10 };
const rounds = Number(process.env.BENCH_ROUNDS ?? 200);
/** The goal for the median of a request, in milliseconds. */
const allowed = 30;
/** The goals of the requests that aggregate the whole class. */
const allowedOf = {
  "heat map": 60,
  "100 of the gradebook by name": 60,
  "100 of the gradebook by grade": 60,
  "100 of the gradebook by grade over GraphQL": 60,
  "heat map with hardest questions": 120,
  "hardest questions": 60,
};

/** The query plans of the core's own statements, read from its source, with the IDs inserted. */
async function plans(server, database, course, enrollments) {
  const read = (path) => readFile(join(root, "core/src", path), "utf8");
  const find = async (path, pattern) => {
    const found = (await read(path)).match(pattern);
    if (!found) throw new Error(`a statement is no longer in ${path}: update the path or the pattern`);
    return found[1];
  };
  const id = (uuid) => (database === "sqlite" ? `X'${uuid.replaceAll("-", "")}'` : `'${uuid}'`);
  const list = "students/list.rs";
  const one = id(enrollments[0]);
  const marks = await find(list, /"( FROM enrollments e WHERE [^"]*)"/);
  const names = await find(list, /"( FROM enrollments e JOIN [^"]*)"/);
  const shown = await find("students/mod.rs", /"(SELECT e\.course_id[\s\S]*?WHERE )"/);
  const visits = await find("students/detail.rs", /"(SELECT page_id, visited_at FROM visits[\s\S]*?)"/);
  const map = await find("students/heat_map.rs", /"(SELECT e\.id, e\.completed_at[\s\S]*?)"/);
  const hardest = "attempts/hardest.rs";
  const firstAttempts = await find(hardest, /"(SELECT page_id, quiz_version[\s\S]*?)"/);
  const ofSample = await find(hardest, /"(\) e\s+JOIN attempts a[\s\S]*?)"/);
  const bounded = await find(hardest, /"( = 0 GROUP BY a\.page_id[\s\S]*?)"/);
  const statements = {
    "class list by percent": `SELECT e.id AS enrollment_id, e.marks${marks.replace("$1", id(course))}`,
    "class list by name": `SELECT e.id AS enrollment_id, u.full_name, u.email${names.replace("$1", id(course))}`,
    "100 students of a page": `${shown}e.id IN (${enrollments.map(id).join(", ")})`,
    "heat map": map.replace("$1", id(course)),
    "hardest questions": `${firstAttempts.replace("$1", id(course))}${ofSample}6${bounded}${16 << 20}`,
    "visits of one student": visits.replace("$1", one),
    "attempts of one student": `SELECT * FROM attempts a WHERE enrollment_id = ${one} ORDER BY page_id, attempt_no`,
  };
  const explain =
    database === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF)";
  let text = "";
  for (const [what, statement] of Object.entries(statements)) {
    text += `-- ${what}\n${await sql(server, database, `${explain} ${statement};`)}\n`;
  }
  // PostgreSQL prints the whole list of IDs: shorten it.
  return text.trim().replace(/\{([\w-]{36})(,[\w-]{36})+\}/g, "{$1, …}");
}

/** p50 and p95 of sequential requests in milliseconds, including reading the response. */
async function time(call) {
  for (let round = 0; round < 20; round++) await call();
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return {
    p50: times[Math.floor(rounds / 2)],
    p95: times[Math.floor(rounds * 0.95)],
  };
}

async function measure(database) {
  const folder = await mkdtemp(join(tmpdir(), "kurso-bench-"));
  const server = await Server.start({ database, binary });
  try {
    await writeCourse(folder, pages);
    const { course_id: course } = await server.import(folder, admin.email);
    await server.pause();
    await sql(server, database, seed(database, course, shape));
    await server.resume();
    log(`${database}: the class is inserted`);

    const token = await login(server.url, admin.email, admin.password);
    const get = async (path) => {
      const answer = await fetch(`${server.url}/api/v1/courses${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const all = [
      ...(await get(`/course_students/${course}?limit=1000`)).data,
      ...(await get(`/course_students/${course}?skip=1000&limit=1000`)).data,
    ];
    if (all.length !== students) throw new Error(`${all.length} students in the list`);
    for (const { user, percent } of all) {
      const n = Number(user.email.match(/\d+/)[0]);
      if (percent !== Math.floor((done(shape, n) * 100) / pages))
        throw new Error(`${user.email} has ${percent} %`);
    }
    const enrollments = all.slice(0, 100).map((student) => student.enrollment_id);
    const best = (await get(`/course_students/${course}?sort=-percent&limit=1`)).data[0];
    const detail = await get(`/student_detailed_progress/${best.enrollment_id}`);
    if (detail.progress.percent !== best.percent) throw new Error("the list and the detail differ");
    compareMap(await get(`/course_heat_map/${course}`));

    const heat = `query ($id: ID!) { courseHeatMap(courseId: $id) { students completed notStarted modules { id title
      lessons { id title pages { id title position visited stopped quiz { tried averagePercent passedPercent } } } } } }`;
    const graph = `query ($id: ID!) { course(id: $id) { students(sort: PERCENT, descending: true, first: 100) { totalCount
      nodes { id user { fullName email } percent lessonsDone lessonsTotal lastActivityAt } } } }`;
    const grades = `query ($id: ID!) { gradebook(courseId: $id, sort: TOTAL, descending: true, first: 100) {
      settings { items { pageId title points } } rows { totalCount nodes { enrollmentId user { fullName email } cells categories
      total { percent label } } } } }`;
    const calls = {
      "100 by name": () => get(`/course_students/${course}`),
      "100 by name, last page": () => get(`/course_students/${course}?skip=1900`),
      "100 by percent": () => get(`/course_students/${course}?sort=-percent`),
      "100 matching a search (`ёлк`)": () =>
        get(`/course_students/${course}?search=${encodeURIComponent("ёлк")}`),
      "100 by percent over GraphQL": () =>
        post(server.url, "/graphql", { query: graph, variables: { id: course } }, token),
      "100 of the gradebook by name": () => get(`/gradebook/${course}`),
      "100 of the gradebook by grade": () => get(`/gradebook/${course}?sort=-total`),
      "100 of the gradebook by grade over GraphQL": () =>
        post(server.url, "/graphql", { query: grades, variables: { id: course } }, token),
      "heat map": () => post(server.url, "/graphql", { query: heat, variables: { id: course } }, token),
      "heat map with hardest questions": () => get(`/course_heat_map/${course}`),
      "details of one student": () => get(`/student_detailed_progress/${best.enrollment_id}`),
    };
    const figures = {};
    for (const [what, call] of Object.entries(calls)) figures[what] = await time(call);
    figures["hardest questions"] = difference(
      figures["heat map with hardest questions"],
      figures["heat map"],
    );
    return {
      figures,
      plans: await plans(server, database, course, enrollments),
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares the heat map with the inserted data: page n was visited by the students who completed more than n pages. */
function compareMap(map) {
  const all = map.modules.flatMap((module) => module.lessons.flatMap((lesson) => lesson.pages));
  const finished = Array.from({ length: students }, (_, n) => done(shape, n)).sort(
    (one, other) => one - other,
  );
  const beyond = (page) => finished.filter((pagesDone) => pagesDone > page).length;
  // Pages are numbered by ID, which is the order of their import.
  all.forEach((page, at) => {
    if (page.visited !== beyond(at)) throw new Error(`page ${at}: ${page.visited}, not ${beyond(at)}`);
    const stopped = at === pages - 1 ? 0 : beyond(at) - beyond(at + 1);
    if (page.stopped !== stopped) throw new Error(`page ${at}: ${page.stopped} stopped, not ${stopped}`);
  });
  if (map.hardest_questions.length !== 10) throw new Error("not ten hardest questions");
}

/** What a request takes longer than another one that does a part of it. */
const difference = (whole, part) => ({ p50: whole.p50 - part.p50, p95: whole.p95 - part.p95 });

function log(message) {
  process.stderr.write(`${message}\n`);
}

const sqlite = await measure("sqlite");
const postgres = await measure("postgres");
const figure = ({ p50, p95 }) => `${p50.toFixed(1)} | ${p95.toFixed(1)}`;
const lines = Object.keys(sqlite.figures).map(
  (what) => `| ${what} | ${figure(sqlite.figures[what])} | ${figure(postgres.figures[what])} |`,
);
const report = [
  `${students} students, ${pages} pages, ${rounds} sequential requests, from sending the request to reading the whole response. The hardest questions alone are the difference of two rows.`,
  `| request | SQLite p50, ms | p95, ms | PostgreSQL p50, ms | p95, ms |\n| --- | --: | --: | --: | --: |\n${lines.join("\n")}`,
  `The query plans on SQLite:\n\n\`\`\`\n${sqlite.plans}\n\`\`\``,
  `The query plans on PostgreSQL:\n\n\`\`\`\n${postgres.plans}\n\`\`\``,
].join("\n\n");

await publish("students", report);
for (const [what, { p50 }] of [...Object.entries(sqlite.figures), ...Object.entries(postgres.figures)]) {
  const most = allowedOf[what] ?? allowed;
  if (p50 > most) throw new Error(`${what}: ${p50.toFixed(1)} ms, the goal is ${most} ms`);
}
