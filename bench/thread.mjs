// Benchmark of a question with 10,000 answers, in Chromium: how soon its first and its newest answers are shown, and how evenly it scrolls while
// answers are added at its end. Rewrites its part of docs/performance.md. `make bench` runs it; BENCH_BINARY names another binary.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { login, post } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { writeCourse } from "./book.mjs";
import {
  FRAME_HEADS,
  FRAME_LIMIT,
  frameCells,
  frameFigures,
  launch,
  signedInPage,
  spread,
} from "./browser.mjs";
import { binary, publish } from "./measured.mjs";

const answers = Number(process.env.BENCH_ANSWERS ?? 10_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
/** The number of parts that are read while scrolling. */
const parts = 20;
/** The number of answers that are sent concurrently. */
const senders = 8;
/** The goal for the median time until answers are shown, in milliseconds. */
const allowed = 1500;
/** The speed of scrolling in pixels per second. */
const speed = 3000;

/** The text of an answer: prose, and now and then code or a formula. */
function answer(number) {
  const text = (text, ...marks) => ({ type: "text", text, marks: marks.map((type) => ({ type })) });
  const prose = [
    text(`Ответ ${number}. Владелец значения один, поэтому после `),
    text("let b = a", "code"),
    text(" к переменной больше не обратиться: её значение переместилось. "),
    text("Если нужна копия", "bold"),
    text(", вызовите clone, но сначала подумайте о ссылке."),
  ];
  const content = [{ type: "paragraph", content: prose }];
  if (number % 5 === 0)
    content.push({
      type: "codeBlock",
      attrs: { language: "rust" },
      content: [
        { type: "text", text: 'let a = String::from("x");\nlet b = a.clone();\nprintln!("{a} {b}");' },
      ],
    });
  if (number % 7 === 0)
    content.push({ type: "paragraph", content: [{ type: "inlineMath", attrs: { latex: "O(n \\log n)" } }] });
  return { type: "doc", content };
}

/** Creates a course with a question that has all the answers; returns the paths of the question and of its last answer. */
async function fill(server, folder, token) {
  const call = (path, body) => post(server.url, `/api/v1/courses/${path}`, body, token);
  await writeCourse(folder, 100);
  const { course_id } = await server.import(folder, admin.email);
  const headers = { authorization: `Bearer ${token}` };
  const course = await (
    await fetch(`${server.url}/api/v1/courses/get_course/${course_id}`, { headers })
  ).json();
  const page = course.modules[0].lessons[0].pages[0].id;
  const { id } = await call(`start_discussion/${page}`, { body: answer(0) });
  let sent = 0;
  await Promise.all(
    Array.from({ length: senders }, async () => {
      while (sent < answers - 1) {
        sent += 1;
        await call(`reply_discussion/${id}`, { body: answer(sent) });
      }
    }),
  );
  const last = await call(`reply_discussion/${id}`, { body: answer(answers) });
  return {
    first: `/view-page/${page}?question=${id}`,
    newest: `/view-page/${page}?question=${last.post.id}`,
  };
}

/** Opens a path in a browser profile of its own and returns the time in milliseconds until answers are on the screen. */
async function open(browser, server, token, path) {
  const { context, page } = await signedInPage(browser, server, token);
  await page.goto(path, { waitUntil: "commit" });
  const time = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = () => {
          if (document.querySelectorAll("li[data-post]").length > 0)
            requestAnimationFrame((now) => resolve(now));
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  return { context, page, time };
}

/** Runs in the page: records each frame until `window.recorded()` is called, which returns their durations. */
function watchFrames() {
  const times = [];
  let last;
  let isOver = false;
  const record = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    if (!isOver) requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
  window.recorded = () => {
    isOver = true;
    return times;
  };
}

/** Scrolls to the end of the answers that are shown, part after part; returns the figures of the frames, separately for those in which a part was added. */
async function scroll(page) {
  const devtools = await page.context().newCDPSession(page);
  const more = page.getByRole("button", { name: /^Следующие ответы/ });
  const scrolled = [];
  const added = [];
  let shown = 0;
  for (let part = 0; part < parts; part++) {
    await page.evaluate(watchFrames);
    const { y, height } = await more.boundingBox();
    const distance = y + height - page.viewportSize().height + 40;
    if (distance > 0)
      await devtools.send("Input.synthesizeScrollGesture", {
        x: 500,
        y: 450,
        yDistance: -distance,
        speed,
        preventFling: true,
        gestureSourceType: "mouse",
      });
    scrolled.push(...(await page.evaluate(() => window.recorded())));
    const items = page.locator("li[data-post]");
    shown = Math.max(shown, await items.count());
    const before = await items.last().getAttribute("data-post");
    await page.evaluate(watchFrames);
    await more.click();
    await page.waitForFunction(
      (before) => [...document.querySelectorAll("li[data-post]")].at(-1)?.dataset.post !== before,
      before,
    );
    added.push(...(await page.evaluate(() => window.recorded())));
  }
  return { shown, scrolled: frameFigures(scrolled), added: frameFigures(added) };
}

async function measure(database) {
  const folder = await mkdtemp(join(tmpdir(), "kurso-bench-"));
  const server = await Server.start({ database, binary });
  const browser = await launch();
  try {
    const token = await login(server.url, admin.email, admin.password);
    const paths = await fill(server, folder, token);
    const openings = {};
    for (const [what, path] of Object.entries(paths)) {
      const times = [];
      for (let round = 0; round < rounds; round++) {
        const { context, time } = await open(browser, server, token, path);
        times.push(time);
        await context.close();
      }
      openings[what] = spread(times).p50;
    }
    const { context, page } = await open(browser, server, token, paths.first);
    await page.waitForLoadState("networkidle");
    const scrolls = await scroll(page);
    await context.close();
    return { openings, scrolls };
  } finally {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const figures = { SQLite: await measure("sqlite"), PostgreSQL: await measure("postgres") };
const openings = Object.entries(figures).map(
  ([name, { openings }]) => `| ${name} | ${openings.first.toFixed(0)} | ${openings.newest.toFixed(0)} |`,
);
const scrolls = Object.entries(figures).flatMap(([name, { scrolls }]) => [
  `| scrolled, ${name} | ${frameCells(scrolls.scrolled)} |`,
  `| a part was added, ${name} | ${frameCells(scrolls.added)} |`,
]);
const most = Math.max(...Object.values(figures).map(({ scrolls }) => scrolls.shown));
await publish(
  "thread",
  `A question with ${answers} answers; medians of ${rounds} openings, each in a browser profile of its own with nothing cached.

| database | first answers, ms | newest answers, by the link of a notice, ms |
| --- | --: | --: |
${openings.join("\n")}

From the first answer over ${parts} parts, at ${speed} pixels per second. At most ${most} answers are in the page at a time.

| while | ${FRAME_HEADS} |
| --- | --: | --: | --: | --: | --: | --: |
${scrolls.join("\n")}`,
);
const slow = Object.entries(figures).flatMap(([name, { openings, scrolls }]) => [
  ...Object.entries(openings).flatMap(([what, time]) =>
    time > allowed ? `${what}, ${name}: ${time.toFixed(0)} ms` : [],
  ),
  ...(scrolls.scrolled.p95 > FRAME_LIMIT
    ? [`scrolled, ${name}: p95 ${scrolls.scrolled.p95.toFixed(1)} ms`]
    : []),
]);
if (slow.length > 0) {
  process.stderr.write(`misses the goal: ${slow.join("; ")}\n`);
  process.exitCode = 1;
}
