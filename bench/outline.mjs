// Measures what an author waits for in the outline of a course of 1,000 pages, in a browser, and rewrites the part of
// docs/performance.md about it. See bench/run.sh for how to start it; BENCH_BINARY names another binary.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { graphql, login } from "../scripts/client.mjs";
import { admin, root, Server } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";

const { chromium } = createRequire(join(root, "web/package.json"))("playwright-core");

const binary = process.env.BENCH_BINARY ?? join(root, "target/release/kurso");
const chromiumPath = [process.env.KURSO_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== undefined && existsSync(path),
);
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

function spread(times) {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { p50: at(0.5), p95: at(0.95), max: times.at(-1) };
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
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1440, height: 900 },
    locale: "ru-RU",
  });
  await context.addInitScript((token) => localStorage.setItem("access_token", token), token);
  const page = await context.newPage();
  await page.goto(`/edit-course/${course}`);
  await page.getByRole("treegrid").waitFor();
  if (slowed > 1) {
    const cdp = await context.newCDPSession(page);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowed });
  }
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
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
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
process.stdout.write(`${report}\n`);
if (!process.env.BENCH_PRINT_ONLY) {
  const page = join(root, "docs/performance.md");
  const [begin, end] = ["<!-- bench:outline:begin -->", "<!-- bench:outline:end -->"];
  const text = await readFile(page, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has lost its markers`);
  await writeFile(page, `${text.slice(0, from + begin.length)}\n${report}\n${text.slice(to)}`);
}
if (over.length > 0) throw new Error(`slower than ${budget} ms: ${over.join(", ")}`);
