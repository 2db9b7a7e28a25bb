// Benchmark of the consequences of a changed quiz, for a class of 2,000 in a course of 500 pages with 75,000 attempts, on both databases: every
// result of the quiz changes, and the progress of nearly all learners. Learners read and visit pages at the same time. At the end it publishes with
// regrading and undoes the regrade. Rewrites its part of docs/performance.md. `make bench` runs it.
import { post } from "../scripts/client.mjs";
import { forgetMost, memory, publish } from "./measured.mjs";
import { percentile, read, withClass } from "./readers.mjs";

const shape = { students: 2_000, pages: 500, nth: 10 };
/** Learners who read meanwhile. */
const readers = 60;
/** Requests of readers per second, and for how many seconds with and without consequences. */
const [rate, seconds] = [60, 20];
/** How often consequences are asked for in that time, in milliseconds. */
const every = 4_000;
/** The goal for the slowest consequences, in milliseconds. */
const allowed = 2_000;
/** The goal for the 99th percentile of readers, as a multiple of that without consequences. */
const slower = 2;

const measure = (database) =>
  withClass({ database, shape, readers }, async ({ server, course, token, pages, tokens, haveRead }) => {
    // Visits of pages that are new to their readers.
    const fresh = pages.slice(haveRead).filter(({ kind }) => kind === "CONTENT");
    const visits = fresh.flatMap(({ id }) => tokens.map((token) => ({ token, page: id })));

    const quiz = pages.find(({ kind }) => kind === "QUIZ").id;
    const authorize = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const stored = await (
      await fetch(`${server.url}/api/v1/courses/get_page/${quiz}`, { headers: authorize })
    ).json();
    const changed = structuredClone(stored.quiz);
    changed.questions[0].accepted = ["нет"];
    const saved = await fetch(`${server.url}/api/v1/courses/update_page/${quiz}`, {
      method: "PUT",
      headers: authorize,
      body: JSON.stringify({ quiz: changed, draft: true }),
    });
    if (saved.status !== 200) throw new Error(`the draft: ${saved.status} ${await saved.text()}`);
    const { version } = await saved.json();
    const plan = {
      pages: [{ page_id: quiz, version, page_version: stored.version }],
      past_attempts: "regrade",
    };
    const ask = () => post(server.url, `/api/v1/courses/consequences/${course}`, plan, token);

    const found = await ask();
    if (found.affected !== shape.students) throw new Error(`${found.affected} learners are affected`);
    const times = [];
    for (let n = 0; n < 5; n++) {
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }

    const readFresh = () => read(server.url, visits.splice(0, rate * seconds), rate);
    await readFresh();
    const alone = await readFresh();
    await forgetMost(server.pid);
    const before = await memory(server.pid);
    const asking = setInterval(() => {
      const started = performance.now();
      ask().then(() => times.push(performance.now() - started));
    }, every);
    const meanwhile = await readFresh();
    clearInterval(asking);
    const more = (await memory(server.pid, "VmHWM")) - before;

    let started = performance.now();
    const { digest } = await ask();
    const published = await post(
      server.url,
      `/api/v1/courses/publish_page_drafts/${course}`,
      { ...plan, digest },
      token,
    );
    const publishing = performance.now() - started;
    if (published.regrade.attempts !== found.regraded_attempts) throw new Error("others were regraded");
    started = performance.now();
    const undone = await post(server.url, `/api/v1/courses/undo_regrade/${published.regrade.id}`, {}, token);
    if (undone.left !== 0) throw new Error(`${undone.left} results were left`);
    return {
      attempts: found.regraded_attempts,
      slowest: Math.max(...times),
      median: percentile(times, 0.5),
      publishing,
      undoing: performance.now() - started,
      alone: percentile(alone, 0.99),
      meanwhile: percentile(meanwhile, 0.99),
      longest: Math.max(...meanwhile),
      more,
    };
  });

const results = { SQLite: await measure("sqlite"), PostgreSQL: await measure("postgres") };
const rows = {
  "consequences, median, ms": ({ median }) => median.toFixed(0),
  "consequences, slowest, ms": ({ slowest }) => slowest.toFixed(0),
  "consequences and publishing with regrading, ms": ({ publishing }) => publishing.toFixed(0),
  "undoing, ms": ({ undoing }) => undoing.toFixed(0),
  "p99 of readers without consequences, ms": ({ alone }) => alone.toFixed(1),
  "p99 of readers meanwhile, ms": ({ meanwhile }) => meanwhile.toFixed(1),
  "longest request of readers meanwhile, ms": ({ longest }) => longest.toFixed(0),
  "most memory beyond that before, MB": ({ more }) => more.toFixed(0),
};
const lines = Object.entries(rows).map(
  ([what, figure]) => `| ${what} | ${figure(results.SQLite)} | ${figure(results.PostgreSQL)} |`,
);
await publish(
  "consequences",
  `${shape.students} learners, ${shape.pages} pages, ${results.SQLite.attempts} attempts at the changed quiz. ${rate} requests of readers per second for ${seconds} s, half of them visits; consequences are asked for every ${every / 1000} s.\n\n| | SQLite | PostgreSQL |\n| --- | --: | --: |\n${lines.join("\n")}`,
);
for (const [database, { slowest, alone, meanwhile }] of Object.entries(results)) {
  if (slowest > allowed) throw new Error(`${database}: ${slowest.toFixed(0)} ms, the goal is ${allowed} ms`);
  if (meanwhile > slower * alone)
    throw new Error(
      `${database}: readers wait ${(meanwhile / alone).toFixed(1)} times as long, the goal is ${slower}`,
    );
}
