// Measures what an author waits for in the outline of a course of 1,000 pages, in a browser, and rewrites the part of
// docs/performance.md about it. See bench/run.sh for how to start it; BENCH_BINARY names another binary.
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

/** In the page: milliseconds from the next event of a type to the frame after it. */
function watch(type) {
  window.measured = new Promise((done) => {
    addEventListener(
      type,
      (event) => {
        // A frame is over when the message posted from its beginning arrives.
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

/** Where the server has a page: the place of its lesson and its own place in it. */
async function placeOf(server, token, course, id) {
  const lessons = await stored(server, token, course);
  const lesson = lessons.findIndex((one) => one.pages.some((page) => page.id === id));
  return [lesson, lessons[lesson].pages.findIndex((page) => page.id === id)];
}

async function settled(page) {
  await page.getByText("Сохранено", { exact: true }).waitFor();
}

/** Every measure in one course, the processor as it is or slowed down. */
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
  const expectPlace = async (what, expected) => {
    await settled(page);
    const place = await placeOf(server, token, course, id);
    if (place.join() !== expected.join())
      throw new Error(`${what}: the page is at ${place}, not ${expected}`);
  };

  // The modifier's own keydown would be the next event.
  await page.keyboard.down("Alt");
  const steps = [];
  for (let round = 0; round < rounds; round++) {
    await row.focus();
    const direction = round % 2 === 0 ? "ArrowDown" : "ArrowUp";
    steps.push(await measured(page, "keydown", () => page.keyboard.press(direction)));
    await settled(page);
  }
  await page.keyboard.up("Alt");
  await expectPlace("past a neighbour", [0, 0]);
  figures["past a neighbour, by a key"] = spread(steps);

  await page.keyboard.down("Alt");
  await page.keyboard.down("Shift");
  const far = [];
  for (let round = 0; round < rounds; round++) {
    await row.focus();
    far.push(await measured(page, "keydown", () => page.keyboard.press("ArrowDown")));
    await settled(page);
  }
  await page.keyboard.up("Shift");
  await page.keyboard.up("Alt");
  await expectPlace("into the next lesson", [rounds, 0]);
  figures["into the next lesson, by a key"] = spread(far);

  const drops = [];
  for (let round = 0; round < 10; round++) {
    await row.hover();
    const handle = await row.getByRole("button", { name: /^Переместить/ }).boundingBox();
    await page.mouse.move(handle.x + 14, handle.y + 14);
    await page.mouse.down();
    await page.mouse.move(handle.x + 30, handle.y + 40, { steps: 3 });
    // Past the next page and back, in turns.
    await page.mouse.move(handle.x + 200, handle.y + 14 + (round % 2 === 0 ? 50 : -50), { steps: 4 });
    drops.push(await measured(page, "pointerup", () => page.mouse.up()));
    await settled(page);
  }
  await expectPlace("by the mouse", [rounds, 0]);
  figures["past a neighbour, by the mouse"] = spread(drops);

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
        lines.push(row(what, slowed === 1 ? "as it is" : `slowed ${slowed}×`, figure));
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
  `${pages} pages in 100 lessons; ${rounds} moves by keys, 10 by the mouse.`,
  `| a page | processor | p50, ms | p95, ms | slowest, ms |\n| --- | --- | --: | --: | --: |\n${lines.join("\n")}`,
].join("\n\n");
await publish("outline", report);
if (over.length > 0) throw new Error(`slower than ${budget} ms: ${over.join(", ")}`);
