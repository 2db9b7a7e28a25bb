// Benchmark of the grading queue: ten graders work through 1,000 essays at once, on both databases. Checks that each essay is graded once
// and that none is lost. Rewrites its part of docs/performance.md. `make bench` runs it.
//
// A thousand learners would take too long to sign up and submit: SQL inserts them while the server is stopped, as the server stores them.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphql, login } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";
import { binary, publish } from "./measured.mjs";
import { literals, sql } from "./sql.mjs";

const submissions = 1_000;
const graders = 10;
/** The goal for the 95th percentile of opening the next answer, in milliseconds. */
const allowed = 100;

const question = randomUUID();
const paragraph = (text) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});
const essay = paragraph("Потому что приливы вызывает притяжение Луны и Солнца. ".repeat(40));
const password = "long enough for a grader";

/** The SQL that makes the first page a quiz of one essay and inserts its learners with an attempt each. */
function seed(database, course, people) {
  const { id, time } = literals(database);
  const at = (n) => time(new Date(Date.UTC(2026, 8, 1) + 1000 * n));
  const quiz = JSON.stringify({
    pass_percent: 50,
    max_attempts: null,
    shuffle_questions: false,
    shuffle_options: false,
    reveal: "after_pass",
    release: "at_once",
    questions: [
      {
        id: question,
        type: "essay",
        prompt: paragraph("Отчего бывают приливы?"),
        points: 10,
        explanation: null,
        min_words: null,
        max_words: null,
        guide: null,
      },
    ],
  });
  const answers = JSON.stringify([{ question_id: question, content: essay }]);
  const results = JSON.stringify([
    { question_id: question, points: 0, max_points: 10, correct: false, is_waiting: true },
  ]);
  const rows = Array.from({ length: submissions }, (_, n) => ({
    n,
    user: randomUUID(),
    enrollment: randomUUID(),
    attempt: randomUUID(),
  }));
  const list = (row) => rows.map((each) => `(${row(each)})`).join(",\n");
  const page = `(SELECT id FROM pages WHERE course_id = ${id(course)} ORDER BY id LIMIT 1)`;
  const version = `(SELECT version FROM pages WHERE course_id = ${id(course)} ORDER BY id LIMIT 1)`;
  return `
BEGIN;
UPDATE pages SET kind = 'quiz', mark_no = 0 WHERE id = ${page};
UPDATE page_contents SET quiz = '${quiz}' WHERE page_id = ${page};
UPDATE courses SET mark_nos = 1, structure_version = structure_version + 1 WHERE id = ${id(course)};
INSERT INTO taken_quizzes (page_id, version, quiz) VALUES (${page}, ${version}, '${quiz}');
INSERT INTO users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at) VALUES
${list(({ n, user }) => `${id(user)}, 'student${n}@example.com', 'student${n}@example.com', 'Студент ${n}', '-', TRUE, FALSE, ${at(n)}`)};
INSERT INTO enrollments (id, course_id, user_id, enrolled_at, last_activity_at) VALUES
${list(({ n, user, enrollment }) => `${id(enrollment)}, ${id(course)}, ${id(user)}, ${at(n)}, ${at(n)}`)};
INSERT INTO attempts (id, enrollment_id, page_id, attempt_no, quiz_version, answers, results, score, max_score, percent, passed,
  submitted_at, waiting) VALUES
${list(({ n, enrollment, attempt }) => `${id(attempt)}, ${id(enrollment)}, ${page}, 1, ${version}, '${answers}', '${results}', 0, 10, 0, FALSE, ${at(n)}, 1`)};
INSERT INTO open_answers (attempt_id, question_id, course_id, page_id, user_id, number, max_points, submitted_at, state, version) VALUES
${list(({ n, user, attempt }) => `${id(attempt)}, ${id(question)}, ${id(course)}, ${page}, ${id(user)}, 1, 100000, ${at(n)}, 'waiting', 0`)};
INSERT INTO collaborators (course_id, user_id, role, created_at) VALUES
${people.map((person) => `(${id(course)}, ${id(person)}, 'teacher', ${at(0)})`).join(", ")};
COMMIT;
`;
}

const next = `mutation ($i: ClaimNextAnswerInput!) { claimNextAnswer(input: $i) { answer { attemptId questionId version student { fullName }
  prompt guide content words files { id } points maxPoints comment history { version points comment by { fullName } at } } } }`;
const assess = `mutation ($i: AssessAnswerInput!) { assessAnswer(input: $i) { answer { state } conflict { message } } }`;

/** Grades answers until none is left. Returns the time of each request for the next one, and how many were graded and in conflict. */
async function grade(server, course, token) {
  const found = { times: [], graded: [], conflicts: 0 };
  for (;;) {
    const started = performance.now();
    const { claimNextAnswer } = await graphql(server.url, token, next, { i: { courseId: course } });
    const { answer } = claimNextAnswer;
    if (!answer) return found;
    found.times.push(performance.now() - started);
    const { attemptId, questionId, version } = answer;
    const input = { attemptId, questionId, version, points: found.graded.length % 11, comment: "Хорошо" };
    const { assessAnswer } = await graphql(server.url, token, assess, { i: input });
    if (assessAnswer.conflict) found.conflicts++;
    else found.graded.push(attemptId);
  }
}

async function measure(database) {
  const folder = await mkdtemp(join(tmpdir(), "kurso-bench-"));
  const server = await Server.start({ database, binary });
  try {
    await writeCourse(folder, 100);
    const { course_id: course } = await server.import(folder, admin.email);
    const token = await login(server.url, admin.email, admin.password);
    const people = [];
    for (let n = 0; n < graders; n++) {
      const answer = await fetch(`${server.url}/api/v1/users/`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ email: `grader${n}@example.com`, password, full_name: `Проверяющий ${n}` }),
      });
      if (answer.status !== 200) throw new Error(`a grader: ${answer.status} ${await answer.text()}`);
      people.push((await answer.json()).id);
    }
    await server.pause();
    await sql(server, database, seed(database, course, people));
    await server.resume();
    const tokens = [];
    for (let n = 0; n < graders; n++)
      tokens.push(await login(server.url, `grader${n}@example.com`, password));

    const started = performance.now();
    const all = await Promise.all(tokens.map((token) => grade(server, course, token)));
    const seconds = (performance.now() - started) / 1000;
    const graded = all.flatMap((one) => one.graded);
    if (graded.length !== submissions || new Set(graded).size !== submissions)
      throw new Error(`${graded.length} assessments of ${new Set(graded).size} answers, not ${submissions}`);
    await server.pause();
    const count = (where) => sql(server, database, `SELECT COUNT(*) FROM ${where};`);
    const stored = [
      await count("assessments"),
      await count("open_answers WHERE state = 'released' AND version = 1"),
      await count("attempts WHERE waiting = 0"),
    ];
    if (stored.some((rows) => Number(rows) !== submissions)) throw new Error(`stored: ${stored}`);
    const times = all.flatMap((one) => one.times).sort((a, b) => a - b);
    return {
      p50: times[Math.floor(times.length / 2)],
      p95: times[Math.floor(times.length * 0.95)],
      perSecond: submissions / seconds,
      conflicts: all.reduce((sum, one) => sum + one.conflicts, 0),
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const figures = { SQLite: await measure("sqlite"), PostgreSQL: await measure("postgres") };
const line = ([name, { p50, p95, perSecond, conflicts }]) =>
  `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${perSecond.toFixed(0)} | ${conflicts} |`;
await publish(
  "grading",
  `${graders} graders, ${submissions} essays of ${40 * 8} words; each grader asks for the next answer and grades it at once. Each answer was graded once.

| database | next answer p50, ms | p95, ms | answers graded per second | conflicts |
| --- | --: | --: | --: | --: |
${Object.entries(figures).map(line).join("\n")}`,
);
for (const [name, { p95 }] of Object.entries(figures))
  if (p95 > allowed) throw new Error(`${name}: p95 ${p95.toFixed(1)} ms, the goal is ${allowed} ms`);
