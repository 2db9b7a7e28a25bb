// Benchmark of an announcement to a class of 2,000, on both databases: how long it takes to acknowledge one, how long until every learner has a
// notice, and what readers of pages notice of it. Rewrites its part of docs/performance.md. `make bench` runs it; `STUDENTS=50 SECONDS=2 node
// bench/announcement.mjs` tries it with few and reports nothing.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphql, login, post } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";
import { done, seed } from "./class.mjs";
import { binary, publish } from "./measured.mjs";
import { sql } from "./sql.mjs";

const { STUDENTS, SECONDS } = process.env;
const isTrial = Boolean(STUDENTS || SECONDS);
const shape = { students: Number(STUDENTS ?? 2_000), pages: 500, nth: 10 };
/** Learners who read meanwhile. */
const readers = Math.min(60, shape.students);
/** Requests of readers per second, and for how many seconds with and without announcements. */
const [rate, seconds] = [60, Number(SECONDS ?? 20)];
/** How often something is announced in that time, in milliseconds: before the notices of one are all there, there is no next one. */
const every = 5_000;
/** The goals: to acknowledge, until all notices are there, in milliseconds; the 99th percentile of readers, as a multiple of that without. */
const [acknowledged, noticed, slower] = [200, 5_000, 1.5];

const percentile = (times, part) => times.toSorted((a, b) => a - b)[Math.floor(times.length * part)];
const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));

const READ = "query ($id: ID!) { page(id: $id) { id title content course { id progress { percent } } } }";
const VISIT = `mutation ($id: ID!) { markPageVisited(input: { pageId: $id }) { page { id isVisited }
  course { id progress { percent } } } }`;
const NOTICES = "{ notices(first: 100) { items { subjectId } } }";

/** Sends requests of readers at the rate, whether earlier ones have been answered or not. Returns the time of each. */
async function read(url, visits) {
  const sent = [];
  const from = performance.now();
  for (let n = 0; n < rate * seconds; n++) {
    await pause(Math.max(0, from + (n * 1000) / rate - performance.now()));
    const { token, page } = visits[n % visits.length];
    const started = performance.now();
    const query = n % 2 === 0 ? VISIT : READ;
    const answer = post(url, "/graphql", { query, variables: { id: page } }, token);
    sent.push(
      answer.then(({ errors }) => {
        if (errors) throw new Error(JSON.stringify(errors));
        return performance.now() - started;
      }),
    );
  }
  return Promise.all(sent);
}

async function measure(database) {
  const folder = await mkdtemp(join(tmpdir(), "kurso-bench-"));
  const server = await Server.start({ database, binary });
  try {
    await writeCourse(folder, shape.pages);
    const { course_id: course } = await server.import(folder, admin.email);
    await server.pause();
    await sql(server, database, seed(database, course, shape));
    await sql(
      server,
      database,
      `UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE email_key = '${admin.email}')
       WHERE email_key LIKE 'student%';`,
    );
    await server.resume();
    process.stderr.write(`${database}: the class is inserted\n`);

    const token = await login(server.url, admin.email, admin.password);
    const tree = await graphql(
      server.url,
      token,
      "query ($id: ID!) { course(id: $id) { modules { lessons { pages { id kind } } } } }",
      { id: course },
    );
    const pages = tree.course.modules.flatMap(({ lessons }) => lessons.flatMap((lesson) => lesson.pages));
    const signIn = (n) => login(server.url, `student${n}@example.com`, admin.password);
    const least = Array.from({ length: shape.students }, (_, n) => n)
      .toSorted((a, b) => done(shape, a) - done(shape, b))
      .slice(0, readers);
    const tokens = [];
    for (const n of least) tokens.push(await signIn(n));
    const contents = pages.filter(({ kind }) => kind === "CONTENT").slice(0, 100);
    const visits = contents.flatMap(({ id }) => tokens.map((token) => ({ token, page: id })));
    // Learners are notified in the order of their enrollments, which are made at random: these are among the last.
    const watchers = tokens.slice(0, 8);

    const times = { acknowledging: [], noticing: [] };
    const announce = async (title) => {
      const content = {
        type: "doc",
        content: [{ type: "paragraph", content: [{ type: "text", text: title }] }],
      };
      const started = performance.now();
      const body = { title, content };
      const made = await post(server.url, `/api/v1/courses/create_announcement/${course}`, body, token);
      times.acknowledging.push(performance.now() - started);
      if (made.receivers !== shape.students) throw new Error(`${made.receivers} learners receive it`);
      const isNoticed = async (of) => {
        const { notices } = await graphql(server.url, of, NOTICES, {});
        return notices.items.some(({ subjectId }) => subjectId === made.id);
      };
      for (const watcher of watchers) while (!(await isNoticed(watcher))) await pause(50);
      times.noticing.push(performance.now() - started);
      return made.id;
    };

    await read(server.url, visits);
    const alone = await read(server.url, visits);
    let isOver = false;
    const announcing = (async () => {
      const made = [];
      while (!isOver) {
        const started = performance.now();
        made.push(await announce(`News ${made.length}`));
        await pause(Math.max(0, started + every - performance.now()));
      }
      return made;
    })();
    const meanwhile = await read(server.url, visits);
    isOver = true;
    const made = await announcing;
    // All notices, not only those of the watchers.
    await pause(1_000);
    const kind = await sql(server, database, "SELECT COUNT(*) FROM notices WHERE kind = 'announcement';");
    const stored = Number(String(kind ?? "").trim());
    if (stored && stored !== made.length * shape.students) throw new Error(`${stored} notices are stored`);
    return {
      announcements: made.length,
      acknowledging: Math.max(...times.acknowledging),
      noticing: Math.max(...times.noticing),
      alone: percentile(alone, 0.99),
      meanwhile: percentile(meanwhile, 0.99),
      longest: Math.max(...meanwhile),
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const results = { SQLite: await measure("sqlite"), PostgreSQL: await measure("postgres") };
const rows = {
  "acknowledging, slowest, ms": ({ acknowledging }) => acknowledging.toFixed(0),
  "until all notices are there, slowest, ms": ({ noticing }) => noticing.toFixed(0),
  "p99 of readers without announcements, ms": ({ alone }) => alone.toFixed(1),
  "p99 of readers meanwhile, ms": ({ meanwhile }) => meanwhile.toFixed(1),
  "longest request of readers meanwhile, ms": ({ longest }) => longest.toFixed(0),
};
const lines = Object.entries(rows).map(
  ([what, figure]) => `| ${what} | ${figure(results.SQLite)} | ${figure(results.PostgreSQL)} |`,
);
const report = `${shape.students} learners, ${shape.pages} pages, ${results.SQLite.announcements} announcements, one every ${every / 1000} s. ${rate} requests of readers per second for ${seconds} s, half of them visits.\n\n| | SQLite | PostgreSQL |\n| --- | --: | --: |\n${lines.join("\n")}`;
if (isTrial) {
  process.stdout.write(`${report}\n`);
} else {
  await publish("announcement", report);
  for (const [database, { acknowledging, noticing, alone, meanwhile }] of Object.entries(results)) {
    if (acknowledging > acknowledged)
      throw new Error(
        `${database}: acknowledging takes ${acknowledging.toFixed(0)} ms, the goal is ${acknowledged} ms`,
      );
    if (noticing > noticed)
      throw new Error(`${database}: notices take ${noticing.toFixed(0)} ms, the goal is ${noticed} ms`);
    if (meanwhile > slower * alone)
      throw new Error(
        `${database}: readers wait ${(meanwhile / alone).toFixed(1)} times as long, the goal is ${slower}`,
      );
  }
}
