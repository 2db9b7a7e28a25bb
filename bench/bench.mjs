// Benchmarks of the server: the tree query, visits, startup, logins, uploads and import. Rewrites their tables in docs/performance.md.
// `make bench` runs it.
//
// The tree query is compared with static bytes: its own response served by nginx; the embedded asset closest in length, served from
// memory by the same process; and an imported image of exactly the same length, served from disk. The share shows the cost of the
// query beyond moving its bytes. A failed request or an unexpected response fails the benchmark.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { availableParallelism, cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { demoBook, rustBook } from "../scripts/books.mjs";
import { graphql, login } from "../scripts/client.mjs";
import { admin, root, Server } from "../scripts/server.mjs";
import { shapes, writeImages } from "./book.mjs";
import { bareLoad, connections, load, seconds } from "./load.mjs";
import { logins, measureLogins } from "./logins.mjs";
import { binary, memory, publish } from "./measured.mjs";
import { startNginx } from "./nginx.mjs";
import { prepareCourse } from "./tree.mjs";
import { measureUploads } from "./uploads.mjs";
import { measureVisits } from "./visits.mjs";

const run = promisify(execFile);
/** The number of alternating measurements of the tree query and nginx. */
const turns = 5;

/** Imports images of exactly these sizes in bytes and returns their URLs. */
async function prepareFiles(server, folder, sizes) {
  await writeImages(folder, sizes);
  const { course_id: id } = await server.import(folder, admin.email);
  const token = await login(server.url, admin.email, admin.password);
  const query = "query ($id: ID!) { course(id: $id) { modules { lessons { pages { content } } } } }";
  const { course } = await graphql(server.url, token, query, { id });
  const urls = JSON.stringify(course).match(/\/files\/[0-9a-f]{32}\/[^"]+/g) ?? [];
  const bySize = new Map();
  for (const url of urls) {
    const answer = await fetch(server.url + url);
    bySize.set((await answer.arrayBuffer()).byteLength, server.url + url);
  }
  return sizes.map((size) => bySize.get(size) ?? fail(`no file of ${size} bytes among ${urls.length}`));
}

/** The embedded asset that is closest in length: static bytes served from memory. */
async function nearestAsset(server, length) {
  const folder = join(root, "web/dist/assets");
  const assets = [];
  for (const name of await readdir(folder)) {
    if (!/\.(br|gz)$/.test(name)) assets.push({ name, size: (await stat(join(folder, name))).size });
  }
  const [nearest] = assets.sort((a, b) => Math.abs(a.size - length) - Math.abs(b.size - length));
  const url = `${server.url}/assets/${nearest.name}`;
  const answer = await fetch(url, { headers: { "accept-encoding": "identity" } });
  const { byteLength } = await answer.arrayBuffer();
  if (byteLength !== nearest.size) throw new Error(`${url} is ${byteLength} bytes, the file ${nearest.size}`);
  return { url, length: nearest.size };
}

/**
 * Measures the tree query and the same bytes from nginx in alternation. Returns the pair with the median share, and the minimum and
 * maximum share. A single run of each would depend too much on other work on the machine.
 */
async function byTurns(tree, nginx) {
  const all = [];
  for (let turn = 0; turn < turns; turn++) {
    const of = { lasting: Math.ceil(seconds / 2) };
    const pair = { tree: await tree(of), baseline: await nginx(of) };
    all.push({ ...pair, share: pair.tree.rps / pair.baseline.rps });
  }
  all.sort((a, b) => a.share - b.share);
  return { ...all[turns >> 1], least: all[0].share, most: all.at(-1).share };
}

async function measureTrees(database) {
  const work = await mkdtemp(join(tmpdir(), "kurso-bench-"));
  const server = await Server.start({ database, binary });
  let nginx;
  try {
    const courses = [];
    for (const pages of Object.keys(shapes).map(Number)) {
      courses.push(await prepareCourse(server, join(work, `course-${pages}`), pages));
      log(`${database}: the course of ${pages} pages is imported`);
    }
    const files = await prepareFiles(
      server,
      join(work, "files"),
      courses.map((course) => course.length),
    );
    const rows = [];
    nginx = await startNginx(Object.fromEntries(courses.map(({ pages, text }) => [`${pages}.json`, text])));
    for (const [at, course] of courses.entries()) {
      const { body, token, length } = course;
      const asked = { method: "POST", body, token, expected: length };
      const same = nginx.url(`${course.pages}.json`);
      const both = await byTurns(
        (of) => load(`${server.url}/graphql`, { ...asked, ...of }),
        (of) => load(same, { expected: length, ...of }),
      );
      const { tree, baseline } = both;
      const bare = await bareLoad(same, { lasting: Math.ceil(seconds / 2) });
      const many = await load(`${server.url}/graphql`, { ...asked, at: 64 });
      const rss = await memory(server.pid);
      const file = await load(files[at], { expected: length });
      const nearest = await nearestAsset(server, length);
      const asset = { ...(await load(nearest.url, { expected: nearest.length })), length: nearest.length };
      rows.push({ database, pages: course.pages, length, ...both, bare, many, rss, file, asset });
      log(
        `${database}: ${course.pages} pages: ${round(tree.rps)}/s; nginx ${round(baseline.rps)}/s, file ${round(file.rps)}/s, asset ${round(asset.rps)}/s`,
      );
    }
    const visits = await measureVisits(
      server,
      work,
      courses.find(({ pages }) => pages === 500),
    );
    const small = rows.find(({ pages }) => pages === 100);
    log(`${database}: visits ${round(visits.rps)}/s`);
    return { rows, visits: { database, ...visits, nginx: small.baseline } };
  } finally {
    await nginx?.stop();
    await server.stop();
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Measures a start with empty data: the time to the first response and to the end of the demo import, and the idle memory; then the
 * same for a second start on the same data.
 */
async function measureStart(database) {
  const server = await Server.start({ database, binary, settings: { KURSO_DEMO: "on" } });
  const { firstAnswer } = server;
  const answered = performance.now();
  try {
    while (!server.hasSaid("The demo course is imported")) {
      if (performance.now() - answered > 30_000) fail("the demo course did not appear");
      await sleep(5);
    }
    const demo = firstAnswer + performance.now() - answered;
    await sleep(3_000);
    const rss = await memory(server.pid);
    await server.pause();
    await server.resume();
    await sleep(3_000);
    return {
      database,
      firstAnswer,
      demo,
      rss,
      again: server.firstAnswer,
      rssAgain: await memory(server.pid),
    };
  } finally {
    await server.stop();
  }
}

/** The median time of three runs of `kurso import` on one book, including the start of the process. */
async function measureImport(database, book) {
  const server = await Server.start({ database, binary });
  try {
    const times = [];
    let counts;
    for (let round = 0; round < 3; round++) {
      const started = performance.now();
      ({ counts } = await server.import(book, admin.email));
      times.push(performance.now() - started);
    }
    return { database, counts, time: times.sort((a, b) => a - b)[1] };
  } finally {
    await server.stop();
  }
}

function fail(message) {
  throw new Error(message);
}
function log(message) {
  process.stderr.write(`${message}\n`);
}
function sleep(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
function round(number) {
  return number >= 100 ? Math.round(number) : Number(number.toPrecision(3));
}
function kilobytes(length) {
  return (length / 1000).toFixed(1);
}
function share(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
function table(head, rows) {
  return [head, head.map((_, at) => (at === 0 ? "---" : "--:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
const names = { sqlite: "SQLite", postgres: "PostgreSQL" };

const measured = [await measureTrees("sqlite"), await measureTrees("postgres")];
const trees = measured.flatMap(({ rows }) => rows);
const starts = [await measureStart("sqlite"), await measureStart("postgres")];
const loginLoads = [await measureLogins("sqlite", binary), await measureLogins("postgres", binary)];
const uploads = [await measureUploads("sqlite", binary), await measureUploads("postgres", binary)];
const imports = [];
for (const [title, book] of [
  ["the demo course", demoBook],
  ["the Russian Rust book", rustBook],
]) {
  if (!book) {
    log(
      `skipped, because the book is missing: ${title} (KURSO_TEST_COURSES names the folder of real courses)`,
    );
    continue;
  }
  for (const database of ["sqlite", "postgres"])
    imports.push({ title, ...(await measureImport(database, book)) });
}

const git = async (...args) => (await run("git", args, { cwd: root })).stdout.trim();
const dirty =
  (await git("status", "--porcelain", "--", "core", "graphql", "rest", "src", "Cargo.lock")) === ""
    ? ""
    : " with changes";
const report = [
  `Measured on ${new Date().toISOString().slice(0, 10)} with \`make bench\` at commit ${await git("rev-parse", "--short", "HEAD")}${dirty}: ${cpus()[0].model}, ` +
    `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}. ` +
    `wrk and the server share the cores; wrk runs 1 thread with ${connections} connections for ${seconds} s. ` +
    `The tree query and nginx are measured ${turns} times in alternation, for half the time each; the pair with the median share is shown.`,
  "### The tree query compared with nginx serving the same bytes",
  table(
    [
      "course",
      "response, kB",
      "tree, requests/s",
      "p50, ms",
      "p99, ms",
      "nginx, requests/s",
      "p50, ms",
      "p99, ms",
      "**share**",
      "range of shares",
      "nginx, responses unchecked, requests/s",
      "**share**",
      "64 connections, requests/s",
      "p99, ms",
      "memory under load, MB",
    ],
    trees.map(({ database, pages, length, tree, baseline, bare, share: middle, least, most, many, rss }) => [
      `${pages} pages, ${names[database]}`,
      kilobytes(length),
      ...[tree.rps, tree.p50, tree.p99, baseline.rps, baseline.p50, baseline.p99].map(round),
      `**${share(middle, 1)}**`,
      `${share(least, 1)} to ${share(most, 1)}`,
      round(bare),
      `**${share(tree.rps, bare)}**`,
      ...[many.rps, many.p99, rss].map(round),
    ]),
  ),
  "### `markPageVisited` compared with nginx serving the tree of 100 pages",
  table(
    ["database", "visits/s", "p50, ms", "p99, ms", "nginx, requests/s", "share"],
    measured.map(({ visits: { database, rps, p50, p99, nginx } }) => [
      names[database],
      ...[rps, p50, p99, nginx.rps].map(round),
      share(rps, nginx.rps),
    ]),
  ),
  "### The tree query compared with static bytes from memory",
  table(
    [
      "course",
      "response, kB",
      "tree, requests/s",
      "p50, ms",
      "p99, ms",
      "asset, kB",
      "asset, requests/s",
      "p50, ms",
      "p99, ms",
      "**share**",
    ],
    trees.map(({ database, pages, length, tree, asset }) => [
      `${pages} pages, ${names[database]}`,
      kilobytes(length),
      ...[tree.rps, tree.p50, tree.p99].map(round),
      kilobytes(asset.length),
      ...[asset.rps, asset.p50, asset.p99].map(round),
      `**${share(tree.rps * length, asset.rps * asset.length)}**`,
    ]),
  ),
  "### The tree query compared with a stored file of the same length",
  table(
    ["course", "tree, requests/s", "file, requests/s", "p50, ms", "p99, ms", "share"],
    trees.map(({ database, pages, tree, file }) => [
      `${pages} pages, ${names[database]}`,
      ...[tree.rps, file.rps, file.p50, file.p99].map(round),
      share(tree.rps, file.rps),
    ]),
  ),
  "### Startup",
  table(
    [
      "database",
      "first response with empty data, ms",
      "demo course imported, ms",
      "idle memory, MB",
      "first response of the second start, ms",
      "idle memory, MB",
    ],
    starts.map(({ database, firstAnswer, demo, rss, again, rssAgain }) => [
      names[database],
      ...[firstAnswer, demo, rss, again, rssAgain].map(round),
    ]),
  ),
  `### The tree query during ${logins} concurrent logins`,
  table(
    [
      "course",
      "alone, requests/s",
      "p50, ms",
      "during logins, requests/s",
      "p50, ms",
      "logins/s",
      "**slowdown factor**",
    ],
    loginLoads.map(({ database, alone, during, perSecond, slowdown }) => [
      `100 pages, ${names[database]}`,
      ...[alone.rps, alone.p50, during.rps, during.p50, perSecond].map(round),
      `**${slowdown.toFixed(2)}**`,
    ]),
  ),
  "### 64 concurrent uploads of 50 MB",
  table(
    ["database", "idle memory, MB", "peak above idle, MB", "total, MB/s"],
    uploads.map(({ database, rest, above, rate }) => [names[database], ...[rest, above, rate].map(round)]),
  ),
  "### `kurso import` including the start of the process, median of three",
  table(
    ["book", "database", "pages", "files", "seconds"],
    imports.map(({ title, database, counts, time }) => [
      title,
      names[database],
      counts.pages,
      counts.files,
      (time / 1000).toFixed(2),
    ]),
  ),
].join("\n\n");

await publish("server", report);
