// Measures writing on a long page in Chromium, and rewrites its table in docs/performance.md: from the key to the painted letter, with
// the processor slowed four times.
import { graphql, login } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { binary, launch, publish, signedInPage, spread } from "./browser.mjs";

const BYTES = 60_000;
const KEYS = 200;
const SLOWED = 4;
const PROMISED_MS = 50;

const text = (text, ...marks) => ({ type: "text", text, ...(marks.length > 0 && { marks }) });
const paragraph = (...content) => ({ type: "paragraph", content });

/** A chapter as books have it: prose with marks, code, lists, a table, call-outs, until its JSON has that many bytes. */
function chapter(bytes) {
  const words =
    "Владение — это набор правил, по которым программа на Rust управляет памятью: за ними следит компилятор. ";
  const content = [];
  for (let part = 1; JSON.stringify(content).length < bytes; part += 1) {
    content.push(
      { type: "heading", attrs: { level: 2 }, content: [text(`Раздел ${part}`)] },
      paragraph(
        text(words),
        text("move", { type: "code" }),
        text(` ${words}`),
        text("важно", { type: "bold" }),
      ),
      paragraph(text(words.repeat(3))),
      {
        type: "codeBlock",
        attrs: { language: "rust", caption: `src/part_${part}.rs` },
        content: [text(`fn part_${part}() {\n    let s = String::from("hello");\n    takes(s);\n}`)],
      },
      {
        type: "bulletList",
        content: [1, 2, 3].map(() => ({ type: "listItem", content: [paragraph(text(words))] })),
      },
    );
    if (part % 3 === 0)
      content.push({ type: "callout", attrs: { kind: "tip" }, content: [paragraph(text(words))] });
    if (part % 4 === 0) {
      const row = (type) => ({
        type: "tableRow",
        content: [1, 2, 3].map(() => ({ type, content: [paragraph(text("u8"))] })),
      });
      content.push({ type: "table", content: [row("tableHeader"), row("tableCell"), row("tableCell")] });
    }
  }
  return { type: "doc", content };
}

const server = await Server.start({ binary });
const browser = await launch();
try {
  const token = await login(server.url, admin.email, admin.password);
  const call = (query, input) => graphql(server.url, token, query, { input });
  const { createCourse } = await call(
    "mutation ($input: CreateCourseInput!) { createCourse(input: $input) { course { id } } }",
    { title: "Длинная глава" },
  );
  const { createModule } = await call(
    "mutation ($input: CreateModuleInput!) { createModule(input: $input) { module { id } } }",
    { courseId: createCourse.course.id, title: "Модуль" },
  );
  const { createLesson } = await call(
    "mutation ($input: CreateLessonInput!) { createLesson(input: $input) { lesson { id } } }",
    { moduleId: createModule.module.id, title: "Урок" },
  );
  const { createPage } = await call(
    "mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }",
    { lessonId: createLesson.lesson.id, title: "Глава", content: chapter(BYTES) },
  );

  const { page, slow } = await signedInPage(browser, server, token);
  await page.goto(`/edit-page/${createPage.page.id}`);
  const field = page.getByRole("textbox", { name: "Текст страницы" });
  await field.locator("p").nth(3).click();
  await slow(SLOWED);
  await page.evaluate(() => {
    // From the moment the key arrived to the first moment after the frame that shows it was painted.
    window.paints = [];
    document.addEventListener(
      "keydown",
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => window.paints.push(performance.now() - timeStamp);
          channel.port2.postMessage(null);
        });
      },
      { capture: true },
    );
  });
  const letters = "скорость письма в длинной главе ";
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.type(letters[key % letters.length]);
    await new Promise((done) => setTimeout(done, 60));
  }
  const paints = await page.evaluate(() => window.paints);
  if (paints.length < KEYS) throw new Error(`of ${KEYS} keys ${paints.length} were painted`);
  const { p50, p95, max } = spread(paints);
  const row = `| ${(BYTES / 1000).toFixed(0)} KB | ${KEYS} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${max.toFixed(1)} |`;
  const report = [
    `From a key to its painted letter in ms, the processor slowed ${SLOWED} times (promised: p95 under ${PROMISED_MS}):`,
    "",
    "| page | keys | p50 | p95 | worst |",
    "|---|---|---|---|---|",
    row,
  ].join("\n");
  await publish("editing", report);
  if (p95 >= PROMISED_MS) process.exitCode = 1;
} finally {
  await browser.close();
  await server.stop();
}
