// Benchmark of the class list, the heat map and the details of one student, for a class of 2,000 in a course of 500 pages, on both
// databases. Rewrites its part of docs/performance.md. `make bench` runs it.
//
// Creating a million visits through the API would take too long: SQL inserts the class while the server is stopped, including the
// progress bitmaps and attempt counts as the server stores them. The responses for every student and every page are then
// compared with the inserted data.
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { login, post } from "../scripts/client.mjs";
import { admin, root, Server } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";
import { binary, publish } from "./measured.mjs";
import { literals, sql } from "./sql.mjs";

const students = 2_000;
const pages = 500;
const rounds = Number(process.env.BENCH_ROUNDS ?? 200);
/** The goal for the median of a request, in milliseconds. */
const allowed = 30;
/** The goals of the requests that aggregate the whole class. */
const allowedOf = {
  "heat map": 60,
  "100 of the gradebook by name": 60,
  "100 of the gradebook by grade": 60,
  "100 of the gradebook by grade over GraphQL": 60,
  "heat map with hardest questions": 300,
};

const surnames = ["Иванов", "Петрова", "Сидоров", "Кузнецова", "Ёлкин", "Смирнова", "Попов", "Фёдорова"];
const names = ["Анна", "Борис", "Вера", "Глеб", "Дарья", "Егор", "Жанна", "Захар", "Инна"];

/** The number of pages that student `n` has completed, in page order. Every tenth page is a quiz. */
const done = (n) => 250 + ((n * 37) % 251);
const isQuiz = (page) => page % 10 === 9;

/** The stored progress bitmap as hex. Bit 2n: page n is visited; bit 2n + 1: its quiz is passed. */
function marks(n) {
  const bytes = Buffer.alloc(Math.ceil((2 * done(n)) / 8));
  for (let page = 0; page < done(n); page++) {
    bytes[(2 * page) >> 3] |= 1 << ((2 * page) & 7);
    if (isQuiz(page)) bytes[(2 * page + 1) >> 3] |= 1 << ((2 * page + 1) & 7);
  }
  return bytes.toString("hex");
}

/**
 * Whether the student's first attempt at the quiz fails: two in seven, different quizzes for each student. The average of the first
 * question of each quiz is thus 71 %; questions above 80 % are not listed as hard.
 */
const failsFirst = (n, page) => (n + page) % 7 < 2;

/** The stored attempt counts as hex, nine bytes per attempted quiz: page number, number of attempts, best percent. */
function tries(n) {
  const quizzes = Array.from({ length: done(n) }, (_, page) => page).filter(isQuiz);
  const bytes = Buffer.alloc(9 * quizzes.length);
  quizzes.forEach((page, at) => {
    bytes.writeUInt32LE(page, 9 * at);
    bytes.writeUInt32LE(failsFirst(n, page) ? 2 : 1, 9 * at + 4);
    bytes.writeUInt8(100, 9 * at + 8);
  });
  return bytes.toString("hex");
}

/** The SQL that inserts the class; the databases differ in the literals of IDs, bytes and times. */
function seed(database, course) {
  const { bytes, id, time: instant } = literals(database);
  const time = (second) => instant(new Date(Date.UTC(2026, 8, 1) + 1000 * second));
  const questions = [randomUUID(), randomUUID(), randomUUID()];
  const prompt = {
    type: "doc",
    content: [
      {
        type: "paragraph",
        content: [{ type: "text", text: "Сколько будет?" }],
      },
    ],
  };
  const quiz = JSON.stringify({
    pass_percent: 70,
    max_attempts: null,
    shuffle_questions: false,
    shuffle_options: false,
    reveal: "after_pass",
    questions: questions.map((id) => ({
      id,
      type: "short_text",
      prompt,
      points: 1,
      explanation: null,
      accepted: ["да"],
      case_sensitive: false,
      regex: null,
    })),
  });
  const answers = JSON.stringify(questions.map((question_id) => ({ question_id, text: "да" })));
  const results = (right) =>
    JSON.stringify(
      questions.map((question_id, at) => ({
        question_id,
        points: right || at > 0 ? 1 : 0,
        max_points: 1,
        correct: right || at > 0,
      })),
    );
  const newId =
    database === "sqlite" ? "randomblob(16)" : "gen_random_uuid()"; /* attempts need no time-ordered ID */

  const rows = Array.from({ length: students }, (_, n) => ({
    n,
    user: randomUUID(),
    enrollment: randomUUID(),
  }));
  const list = (row) => rows.map((each) => `(${row(each)})`).join(",\n");
  const where = `course_id = ${id(course)}`;
  return `
BEGIN;
INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at) VALUES
${list(({ n, user }) => `${id(user)}, 'student${n}@example.com', 'student${n}@example.com', '${surnames[n % 8]} ${names[n % 9]} ${n}', '-', TRUE, FALSE, ${time(n)}`)};
INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at, marks, tries) VALUES
${list(({ n, user, enrollment }) => `${id(enrollment)}, ${id(course)}, ${id(user)}, ${time(n)}, ${time(100_000 + ((n * 7919) % 50_000))}, ${bytes(marks(n))}, ${bytes(tries(n))}`)};
CREATE TEMPORARY TABLE seeded (enrollment_id UUID NOT NULL, done BIGINT NOT NULL, n BIGINT NOT NULL);
INSERT INTO seeded VALUES ${list(({ n, enrollment }) => `${id(enrollment)}, ${done(n)}, ${n}`)};
UPDATE pages SET mark_no = fresh.mark_no, kind = CASE WHEN fresh.mark_no % 10 = 9 THEN 'quiz' ELSE 'content' END
FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) - 1 AS mark_no FROM pages WHERE ${where}) fresh WHERE pages.id = fresh.id;
UPDATE page_contents SET quiz = '${quiz}' WHERE page_id IN (SELECT id FROM pages WHERE ${where} AND kind = 'quiz');
UPDATE courses SET mark_nos = ${pages}, structure_version = structure_version + 1 WHERE id = ${id(course)};
INSERT INTO visits (enrollment_id, page_id, visited_at)
SELECT s.enrollment_id, p.id, ${time(100_000)} FROM seeded s JOIN pages p ON p.mark_no < s.done WHERE p.${where};
INSERT INTO taken_quizzes (page_id, version, quiz) SELECT id, version, '${quiz}' FROM pages WHERE ${where} AND kind = 'quiz';
INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent, passed,
  submitted_at)
SELECT ${newId}, s.enrollment_id, p.id, 1, p.version, '${answers}',
  CASE WHEN (s.n + p.mark_no) % 7 < 2 THEN '${results(false)}' ELSE '${results(true)}' END,
  CASE WHEN (s.n + p.mark_no) % 7 < 2 THEN 2 ELSE 3 END, 3, CASE WHEN (s.n + p.mark_no) % 7 < 2 THEN 66 ELSE 100 END,
  (s.n + p.mark_no) % 7 >= 2, ${time(100_000)}
FROM seeded s JOIN pages p ON p.mark_no < s.done WHERE p.kind = 'quiz' AND p.${where};
INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent, passed,
  submitted_at)
SELECT ${newId}, s.enrollment_id, p.id, 2, p.version, '${answers}', '${results(true)}', 3, 3, 100, TRUE, ${time(100_001)}
FROM seeded s JOIN pages p ON p.mark_no < s.done WHERE p.kind = 'quiz' AND (s.n + p.mark_no) % 7 < 2 AND p.${where};
COMMIT;
ANALYZE;
`;
}

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
    "hardest questions": `${firstAttempts.replace("$1", id(course))}${ofSample}4${bounded}${16 << 20}`,
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
    await sql(server, database, seed(database, course));
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
      if (percent !== Math.floor((done(n) * 100) / pages)) throw new Error(`${user.email} has ${percent} %`);
    }
    const enrollments = all.slice(0, 100).map((student) => student.enrollment_id);
    const best = (await get(`/course_students/${course}?sort=-percent&limit=1`)).data[0];
    const detail = await get(`/student_detailed_progress/${best.enrollment_id}`);
    if (detail.progress.percent !== best.percent) throw new Error("the list and the detail differ");
    const attempts = detail.modules.flatMap((module) =>
      module.lessons.flatMap((lesson) => lesson.pages.flatMap((page) => page.attempts)),
    ).length;

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
      [`details of one student, ${attempts} attempts`]: () =>
        get(`/student_detailed_progress/${best.enrollment_id}`),
    };
    const figures = {};
    for (const [what, call] of Object.entries(calls)) figures[what] = await time(call);
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
  const finished = Array.from({ length: students }, (_, n) => done(n)).sort((one, other) => one - other);
  const beyond = (page) => finished.filter((pagesDone) => pagesDone > page).length;
  // Pages are numbered by ID, which is the order of their import.
  all.forEach((page, at) => {
    if (page.visited !== beyond(at)) throw new Error(`page ${at}: ${page.visited}, not ${beyond(at)}`);
    const stopped = at === pages - 1 ? 0 : beyond(at) - beyond(at + 1);
    if (page.stopped !== stopped) throw new Error(`page ${at}: ${page.stopped} stopped, not ${stopped}`);
  });
  if (map.hardest_questions.length !== 10) throw new Error("not ten hardest questions");
}

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
  `${students} students, ${pages} pages, ${rounds} sequential requests, from sending the request to reading the whole response.`,
  `| request | SQLite p50, ms | p95, ms | PostgreSQL p50, ms | p95, ms |\n| --- | --: | --: | --: | --: |\n${lines.join("\n")}`,
  `The query plans on SQLite:\n\n\`\`\`\n${sqlite.plans}\n\`\`\``,
  `The query plans on PostgreSQL:\n\n\`\`\`\n${postgres.plans}\n\`\`\``,
].join("\n\n");

await publish("students", report);
for (const [what, { p50 }] of [...Object.entries(sqlite.figures), ...Object.entries(postgres.figures)]) {
  const most = allowedOf[what] ?? allowed;
  if (p50 > most) throw new Error(`${what}: ${p50.toFixed(1)} ms, the goal is ${most} ms`);
}
