// Benchmark of the outline of a course with 1,000 pages: the latency of moving a page, in Chromium. Rewrites its part of
// docs/performance.md. `make bench` runs it; BENCH_BINARY names another binary.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphql, login } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";
import { launch, signedInPage, spread } from "./browser.mjs";
import { binary, publish } from "./measured.mjs";

const pages = 1000;
const rounds = 40;
const budget = 100;

/** Runs in the page. Measures the time from the next event of the type to the end of the following frame, in ms. */
function watch(type) {
  window.measured = new Promise((done) => {
    addEventListener(
      type,
      (event) => {
        // A message posted at the start of a frame arrives after the frame is rendered.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => done(performance.now() - event.timeStamp);
          port2.postMessage(null);
        });
      },
      { capture: true, once: true },
    );
  });
}

async function measured(page, type, act) {
  await page.evaluate(watch, type);
  await act();
  return page.evaluate(() => window.measured);
}

async function stored(server, token, course) {
  const query = "query ($id: ID!) { course(id: $id) { modules { lessons { id pages { id } } } } }";
  const answer = await graphql(server.url, token, query, { id: course });
  return answer.course.modules.flatMap((module) => module.lessons);
}

/** The stored position of a page: the index of its lesson in the course, and its index in the lesson. */
async function positionOf(server, token, course, id) {
  const lessons = await stored(server, token, course);
  const lesson = lessons.findIndex((one) => one.pages.some((page) => page.id === id));
  return [lesson, lessons[lesson].pages.findIndex((page) => page.id === id)];
}

async function saved(page) {
  await page.getByText("Сохранено", { exact: true }).waitFor();
}

/** Takes all measurements in one course, with the CPU slowed down by the factor `slowed`. */
async function measure(server, token, course, browser, slowed) {
  const { context, page, slow } = await signedInPage(browser, server, token);
  await page.goto(`/edit-course/${course}`);
  await page.getByRole("treegrid").waitFor();
  if (slowed > 1) await slow(slowed);
  const [first] = await stored(server, token, course);
  const id = first.pages[0].id;
  const row = page.locator(`[data-key="${id}"]`);
  await row.focus();
  const figures = {};
  const expectPosition = async (what, expected) => {
    await saved(page);
    const position = await positionOf(server, token, course, id);
    if (position.join() !== expected.join())
      throw new Error(`${what}: the page is at ${position}, not ${expected}`);
  };

  // Held down before the measurement starts, because its own keydown event would be measured instead.
  await page.keyboard.down("Alt");
  const steps = [];
  for (let round = 0; round < rounds; round++) {
    await row.focus();
    const direction = round % 2 === 0 ? "ArrowDown" : "ArrowUp";
    steps.push(await measured(page, "keydown", () => page.keyboard.press(direction)));
    await saved(page);
  }
  await page.keyboard.up("Alt");
  await expectPosition("past a neighbour", [0, 0]);
  figures["past a neighbour, by keyboard"] = spread(steps);

  await page.keyboard.down("Alt");
  await page.keyboard.down("Shift");
  const far = [];
  for (let round = 0; round < rounds; round++) {
    await row.focus();
    far.push(await measured(page, "keydown", () => page.keyboard.press("ArrowDown")));
    await saved(page);
  }
  await page.keyboard.up("Shift");
  await page.keyboard.up("Alt");
  await expectPosition("into the next lesson", [rounds, 0]);
  figures["into the next lesson, by keyboard"] = spread(far);

  const drops = [];
  for (let round = 0; round < 10; round++) {
    await row.hover();
    const handle = await row.getByRole("button", { name: /^Переместить/ }).boundingBox();
    await page.mouse.move(handle.x + 14, handle.y + 14);
    await page.mouse.down();
    await page.mouse.move(handle.x + 30, handle.y + 40, { steps: 3 });
    // Alternately past the next page and back.
    await page.mouse.move(handle.x + 200, handle.y + 14 + (round % 2 === 0 ? 50 : -50), { steps: 4 });
    drops.push(await measured(page, "pointerup", () => page.mouse.up()));
    await saved(page);
  }
  await expectPosition("by mouse", [rounds, 0]);
  figures["past a neighbour, by mouse"] = spread(drops);

  await context.close();
  return figures;
}

const folder = await mkdtemp(join(tmpdir(), "kurso-bench-"));
const server = await Server.start({ binary });
const lines = [];
const over = [];
try {
  await writeCourse(folder, pages);
  const browser = await launch();
  try {
    const token = await login(server.url, admin.email, admin.password);
    const row = (what, speed, { p50, p95, max }) =>
      `| ${what} | ${speed} | ${p50.toFixed(0)} | ${p95.toFixed(0)} | ${max.toFixed(0)} |`;
    for (const slowed of [1, 4]) {
      const { course_id: course } = await server.import(folder, admin.email);
      const figures = await measure(server, token, course, browser, slowed);
      for (const [what, figure] of Object.entries(figures)) {
        lines.push(row(what, slowed === 1 ? "full speed" : `slowed down ${slowed}×`, figure));
        if (slowed === 1 && figure.p95 > budget) over.push(`${what}: ${figure.p95.toFixed(0)} ms`);
      }
    }
  } finally {
    await browser.close();
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

const report = [
  `${pages} pages in 100 lessons; ${rounds} moves by keyboard, 10 by mouse.`,
  `| move of a page | CPU | p50, ms | p95, ms | max, ms |\n| --- | --- | --: | --: | --: |\n${lines.join("\n")}`,
].join("\n\n");
await publish("outline", report);
if (over.length > 0) throw new Error(`slower than ${budget} ms: ${over.join(", ")}`);
