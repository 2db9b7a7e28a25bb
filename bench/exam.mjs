// Benchmark of an exam on both databases: a class starts one quiz with a time limit within ten seconds, and each learner saves an answer every
// five seconds. Checks that every acknowledged answer is graded. Rewrites its part of docs/performance.md. `make bench` runs it.
//
// The class is inserted with SQL while the server is paused, because creating and enrolling it over the API would take too long.
import { randomUUID } from "node:crypto";
import { login, post } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { binary, publish } from "./measured.mjs";
import { literals, sql } from "./sql.mjs";

const learners = 500;
const questions = 30;
const startWithin = 10_000;
const saveEvery = 5_000;
const limit = 90;
const grace = 5;
/** The goal for the 99th percentile of saving an answer, in milliseconds. */
const allowed = 100;
/** How long the server may take to grade the whole class after the grace period, in milliseconds. */
const gradedWithin = 30_000;

/** Creates the course with its quiz and returns the IDs of both and of the questions. */
async function prepare(url, token) {
  const make = (path, body) => post(url, `/api/v1/courses/${path}`, body, token);
  const { id: course } = await make("create_course", { title: "Экзамен" });
  const module = await make(`create_module/${course}`, { title: "Экзамен" });
  const lesson = await make(`create_lesson/${module.id}`, { title: "Экзамен" });
  const question = {
    type: "single_choice",
    prompt: "Что вызывает приливы?",
    options: ["Луна и Солнце", "ветер", "вращение Земли", "землетрясения"].map((content, n) => ({
      content,
      correct: n === 0,
    })),
  };
  const quiz = {
    time_limit_seconds: limit,
    grace_seconds: grace,
    max_attempts: 1,
    shuffle_options: true,
    questions: Array.from({ length: questions }, () => question),
  };
  const page = await make(`create_page/${lesson.id}`, { kind: "quiz", published: true, quiz });
  return { course, page: page.id, asked: page.quiz.questions };
}

/** The SQL that inserts the class: accounts with the admin's password, enrolled in the course. */
function seed(database, course) {
  const { id, time } = literals(database);
  const at = time(new Date(Date.UTC(2026, 8, 1)));
  const rows = Array.from({ length: learners }, (_, n) => ({ n, user: randomUUID() }));
  const account = ({ n, user }) =>
    `SELECT ${id(user)}, 'l${n}@example.com', 'l${n}@example.com', 'Ученик ${n}', password_hash, TRUE, FALSE, ${at}
     FROM users WHERE email_key = 'admin@example.com'`;
  const enrolled = ({ user }) => `(${id(randomUUID())}, ${id(course)}, ${id(user)}, ${at}, ${at})`;
  return `
BEGIN;
${rows
  .map(
    (
      row,
    ) => `INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at)
${account(row)};`,
  )
  .join("\n")}
INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES
${rows.map(enrolled).join(",\n")};
COMMIT;
`;
}

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, Math.max(0, milliseconds)));

/** Takes the exam as one learner: starts it at the time `from`, saves an answer every five seconds until the time is nearly over, and returns the points. */
async function takeExam(url, { page, asked }, token, from, times) {
  await sleep(from - performance.now());
  const sent = performance.now();
  const { attempt } = await post(url, `/api/v1/courses/start_attempt/${page}`, {}, token);
  times.starts.push(performance.now() - sent);
  let points = 0;
  const saves = Math.floor((limit * 1000) / saveEvery) - 1;
  for (let n = 0; n < saves; n++) {
    const due = sent + (n + 1) * saveEvery;
    await sleep(due - performance.now());
    const { id, options } = asked[n % questions];
    const isRight = Math.random() < 0.7;
    const option = options.find(({ correct }) => correct === isRight);
    const started = performance.now();
    const answer = await fetch(`${url}/api/v1/courses/save_answers/${page}`, {
      method: "PUT",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({
        ticket: attempt.ticket,
        elapsed_seconds: (started - sent) / 1000,
        answers: [{ question_id: id, option_ids: [option.id] }],
      }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`save_answers: ${answer.status}`);
    times.saves.push(performance.now() - started);
    points += isRight ? 1 : 0;
  }
  return points;
}

async function measure(database) {
  const server = await Server.start({ database, binary });
  try {
    const token = await login(server.url, admin.email, admin.password);
    const exam = await prepare(server.url, token);
    await server.pause();
    await sql(server, database, seed(database, exam.course));
    await server.resume();
    const tokens = [];
    for (let n = 0; n < learners; n++)
      tokens.push(await login(server.url, `l${n}@example.com`, admin.password));

    const times = { starts: [], saves: [] };
    const now = performance.now() + 100;
    const started = tokens.map((token, n) =>
      takeExam(server.url, exam, token, now + (n * startWithin) / learners, times),
    );
    const points = (await Promise.all(started)).reduce((sum, one) => sum + one, 0);
    const last = now + startWithin + (limit + grace) * 1000;
    await sleep(last + gradedWithin - performance.now());
    await server.pause();
    const ended = await sql(
      server,
      database,
      "SELECT COUNT(*) || ' ' || CAST(SUM(score) AS INTEGER) FROM attempts;",
    );
    if (ended !== `${learners} ${points}`)
      throw new Error(`attempts and points: ${ended}, not ${learners} ${points}`);
    return { starts: sorted(times.starts), saves: sorted(times.saves) };
  } finally {
    await server.stop();
  }
}

const sorted = (times) => times.sort((a, b) => a - b);
const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];

const figures = { SQLite: await measure("sqlite"), PostgreSQL: await measure("postgres") };
const cells = (times, shares) => shares.map((share) => at(times, share).toFixed(1));
const line = ([name, { starts, saves }]) =>
  `| ${[name, ...cells(starts, [0.5, 0.99]), ...cells(saves, [0.5, 0.99, 1])].join(" | ")} |`;
await publish(
  "exam",
  `${learners} learners start a quiz of ${questions} questions within ${startWithin / 1000} s; each saves an answer every ${saveEvery / 1000} s, ${figures.SQLite.saves.length} saves in all. The server ended every attempt, and every acknowledged answer counts.

| database | start p50, ms | start p99, ms | save p50, ms | save p99, ms | save max, ms |
| --- | --: | --: | --: | --: | --: |
${Object.entries(figures).map(line).join("\n")}`,
);
for (const [name, { saves }] of Object.entries(figures))
  if (at(saves, 0.99) > allowed)
    throw new Error(`${name}: p99 ${at(saves, 0.99).toFixed(1)} ms, the goal is ${allowed} ms`);
