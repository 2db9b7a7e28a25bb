// Measures the release binary and rewrites the tables of docs/performance.md. See bench/run.sh for how to start it.
//
// The tree query is compared with static bytes: its own answer served by nginx; from the same process the embedded asset
// nearest in length, which comes from memory, and an imported image of exactly that length, which comes from the disk. So
// the share says what the query costs beyond moving its bytes. Whatever fails, or answers differently from what was verified
// beforehand, ends the run with an error.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { availableParallelism, cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { demoBook, rustBook } from "../scripts/books.mjs";
import { graphql, login } from "../scripts/client.mjs";
import { admin, root, Server } from "../scripts/server.mjs";
import { shapes, writeImages } from "./book.mjs";
import { connections, load, seconds } from "./load.mjs";
import { logins, measureLogins } from "./logins.mjs";
import { binary, memory, publish } from "./measured.mjs";
import { startNginx } from "./nginx.mjs";
import { prepareCourse } from "./tree.mjs";
import { measureUploads } from "./uploads.mjs";
import { measureVisits } from "./visits.mjs";

const run = promisify(execFile);
/** How often the tree query and nginx are measured one after the other. */
const turns = 5;

/** The addresses of images of exactly these sizes, served by the same process. */
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

/** The asset of the embedded web app that is nearest in length: static bytes that come from memory. */
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
 * The tree query and the same bytes from nginx by turns: the turn whose share is in the middle, and the least and the most.
 * One run of each says more of what the machine did meanwhile than of either.
 */
async function byTurns(tree, nginx) {
  const all = [];
  for (let turn = 0; turn < turns; turn++) {
    const of = { lasting: Math.ceil(seconds / 2) };
    const pair = { tree: await tree(of), beside: await nginx(of) };
    all.push({ ...pair, share: pair.tree.rps / pair.beside.rps });
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
      log(`${database}: the course of ${pages} pages stands`);
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
      const { tree, beside } = both;
      const many = await load(`${server.url}/graphql`, { ...asked, at: 64 });
      const rss = await memory(server.pid);
      const file = await load(files[at], { expected: length });
      const nearest = await nearestAsset(server, length);
      const asset = { ...(await load(nearest.url, { expected: nearest.length })), length: nearest.length };
      rows.push({ database, pages: course.pages, length, ...both, many, rss, file, asset });
      log(
        `${database}: ${course.pages} pages: ${round(tree.rps)}/s; nginx ${round(beside.rps)}/s, file ${round(file.rps)}/s, asset ${round(asset.rps)}/s`,
      );
    }
    const visits = await measureVisits(
      server,
      work,
      courses.find(({ pages }) => pages === 500),
    );
    const small = rows.find(({ pages }) => pages === 100);
    log(`${database}: visits ${round(visits.rps)}/s`);
    return { rows, visits: { database, ...visits, nginx: small.beside } };
  } finally {
    await nginx?.stop();
    await server.stop();
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * From the start of the process on an empty folder: to its first answer and to the demo course; its memory at rest then,
 * and after a second start on the same data.
 */
async function measureStart(database) {
  const server = await Server.start({ database, binary, settings: { KURSO_DEMO: "on" } });
  const { firstAnswer } = server;
  const answered = performance.now();
  try {
    while (!server.hasSaid("The demo course is there")) {
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

/** Median of three `kurso import` of one book, the start of the process included. */
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
const crowds = [await measureLogins("sqlite", binary), await measureLogins("postgres", binary)];
const uploads = [await measureUploads("sqlite", binary), await measureUploads("postgres", binary)];
const imports = [];
for (const [title, book] of [
  ["the demo course", demoBook],
  ["the Russian Rust book", rustBook],
]) {
  if (!book) {
    log(`not measured, for it is not at hand: ${title} (name its folder in KURSO_TEST_BOOK)`);
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
    `wrk and server share the cores; 1 thread, ${connections} connections, ${seconds} s each; ` +
    `the tree query and nginx beside it ${turns} times by turns, half as long, of which the turn in the middle stands here.`,
  "### The tree query beside nginx serving the same bytes",
  table(
    [
      "course",
      "answer, kB",
      "tree, requests/s",
      "p50, ms",
      "p99, ms",
      "nginx, requests/s",
      "p50, ms",
      "p99, ms",
      "**share**",
      "in all turns",
      "64 connections, requests/s",
      "p99, ms",
      "memory then, MB",
    ],
    trees.map(({ database, pages, length, tree, beside, share: middle, least, most, many, rss }) => [
      `${pages} pages, ${names[database]}`,
      kilobytes(length),
      ...[tree.rps, tree.p50, tree.p99, beside.rps, beside.p50, beside.p99].map(round),
      `**${share(middle, 1)}**`,
      `${share(least, 1)} to ${share(most, 1)}`,
      ...[many.rps, many.p99, rss].map(round),
    ]),
  ),
  "### `markPageVisited` beside nginx serving the tree of 100 pages",
  table(
    ["database", "visits/s", "p50, ms", "p99, ms", "nginx, requests/s", "share"],
    measured.map(({ visits: { database, rps, p50, p99, nginx } }) => [
      names[database],
      ...[rps, p50, p99, nginx.rps].map(round),
      share(rps, nginx.rps),
    ]),
  ),
  "### The tree query against static bytes from memory",
  table(
    [
      "course",
      "answer, kB",
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
  "### The tree query against a stored file of exactly the same length",
  table(
    ["course", "tree, requests/s", "file, requests/s", "p50, ms", "p99, ms", "share"],
    trees.map(({ database, pages, tree, file }) => [
      `${pages} pages, ${names[database]}`,
      ...[tree.rps, file.rps, file.p50, file.p99].map(round),
      share(tree.rps, file.rps),
    ]),
  ),
  "### Start",
  table(
    [
      "database",
      "first answer on an empty folder, ms",
      "demo course there, ms",
      "memory at rest, MB",
      "first answer of the next start, ms",
      "memory at rest, MB",
    ],
    starts.map(({ database, firstAnswer, demo, rss, again, rssAgain }) => [
      names[database],
      ...[firstAnswer, demo, rss, again, rssAgain].map(round),
    ]),
  ),
  `### The tree query beside ${logins} people who sign in again and again`,
  table(
    [
      "course",
      "alone, requests/s",
      "p50, ms",
      "beside logins, requests/s",
      "p50, ms",
      "logins/s",
      "**times slower**",
    ],
    crowds.map(({ database, alone, beside, perSecond, slower }) => [
      `100 pages, ${names[database]}`,
      ...[alone.rps, alone.p50, beside.rps, beside.p50, perSecond].map(round),
      `**${slower.toFixed(2)}**`,
    ]),
  ),
  "### 64 uploads of 50 MB at once",
  table(
    ["database", "memory at rest, MB", "at most above it, MB", "together, MB/s"],
    uploads.map(({ database, rest, above, rate }) => [names[database], ...[rest, above, rate].map(round)]),
  ),
  "### `kurso import`, the process's start included, median of three",
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
