// Benchmark of the full-text search on both databases: queries over ten thousand pages while ten authors save, the size of the index, and the
// cost of a save. Rewrites its part of docs/performance.md. `make bench` runs it.
//
// The pages are imported as mdBooks, so that their index is the one that imports write. The cost of a save is compared with BENCH_BEFORE, a
// binary without the search, if it is given.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { login, post } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { binary, publish } from "./measured.mjs";
import { sql } from "./sql.mjs";

const books = 10;
const pagesPerBook = 1000;
const authors = 10;
/** The time between two saves of one author, as the editor saves while someone types. */
const pause = 1000;
const queries = 400;
/** The goals: the 95th percentile of a search in milliseconds, the index as a share of the text, and the time of a save as a multiple of before. */
const allowed = { search: 50, index: 0.5, save: 1.15 };

// A vocabulary whose words are as frequent as those of a language (Zipf), from stems and endings so that words have forms.
const syllables = "ва ко ли ме но па ра си то ту бе до жи за ки ло му не по ре".split(" ");
const endings = ["", "а", "ы", "у", "ом", "ами", "ов", "ах"];
let seed = 1;
/** A pseudo-random number below 1 (mulberry32). */
function random() {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const pick = (list) => list[Math.floor(random() * list.length)];
const stems = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(syllables)).join(""),
);
/** A word; the first stems are the most frequent. */
const word = () => stems[Math.floor(stems.length ** random()) - 1] + pick(endings);
const sentence = () => `${Array.from({ length: 12 }, word).join(" ")}.`;
const paragraph = () => Array.from({ length: 5 }, sentence).join(" ");
const page = () =>
  `# ${word()} ${word()}\n\n${paragraph()}\n\n## ${word()} ${word()}\n\n${paragraph()}\n\n` +
  `\`\`\`rust\nlet ${word()} = HashMap::new();\n\`\`\`\n\n${Array.from({ length: 4 }, paragraph).join("\n\n")}\n`;

async function book(folder) {
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "book.toml"), '[book]\ntitle = "Книга"\nlanguage = "ru"\n');
  const summary = ["# Содержание\n"];
  for (let n = 0; n < pagesPerBook; n++) {
    if (n % 20 === 0) summary.push(`- [Глава ${n / 20}](p${n}.md)`);
    else summary.push(`    - [Страница ${n}](p${n}.md)`);
    await writeFile(join(folder, "src", `p${n}.md`), page());
  }
  await writeFile(join(folder, "src", "SUMMARY.md"), `${summary.join("\n")}\n`);
}

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, Math.max(0, milliseconds)));
const sorted = (times) => times.sort((a, b) => a - b);
const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];

async function get(url, token) {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const body = await answer.json();
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${JSON.stringify(body)}`);
  return body;
}

const document = (texts) => ({
  type: "doc",
  content: texts.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })),
});

/** A course with a page for each author; returns the pages' ids. */
async function pagesOfAuthors(url, token) {
  const make = (path, body) => post(url, `/api/v1/courses/${path}`, body, token);
  const { id: course } = await make("create_course", { title: "Авторы" });
  const module = await make(`create_module/${course}`, { title: "Модуль" });
  const pages = [];
  for (let n = 0; n < authors; n++) {
    const lesson = await make(`create_lesson/${module.id}`, { title: `Урок ${n}` });
    const content = document(Array.from({ length: 8 }, paragraph));
    const { id } = await make(`create_page/${lesson.id}`, {
      title: `Страница ${n}`,
      kind: "content",
      content,
    });
    pages.push({ id, content });
  }
  return pages;
}

/** Saves a page with a few words more, and returns how long that took. */
async function save(url, token, { id, content }) {
  const last = content.content.at(-1).content[0];
  last.text += ` ${word()} ${word()}`;
  const started = performance.now();
  const answer = await fetch(`${url}/api/v1/courses/update_page/${id}?user_session_id=bench-${id}`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ content }),
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`update_page: ${answer.status}`);
  return performance.now() - started;
}

/** The median time of a save by one author, in milliseconds. */
async function saving(database, measured) {
  const server = await Server.start({ database, binary: measured });
  try {
    const token = await login(server.url, admin.email, admin.password);
    const pages = await pagesOfAuthors(server.url, token);
    const times = [];
    for (let n = 0; n < 600; n++) {
      const time = await save(server.url, token, pages[n % pages.length]);
      if (n >= 100) times.push(time);
    }
    return at(sorted(times), 0.5);
  } finally {
    await server.stop();
  }
}

/** How many times as long a save takes as with another binary: both in alternation, because the times of single runs differ by a quarter. */
async function factorOfSaving(database, before) {
  const ratios = [];
  for (let n = 0; n < 5; n++) {
    const [first, second] = n % 2 ? [before, binary] : [binary, before];
    const times = { [first]: await saving(database, first), [second]: await saving(database, second) };
    ratios.push(times[binary] / times[before]);
  }
  return at(sorted(ratios), 0.5);
}

const sizes = {
  sqlite: `SELECT SUM(length(CAST(content AS BLOB))) || ' ' || (SELECT SUM(pgsize) FROM dbstat WHERE name LIKE '%search_%') FROM page_contents;`,
  postgres: `SELECT SUM(octet_length(content)) || ' ' || (SELECT SUM(pg_total_relation_size(oid)) FROM pg_class WHERE relname IN ('search_documents', 'search_terms')) FROM page_contents;`,
};

async function measure(database, folder) {
  const server = await Server.start({ database, binary });
  try {
    const token = await login(server.url, admin.email, admin.password);
    for (let n = 0; n < books; n++) await server.import(join(folder, `${n}`), admin.email);
    const pages = await pagesOfAuthors(server.url, token);
    let isOver = false;
    const saves = pages.map(async (page, n) => {
      const times = [];
      await sleep((n * pause) / authors);
      while (!isOver) {
        times.push(await save(server.url, token, page));
        await sleep(pause);
      }
      return times;
    });
    const times = [];
    for (let n = 0; n < queries; n++) {
      const kinds = [
        () => word(),
        () => `${word()} ${word()}`,
        () => `${word()} ${word()} ${word()} `,
        () => word().slice(0, 4),
        () => `${word().slice(0, 5)}ъ${word().slice(5)} `,
        () => "HashMap::new",
      ];
      const text = kinds[n % kinds.length]();
      const started = performance.now();
      await get(`${server.url}/api/v1/courses/search_content?text=${encodeURIComponent(text)}`, token);
      times.push(performance.now() - started);
    }
    isOver = true;
    const saved = sorted((await Promise.all(saves)).flat());
    await server.pause();
    const [text, index] = (await sql(server, database, sizes[database])).split(" ").map(Number);
    return { times: sorted(times), saved, share: index / text };
  } finally {
    await server.stop();
  }
}

const folder = await mkdtemp(join(tmpdir(), "kurso-search-"));
const lines = [];
const missed = [];
try {
  for (let n = 0; n < books; n++) await book(join(folder, `${n}`));
  for (const [name, database] of [
    ["SQLite", "sqlite"],
    ["PostgreSQL", "postgres"],
  ]) {
    const { times, saved, share } = await measure(database, folder);
    const factor = process.env.BENCH_BEFORE && (await factorOfSaving(database, process.env.BENCH_BEFORE));
    const cells = [at(times, 0.5), at(times, 0.95), at(times, 1), at(saved, 0.5)].map((time) =>
      time.toFixed(1),
    );
    lines.push(`| ${[name, ...cells, share.toFixed(2), factor?.toFixed(2) ?? "–"].join(" | ")} |`);
    if (at(times, 0.95) > allowed.search) missed.push(`${name}: ${at(times, 0.95).toFixed(1)} ms`);
    if (share > allowed.index) missed.push(`${name}: an index of ${share.toFixed(2)}`);
    if (factor > allowed.save) missed.push(`${name}: saves take ${factor.toFixed(2)} of before`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
await publish(
  "search",
  `${queries} searches over ${books * pagesPerBook} pages, one after another, while ${authors} authors save a page each second. Times in milliseconds. The index is given as a share of the stored texts, a save by one author as a multiple of its time without the index, the median of five measurements in alternation.

| database | search, median | search, 95% | search, longest | save meanwhile, median | index | save alone |
|---|--:|--:|--:|--:|--:|--:|
${lines.join("\n")}

Goals: 95% of the searches within ${allowed.search} ms, an index of at most ${allowed.index}, saves at most ${allowed.save} of before.`,
);
if (missed.length) throw new Error(`missed: ${missed.join("; ")}`);
