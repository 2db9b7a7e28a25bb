// Benchmark of growth on PostgreSQL: SQL inserts visits, learners and courses up to each size; at each size the most frequent requests
// are timed, and PostgreSQL's statistics show which large tables they scanned sequentially. Prints the table of docs/scaling.md.
//
//   KURSO_POSTGRES_DURABLE=1 scripts/with-postgres.sh node bench/scale.mjs [--visits 1000000,10000000,100000000]
//
// KURSO_BIN names the binary; default: the release build.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { login, post } from "../scripts/client.mjs";
import { admin, root, Server } from "../scripts/server.mjs";

const run = promisify(execFile);
const { values } = parseArgs({ options: { visits: { type: "string", default: "1000000,10000000" } } });
const sizes = values.visits.split(",").map(Number);

/** Visits per learner, pages per course, learners per course. */
const READ = 30;
const PAGES = 100;
const CLASS = 1000;
/** The number of timed requests of each kind. */
const CALLS = 200;
/** Sequential scans of tables with at least this many rows are reported; for smaller ones a scan is faster than an index. */
const LARGE = 10_000;

const binary = process.env.KURSO_BIN ?? join(root, "target/release/kurso");
const server = await Server.start({ database: "postgres", binary });
try {
  await measure();
} finally {
  await server.stop();
}

async function measure() {
  const url = server.env.KURSO_DATABASE_URL;
  const sql = async (text) =>
    (await run("psql", [url, "-qtA", "-v", "ON_ERROR_STOP=1", "-c", text])).stdout.trim();
  await sql(`CREATE FUNCTION made(kind int, n bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS
    $$ SELECT ('0198' || lpad(to_hex(kind), 4, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$`);
  const quiz = await someQuiz(sql);
  const rows = [];
  let before = { learners: 0, courses: 0 };
  for (const size of sizes) {
    const learners = Math.ceil(size / READ);
    const courses = Math.ceil(learners / CLASS);
    const began = performance.now();
    await grow(sql, quiz, before, { learners, courses });
    before = { learners, courses };
    const seconds = (performance.now() - began) / 1000;
    process.stderr.write(`${size} visits inserted in ${seconds.toFixed(0)} s\n`);
    rows.push({
      size,
      learners,
      courses,
      ...(await calls(sql, learners)),
      ...(await bytes(sql, size, learners)),
    });
  }
  print(rows);
}

/** The stored text of a quiz, as the server writes it. */
async function someQuiz(sql) {
  const token = await login(server.url, admin.email, admin.password);
  const make = (path, body) => post(server.url, `/api/v1/courses/${path}`, body, token);
  const course = await make("create_course", { title: "Quiz" });
  const module = await make(`create_module/${course.id}`, { title: "M" });
  const lesson = await make(`create_lesson/${module.id}`, { title: "L" });
  const question = { type: "short_text", prompt: "?", accepted: ["yes"] };
  const page = await make(`create_page/${lesson.id}`, { kind: "quiz", quiz: { questions: [question] } });
  return sql(`SELECT quiz FROM page_contents WHERE page_id = '${page.id}'`);
}

/** Inserts the rows between two sizes. */
async function grow(sql, quiz, from, to) {
  const one = "SELECT id, password_hash, created_at FROM users WHERE email_key = 'admin@example.com'";
  const course = `INSERT INTO courses (id, owner_id, title, structure_version, created_at, updated_at, mark_nos)
    SELECT made(2, c), u.id, 'Course ' || c, 1, u.created_at, u.created_at, ${PAGES}`;
  const span = (a, b) => `generate_series(${a}, ${b - 1})`;
  // The replica role skips the checks of foreign keys: the generated rows satisfy them.
  await sql(`BEGIN;
    SET LOCAL session_replication_role = replica;
    INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at)
      SELECT made(1, n), 'l' || n || '@example.com', 'l' || n || '@example.com', 'Learner ' || n, u.password_hash, true, false,
      u.created_at FROM ${span(from.learners, to.learners)} n, (${one}) u;
    ${course} FROM ${span(from.courses, to.courses)} c, (${one}) u;
    INSERT INTO modules (id, course_id, title, position, created_at, updated_at)
      SELECT made(3, c), made(2, c), 'Module', 0, u.created_at, u.created_at FROM ${span(from.courses, to.courses)} c, (${one}) u;
    INSERT INTO lessons (id, module_id, course_id, title, position, created_at, updated_at)
      SELECT made(4, c * 10 + l), made(3, c), made(2, c), 'Lesson ' || l, l, u.created_at, u.created_at
      FROM ${span(from.courses, to.courses)} c, generate_series(0, 9) l, (${one}) u;
    INSERT INTO pages (id, lesson_id, course_id, title, kind, position, published, version, created_at, updated_at, mark_no)
      SELECT made(5, c * ${PAGES} + p), made(4, c * 10 + p / 10), made(2, c), 'Page ' || p, CASE WHEN p % 10 = 9 THEN 'quiz' ELSE 'content' END, p % 10, true, 1, u.created_at,
      u.created_at, p FROM ${span(from.courses, to.courses)} c, generate_series(0, ${PAGES - 1}) p, (${one}) u;
    INSERT INTO page_contents (page_id, content, quiz)
      SELECT id, '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"' || repeat('learning ', 200) || '"}]}]}',
      CASE WHEN kind = 'quiz' THEN '${quiz}' END FROM pages p WHERE NOT EXISTS (SELECT 1 FROM page_contents c WHERE c.page_id = p.id);
    INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at, marks, tries)
      SELECT made(6, n), made(2, n / ${CLASS}), made(1, n), u.created_at, u.created_at, '\\x55555d5555555505', '\\x090000000100000064'
      FROM ${span(from.learners, to.learners)} n, (${one}) u;
    INSERT INTO visits (enrollment_id, page_id, visited_at)
      SELECT made(6, n), made(5, (n / ${CLASS}) * ${PAGES} + p), u.created_at
      FROM ${span(from.learners, to.learners)} n, generate_series(0, ${READ - 1}) p, (${one}) u;
    INSERT INTO taken_quizzes (page_id, version, quiz)
      SELECT made(5, c * ${PAGES} + 9), 1, '${quiz}' FROM ${span(from.courses, to.courses)} c;
    INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, answers, results, score, max_score, percent, passed, submitted_at,
      quiz_version)
      SELECT made(7, n), made(6, n), made(5, (n / ${CLASS}) * ${PAGES} + 9), 1, '[]', '[]', 1, 1, 100, true, u.created_at, 1
      FROM ${span(from.learners, to.learners)} n, (${one}) u;
    INSERT INTO sessions (id, user_id, device, created_at, last_seen_at, expires_at)
      SELECT made(8, n), made(1, n), '', u.created_at, u.created_at, u.created_at + interval '8 days'
      FROM ${span(from.learners, to.learners)} n, (${one}) u;
    COMMIT;`);
  await sql("VACUUM ANALYZE");
}

/** The latencies of each kind of request in ms, and the large tables that were scanned sequentially. */
async function calls(sql, learners) {
  const token = await login(server.url, admin.email, admin.password);
  const some = Array.from({ length: 20 }, (_, n) => Math.floor(((n + 0.5) * learners) / 20));
  const people = [];
  for (const n of some)
    people.push({
      n,
      course: Math.floor(n / CLASS),
      token: await login(server.url, `l${n}@example.com`, admin.password),
    });
  const scans = `SELECT relname || ' ' || seq_scan FROM pg_stat_user_tables WHERE relname IN (
    SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= ${LARGE})`;
  await sql("SELECT pg_stat_reset()");
  const kinds = {
    visit: (p, n) =>
      post(
        server.url,
        `/api/v1/courses/mark_page_visited/${made(5, p.course * PAGES + READ + (n % 60))}`,
        {},
        p.token,
      ),
    course: (p) => get(`/api/v1/courses/enrolled_course/${made(2, p.course)}`, p.token),
    home: (p) => get("/api/v1/courses/my_enrolled_courses", p.token),
    page: (p, n) => get(`/api/v1/courses/enrolled_page/${made(5, p.course * PAGES + (n % READ))}`, p.token),
    students: (p) => get(`/api/v1/courses/course_students/${made(2, p.course)}?limit=50`, token),
    "heat map": (p) => get(`/api/v1/courses/course_heat_map/${made(2, p.course)}`, token),
  };
  const times = {};
  for (const [kind, call] of Object.entries(kinds)) {
    const all = [];
    for (let n = 0; n < CALLS; n += 1) {
      const began = performance.now();
      await call(people[n % people.length], n);
      all.push(performance.now() - began);
    }
    all.sort((a, b) => a - b);
    times[kind] = { p50: all[Math.floor(CALLS * 0.5)], p95: all[Math.floor(CALLS * 0.95)] };
  }
  // Backends report their statistics with a delay.
  await new Promise((done) => setTimeout(done, 1500));
  const scanned = (await sql(scans)).split("\n").filter((line) => line && !line.endsWith(" 0"));
  return { times, scanned };
}

/** The bytes on disk per visit, and per learner including the enrollment. */
async function bytes(sql, size, learners) {
  const of = async (...tables) =>
    Number(await sql(`SELECT ${tables.map((table) => `pg_total_relation_size('${table}')`).join(" + ")}`));
  return { perVisit: (await of("visits")) / size, perLearner: (await of("users", "enrollments")) / learners };
}

async function get(path, token) {
  const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** The same ID as the SQL function `made`. */
function made(kind, n) {
  const id = `0198${kind.toString(16).padStart(4, "0")}-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
  return id;
}

function print(rows) {
  const kinds = Object.keys(rows[0].times);
  const lines = [
    `| visits | learners | courses | ${kinds.map((kind) => `${kind}, ms`).join(" | ")} | sequential scans | bytes per visit | bytes per learner |`,
    `|---:|---:|---:|${kinds.map(() => "---:").join("|")}|---|---:|---:|`,
  ];
  for (const { size, learners, courses, times, scanned, perVisit, perLearner } of rows) {
    const cells = kinds.map((kind) => `${times[kind].p50.toFixed(1)} (${times[kind].p95.toFixed(1)})`);
    const found = scanned.join(", ") || "none";
    lines.push(
      `| ${[size, learners, courses, ...cells, found, perVisit.toFixed(0), perLearner.toFixed(0)].join(" | ")} |`,
    );
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}
