// Runs Lighthouse with its default phone profile on the most visited screens. Rewrites its part of docs/performance.md. `make bench`
// runs it. Fails when a score misses its goal.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse from "lighthouse";
import { demoBook } from "../scripts/books.mjs";
import { chromiumPath } from "../scripts/chromium.mjs";
import { graphql, login, post } from "../scripts/client.mjs";
import { admin, root, Server } from "../scripts/server.mjs";
import { binary, publish } from "./measured.mjs";

const { chromium } = createRequire(join(root, "web/package.json"))("@playwright/test");

const runs = Number(process.env.BENCH_RUNS ?? 3);
/** Of the web app, whose screens no search engine may read. */
const appGoals = { performance: 95, accessibility: 100, "best-practices": 100 };
/** Of the pages that the server renders for visitors. */
const pageGoals = { performance: 100, accessibility: 100, "best-practices": 100, seo: 100 };
/** The most bytes of scripts that such a page may load. */
const PAGE_SCRIPTS = 60 * 1024;
const figures = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
];

/**
 * Creates a learner of the demo course who has read its first pages, and makes the course public. Returns the token, the longest page and the course,
 * which are measured.
 */
async function prepare(server) {
  const course = await server.import(demoBook, admin.email);
  const learner = { email: "anna@example.com", password: "correct-horse-battery" };
  await post(server.url, "/api/v1/users/signup", { ...learner, full_name: "Иванова Анна Петровна" });
  const token = await login(server.url, learner.email, learner.password);
  await post(server.url, "/api/v1/courses/enroll", { share_code: course.share_code }, token);
  const query = "query ($id: ID!) { course(id: $id) { modules { lessons { pages { id kind content } } } } }";
  const { course: tree } = await graphql(server.url, token, query, { id: course.course_id });
  const pages = tree.modules.flatMap((module) => module.lessons.flatMap((lesson) => lesson.pages));
  for (const { id } of pages.slice(0, 3))
    await post(server.url, `/api/v1/courses/mark_page_visited/${id}`, {}, token);
  const owner = await login(server.url, admin.email, admin.password);
  const show =
    "mutation ($id: ID!) { setVisibility(input: { courseId: $id, visibility: PUBLIC }) { course { id } } }";
  await graphql(server.url, owner, show, { id: course.course_id });
  const length = ({ content }) => JSON.stringify(content ?? "").length;
  const [longest] = pages.toSorted((a, b) => length(b) - length(a));
  return { token, longest: longest.id, course: course.course_id };
}

/** Starts a browser with a new profile, signed in if there is a token. Returns the debugging port for Lighthouse. */
async function startBrowser(server, token) {
  const profile = await mkdtemp(join(tmpdir(), "kurso-lighthouse-"));
  const child = spawn(
    chromiumPath(),
    [
      "--headless=new",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "about:blank",
    ],
    { stdio: "ignore" },
  );
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const port = await portOf(profile);
    if (token) await signIn(server, port, token);
    return { port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for the debugging port that Chromium chooses at its start. */
async function portOf(profile) {
  const started = performance.now();
  while (performance.now() - started < 30_000) {
    const text = await readFile(join(profile, "DevToolsActivePort"), "utf8").catch(() => "");
    const port = Number(text.split("\n")[0]);
    if (port > 0) return port;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("Chromium did not open its debugging port");
}

/** Stores the token without loading the app, so that the cache stays empty: the visited URL is an API route. */
async function signIn(server, port, token) {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const page = await browser.contexts()[0].newPage();
  await page.goto(`${server.url}/api/v1/utils/health-check/`);
  await page.evaluate((token) => localStorage.setItem("access_token", token), token);
  await page.close();
  await browser.close();
}

/** Retries up to twice when the trace has no navigation start, which happens on a busy machine. */
async function measured(server, screen) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await measure(server, screen);
    } catch (error) {
      if (attempt === 3 || !/NO_NAVSTART/.test(error.message)) throw error;
    }
  }
}

async function measure(server, { path, token, goals }) {
  const { port, stop } = await startBrowser(server, token);
  try {
    const { lhr } = await lighthouse(server.url + path, {
      port,
      logLevel: "error",
      onlyCategories: Object.keys(goals),
      // Otherwise Lighthouse deletes the token.
      disableStorageReset: true,
    });
    if (lhr.runtimeError) throw new Error(`${path}: ${lhr.runtimeError.code} ${lhr.runtimeError.message}`);
    const shown = new URL(lhr.finalDisplayedUrl).pathname;
    if (shown !== path) throw new Error(`${path} led to ${shown}`);
    const loaded = lhr.audits["network-requests"].details.items;
    const scripts = loaded.filter(({ resourceType }) => resourceType === "Script");
    const size = scripts.reduce((sum, { transferSize }) => sum + transferSize, 0);
    if (goals === pageGoals && size > PAGE_SCRIPTS) throw new Error(`${path} loads ${size} bytes of scripts`);
    return lhr;
  } finally {
    await stop();
  }
}

/** The scores and the audits that cost points, for the log. */
function summary({ categories, audits }, goals) {
  const lost = Object.keys(goals).flatMap((goal) =>
    categories[goal].auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 0.9)
      .map(({ id }) => `${id} ${audits[id].displayValue ?? ""}`.trim()),
  );
  const scores = Object.keys(goals).map((goal) => Math.round(categories[goal].score * 100));
  return [scores.join(" / "), ...lost].join(", ");
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

const server = await Server.start({ binary });
const rows = [];
let version = "";
try {
  const { token, longest, course } = await prepare(server);
  const screens = [
    { name: "`/login`", path: "/login", goals: appGoals },
    { name: "`/`, signed in", path: "/", token, goals: appGoals },
    { name: "`/view-page/{id}`, signed in", path: `/view-page/${longest}`, token, goals: appGoals },
    { name: "`/courses/{id}`, for visitors", path: `/courses/${course}`, goals: pageGoals },
    { name: "`/courses`, for visitors", path: "/courses", goals: pageGoals },
  ];
  for (const screen of screens) {
    const reports = [];
    for (let run = 0; run < runs; run++) {
      reports.push(await measured(server, screen));
      process.stderr.write(`${screen.name}: ${summary(reports.at(-1), screen.goals)}\n`);
    }
    version = reports[0].lighthouseVersion;
    const scores = Object.keys(screen.goals).map((goal) =>
      median(reports.map(({ categories }) => Math.round(categories[goal].score * 100))),
    );
    const [first, largest, blocked, shift] = figures.map((id) =>
      median(reports.map(({ audits }) => audits[id].numericValue)),
    );
    const seconds = (ms) => (ms / 1000).toFixed(1);
    rows.push({
      name: screen.name,
      scores,
      isMissed: Object.values(screen.goals).some((goal, at) => scores[at] < goal),
      cells: [seconds(first), seconds(largest), Math.round(blocked), shift.toFixed(3)],
    });
  }
} finally {
  await server.stop();
}

await publish(
  "lighthouse",
  [
    `Lighthouse ${version}, default profile (a mid-range phone on slow 4G, simulated), empty browser cache; medians of ${runs} runs.`,
    "",
    "| screen | performance | accessibility | best practices | search engines | first contentful paint, s | largest contentful paint, s | total blocking time, ms | cumulative layout shift |",
    "| --- | --: | --: | --: | --: | --: | --: | --: | --: |",
    ...rows.map(
      ({ name, scores, cells }) =>
        `| ${[name, ...[0, 1, 2, 3].map((at) => (scores[at] === undefined ? "—" : `**${scores[at]}**`)), ...cells].join(" | ")} |`,
    ),
  ].join("\n"),
);

const missed = rows.filter(({ isMissed }) => isMissed);
for (const { name, scores } of missed) process.stderr.write(`missed: ${name} ${scores.join(" / ")}\n`);
process.exit(missed.length > 0 ? 1 : 0);
