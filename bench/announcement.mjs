// Benchmark of an announcement to a class of 2,000, on both databases: how long it takes to acknowledge one, how long until every learner has a
// notice, and what readers of pages notice of it. Rewrites its part of docs/performance.md. `make bench` runs it; `STUDENTS=50 SECONDS=2 node
// bench/announcement.mjs` tries it with few and reports nothing.
import { post } from "../scripts/client.mjs";
import { publish } from "./measured.mjs";
import { pause, percentile, read, withClass } from "./readers.mjs";
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

const measure = (database) =>
  withClass({ database, shape, readers }, async ({ server, course, token, pages, tokens }) => {
    const contents = pages.filter(({ kind }) => kind === "CONTENT").slice(0, 100);
    const visits = contents.flatMap(({ id }) => tokens.map((token) => ({ token, page: id })));
    const countNotices = async () =>
      Number(await sql(server, database, "SELECT COUNT(*) FROM notices WHERE kind = 'announcement';"));

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
      const expected = shape.students * times.acknowledging.length;
      while ((await countNotices()) < expected) await pause(50);
      times.noticing.push(performance.now() - started);
    };

    const readSome = () => read(server.url, visits.splice(0, rate * seconds), rate);
    await readSome();
    const alone = await readSome();
    let isOver = false;
    const announcing = (async () => {
      while (!isOver) {
        const started = performance.now();
        await announce(`News ${times.noticing.length}`);
        await pause(Math.max(0, started + every - performance.now()));
      }
    })();
    const meanwhile = await readSome();
    isOver = true;
    await announcing;
    const stored = await countNotices();
    const announcements = times.noticing.length;
    if (stored !== announcements * shape.students) throw new Error(`${stored} notices are stored`);
    return {
      announcements,
      acknowledging: Math.max(...times.acknowledging),
      noticing: Math.max(...times.noticing),
      alone: percentile(alone, 0.99),
      meanwhile: percentile(meanwhile, 0.99),
      longest: Math.max(...meanwhile),
    };
  });

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
