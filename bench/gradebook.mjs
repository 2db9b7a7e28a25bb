// Benchmark of the gradebook of a class of 2,000 with 100 graded pages, in Chromium: how soon its first rows are shown, and how evenly it
// scrolls. Rewrites its part of docs/performance.md. `make bench` runs it; BENCH_BINARY names another binary.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { login } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";
import {
  FRAME_HEADS,
  FRAME_LIMIT,
  frameCells,
  frameFigures,
  launch,
  percent,
  signedInPage,
} from "./browser.mjs";
import { done, seed } from "./class.mjs";
import { binary, publish } from "./measured.mjs";
import { sql } from "./sql.mjs";

const shape = { students: 2_000, pages: 100, nth: 1 };
const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
/** The goals for the median time until the first rows are shown, in milliseconds. With nothing cached, the browser loads the app first. */
const allowed = { "by its tab": 1000, "by its address, nothing cached": 1500 };
/** The speed of scrolling in pixels per second. */
const speed = 3000;

/**
 * Runs in the page before its own code. `window.opened` tells when a frame with the headings and the grades of the first rows was rendered,
 * and when all rows were read. `window.since` is the time of the click that opens the gradebook; 0 for a loaded page.
 */
function watchOpening() {
  window.since = 0;
  window.opened = new Promise((resolve) => {
    let first;
    let last = performance.now();
    let longest = 0;
    addEventListener(
      "click",
      ({ timeStamp }) => {
        window.since = timeStamp;
      },
      { capture: true },
    );
    const look = (now) => {
      if (first !== undefined) longest = Math.max(longest, now - last);
      last = now;
      const grid = document.querySelector("[role=grid]");
      const isShown =
        grid?.querySelectorAll("[role=columnheader]").length > 2 &&
        grid.querySelectorAll("[role=gridcell][data-source=automatic]").length > 10;
      // The frame in which it was found is rendered before the next one begins.
      if (isShown && first === undefined) requestAnimationFrame((now) => (first = now - window.since));
      if (first !== undefined && !grid.hasAttribute("aria-busy"))
        resolve({ first, complete: now - window.since, longest });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/**
 * Runs in the page: records each frame until `window.recorded()` is called, which returns the durations and the number of frames with a place
 * in sight where a row or column was not rendered yet.
 */
function watchFrames() {
  const grid = document.querySelector("[role=grid]");
  const scroller = grid.parentElement;
  const head = grid.querySelector("[role=row]");
  const times = [];
  let blank = 0;
  let last;
  let isOver = false;
  const { offsetWidth: width, parentElement: row } = grid.querySelector("[role=gridcell]");
  const height = row.offsetHeight;
  const [{ offsetWidth: nameWidth }, headHeight] = [head.firstElementChild, head.offsetHeight];
  const isBlank = () => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller;
    const columns = [scrollLeft, scrollLeft + clientWidth - nameWidth - 1].map((x) => Math.floor(x / width));
    const rows = [scrollTop, scrollTop + clientHeight - headHeight - 1].map((y) => Math.floor(y / height));
    return rows.some((row) =>
      columns.some((column) => !grid.querySelector(`[data-cell="${row}-${column}"]`)),
    );
  };
  const record = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    if (isBlank()) blank += 1;
    if (!isOver) requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
  window.recorded = () => {
    isOver = true;
    return { times, blank };
  };
}

/** The number of requests of the gradebook that a page sends from now on. */
function countRequests(page) {
  const count = { requests: 0 };
  page.on("request", (request) => {
    if (!request.url().endsWith("/graphql")) return;
    if (request.postDataJSON()?.operationName === "Gradebook") count.requests += 1;
  });
  return count;
}

/** Opens the gradebook in a browser profile of its own: by its address, or by its tab in the editor of the course. */
async function open(browser, server, token, course, isCold) {
  const { context, page } = await signedInPage(browser, server, token);
  const count = countRequests(page);
  await page.addInitScript(watchOpening);
  if (isCold) await page.goto(`/edit-course/${course}?tab=grades`, { waitUntil: "commit" });
  else {
    await page.goto(`/edit-course/${course}`);
    await page.getByRole("treegrid").waitFor();
    await page.waitForLoadState("networkidle");
    await page.getByRole("link", { name: "Оценки" }).click();
  }
  const times = await page.evaluate(() => window.opened);
  return { context, page, times, requests: count.requests };
}

/** Scrolls to the end of the table and returns what its frames took. */
async function scroll(page, direction) {
  const box = await page.getByRole("grid").locator("..").boundingBox();
  const devtools = await page.context().newCDPSession(page);
  const end = (direction) =>
    page.evaluate((direction) => {
      const { parentElement } = document.querySelector("[role=grid]");
      const { scrollHeight, clientHeight, scrollTop, scrollWidth, clientWidth, scrollLeft } = parentElement;
      return direction === "down"
        ? scrollHeight - clientHeight - scrollTop
        : scrollWidth - clientWidth - scrollLeft;
    }, direction);
  const distance = await end(direction);
  await page.evaluate(watchFrames);
  await devtools.send("Input.synthesizeScrollGesture", {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    [direction === "down" ? "yDistance" : "xDistance"]: -distance - 100,
    speed,
    preventFling: true,
    gestureSourceType: "mouse",
  });
  const { times, blank } = await page.evaluate(() => window.recorded());
  const left = await end(direction);
  if (left > 1) throw new Error(`${left} px are left after scrolling ${direction}`);
  return {
    ...frameFigures(times),
    blank: blank / (times.length + 1),
  };
}

/** The JavaScript heap in megabytes, without garbage. */
async function heap(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  await devtools.send("Performance.enable");
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1e6;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Compares the last row with the inserted data. */
async function checkLastRow(page) {
  const row = page.getByRole("row").last();
  const learner = await row.getByRole("rowheader").innerText();
  const n = Number(/\d+$/.exec(learner)?.[0]);
  const shown = await row.locator("[data-source=automatic]:not([data-total])").count();
  const cells = await row
    .getByRole("gridcell")
    .evaluateAll((cells) =>
      cells.map((cell) => Number(cell.dataset.cell.split("-")[1])).filter((column) => column > 0),
    );
  const expected = cells.filter((column) => column <= done(shape, n)).length;
  if (shown !== expected) throw new Error(`${learner}: ${shown} grades in sight, not ${expected}`);
}

async function measure(database) {
  const folder = await mkdtemp(join(tmpdir(), "kurso-bench-"));
  const server = await Server.start({ database, binary });
  const browser = await launch();
  try {
    await writeCourse(folder, shape.pages);
    const { course_id: course } = await server.import(folder, admin.email);
    await server.pause();
    await sql(server, database, seed(database, course, shape));
    await server.resume();
    const token = await login(server.url, admin.email, admin.password);
    const openings = {};
    for (const [what, isCold] of [
      ["by its address, nothing cached", true],
      ["by its tab", false],
    ]) {
      const all = [];
      let requests = 0;
      for (let round = 0; round < rounds; round++) {
        const opened = await open(browser, server, token, course, isCold);
        all.push(opened.times);
        requests = opened.requests;
        await opened.context.close();
      }
      const of = (what) => median(all.map((times) => times[what]));
      openings[what] = { first: of("first"), complete: of("complete"), longest: of("longest"), requests };
    }
    const { context, page } = await open(browser, server, token, course, true);
    const before = await heap(page);
    const scrolls = { down: await scroll(page, "down") };
    await checkLastRow(page);
    scrolls.right = await scroll(page, "right");
    const after = await heap(page);
    await context.close();
    return { openings, scrolls, before, after };
  } finally {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const figures = { SQLite: await measure("sqlite"), PostgreSQL: await measure("postgres") };
const openings = Object.entries(figures).flatMap(([name, { openings }]) =>
  Object.entries(openings).map(
    ([what, { first, complete, longest, requests }]) =>
      `| ${what}, ${name} | ${first.toFixed(0)} | ${complete.toFixed(0)} | ${longest.toFixed(0)} | ${requests} |`,
  ),
);
const scrolls = Object.entries(figures).flatMap(([name, { scrolls }]) =>
  Object.entries(scrolls).map(
    ([direction, scrolled]) =>
      `| ${direction}, ${name} | ${frameCells(scrolled)} | ${percent(scrolled.blank)} |`,
  ),
);
const heaps = Object.entries(figures).map(
  ([name, { before, after }]) =>
    `${before.toFixed(0)} MB before and ${after.toFixed(0)} MB after scrolling on ${name}`,
);
await publish(
  "gradebook",
  `${shape.students} learners, ${shape.pages} graded pages; medians of ${rounds} openings, each in a browser profile of its own.

| opened | first rows, ms | all rows, ms | longest frame between, ms | requests |
| --- | --: | --: | --: | --: |
${openings.join("\n")}

From the first row to the last one and from the first column to the last one, at ${speed} pixels per second. A frame is blank if a place in sight has no grade yet.

| scrolled | ${FRAME_HEADS} | blank |
| --- | --: | --: | --: | --: | --: | --: | --: |
${scrolls.join("\n")}

JavaScript heap: ${heaps.join("; ")}.`,
);
const missed = Object.entries(figures).flatMap(([name, { openings, scrolls }]) => [
  ...Object.entries(openings).flatMap(([what, { first }]) =>
    first > allowed[what] ? `${what}, ${name}: ${first.toFixed(0)} ms` : [],
  ),
  ...Object.entries(scrolls).flatMap(([direction, { p95 }]) =>
    p95 > FRAME_LIMIT ? `${direction}, ${name}: p95 ${p95.toFixed(1)} ms` : [],
  ),
]);
if (missed.length > 0)
  throw new Error(
    `the goals are ${JSON.stringify(allowed)} ms and 60 frames per second: ${missed.join(", ")}`,
  );
