// Files that are small and costly: each import, or export, must stay within its memory, scratch space and time, and stop when it is cancelled.
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Server } from "../../scripts/server.mjs";
import { zip } from "../../scripts/zip.mjs";
import { signIn } from "./measure.mjs";

const MB = 1 << 20;
const MOST_MEMORY = 192 * MB;
/** Twice what a small archive may unpack. */
const MOST_SCRATCH = 128 * MB;
const MOST_MS = 10_000;
const CANCEL_MS = 1_000;

const WORDS = "<document><body><p><r><t>Words</t></r></p></body></document>";
const RELATIONS = "<Relationships><Relationship Id='r1' Target='media/a.png'/></Relationships>";

/** @type {[string, () => Buffer][]} */
const BOMBS = [
  ["documents.zip", documentsWithImages],
  ["entities.zip", documentsWithEntities],
  ["questions.gift", () => Buffer.from("a{T}\n\n".repeat((39 * MB) / 10 / 6))],
  ["questions.txt", () => Buffer.from("a\nA. b\nB. c\nANSWER: A\n\n".repeat((39 * MB) / 10 / 23))],
  ["attributes.html", () => Buffer.from(`<title>A</title><a ${attributes(400_000)}>words</a>`)],
  ["quotes.html", () => Buffer.from(`<title>A</title>${"<blockquote>".repeat(200_000)}words`)],
];

/** Returns a summary; throws when a limit is exceeded. */
export async function bombs() {
  const server = await Server.start({ settings: { KURSO_LOG: "error" } });
  try {
    let token = await signIn(server);
    const told = [];
    // A fresh process for each: an allocator keeps what another import has freed.
    const restart = async () => {
      await server.pause();
      await server.resume();
      token = await signIn(server);
    };
    for (const [name, make] of BOMBS) {
      const bytes = make();
      await restart();
      const cost = await measured(server, async () => {
        const ended = await settled(server, token, await upload(server, token, name, bytes));
        return `${ended.state}`;
      });
      check(name, cost);
      const late = await cancelled(server, token, name, bytes);
      if (late > CANCEL_MS) throw new Error(`${name}: cancelled after ${late.toFixed(0)} ms`);
      told.push(`${name} ${cost.said}, ${text(cost)}, cancelled within ${late.toFixed(0)} ms`);
    }
    await restart();
    const cost = await exportOfManyUses(server, token);
    check("HTML export", cost);
    told.push(`HTML export of 1,000 uses of an image ${cost.said}, ${text(cost)}`);
    return told.join("; ");
  } finally {
    await server.stop();
  }
}

/** @param {[string, Buffer | string][]} files */
const compressed = (files) => zip(files, { isCompressed: true });

function documentsWithImages() {
  const image = Buffer.alloc(40 * MB);
  const docx = compressed([
    ["word/document.xml", WORDS],
    ["word/_rels/document.xml.rels", RELATIONS],
    ["word/media/a.png", image],
  ]);
  return compressed(Array.from({ length: 20 }, (_, n) => [`${n}.docx`, docx]));
}

function documentsWithEntities() {
  const docx = compressed([["word/document.xml", WORDS.replace("Words", "&lt;".repeat(14_000_000))]]);
  return compressed(Array.from({ length: 10 }, (_, n) => [`${n}.docx`, docx]));
}

function attributes(count) {
  return Array.from({ length: count }, (_, n) => `a${n}=1`)
    .join(" ")
    .slice(0, 3.9 * MB);
}

/** A course whose page shows an image of 30 MB a thousand times is exported as one HTML file. */
async function exportOfManyUses(server, token) {
  const folder = join(server.dataDir, "many-uses");
  await mkdir(folder);
  const image = Buffer.alloc(30 * MB);
  image.write("\x89PNG\r\n\x1a\n", "latin1");
  await writeFile(join(folder, "a.png"), image);
  await writeFile(join(folder, "a.md"), "![words](a.png)\n\n".repeat(1000));
  const { course_id: course } = await server.import(folder, "admin@example.com");
  return measured(server, async () => {
    const answer = await fetch(`${server.url}/api/v1/courses/export/${course}?format=html`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    if (answer.status !== 200 || !answer.body) throw new Error(`export: ${answer.status}`);
    let size = 0;
    for await (const chunk of answer.body) size += chunk.length;
    if (size > 45 * MB) throw new Error(`export: ${size} bytes`);
    return `has ${(size / MB).toFixed(0)} MB`;
  });
}

/** What an action costs: milliseconds, the most memory of the server and the most space beyond what it had before. */
async function measured(server, act) {
  await writeFile(`/proc/${server.pid}/clear_refs`, "5"); // resets the peak
  const had = await size(server.dataDir);
  const cost = { ms: 0, memory: 0, scratch: 0, said: "" };
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      cost.scratch = Math.max(cost.scratch, (await size(server.dataDir)) - had);
      await sleep(20);
    }
  };
  const watching = watch();
  const started = performance.now();
  try {
    cost.said = await act();
  } finally {
    cost.ms = performance.now() - started;
    isOver = true;
    await watching;
  }
  const status = await readFile(`/proc/${server.pid}/status`, "utf8");
  // The pages of the program itself are not memory of the import, and a debug build has more than 100 MB of them.
  const kilobytes = (field) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]);
  cost.memory = (kilobytes("VmHWM") - kilobytes("RssFile")) * 1024;
  return cost;
}

function check(name, cost) {
  if (cost.memory > MOST_MEMORY || cost.scratch > MOST_SCRATCH || cost.ms > MOST_MS)
    throw new Error(`${name}: ${cost.said}, ${text(cost)}`);
}

function text({ ms, memory, scratch }) {
  return `${(ms / 1000).toFixed(1)} s, ${(memory / MB).toFixed(0)} MB of memory, ${(scratch / MB).toFixed(0)} MB of scratch`;
}

/** Milliseconds from the cancellation of an import to its end. */
async function cancelled(server, token, name, bytes) {
  const id = await upload(server, token, name, bytes);
  while ((await get(server, token, id)).state === "waiting") await sleep(5);
  await sleep(50);
  const started = performance.now();
  await call(server, token, `/courses/cancel_import/${id}`, { method: "POST" });
  await settled(server, token, id);
  return performance.now() - started;
}

async function upload(server, token, name, bytes) {
  const body = new FormData();
  body.append("file", new File([bytes], name));
  return (await call(server, token, "/courses/import", { method: "POST", body })).id;
}

async function settled(server, token, id) {
  for (;;) {
    const job = await get(server, token, id);
    if (job.state !== "waiting" && job.state !== "running") return job;
    await sleep(10);
  }
}

function get(server, token, id) {
  return call(server, token, `/courses/import/${id}?limit=0`, {});
}

async function call(server, token, path, options) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    ...options,
    headers: { Authorization: `Bearer ${token}` },
  });
  // An import that has ended cannot be cancelled.
  if (answer.status !== 200 && answer.status !== 409)
    throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function size(folder) {
  let sum = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile())
      sum += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  return sum;
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
