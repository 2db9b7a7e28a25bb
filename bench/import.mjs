// Benchmark of `kurso import`: time and peak memory for courses of 500 pages in each format and for packages of 1 GB, including the
// start of the process. Rewrites its part of docs/performance.md; `BENCH_PRINT_ONLY=1 node bench/import.mjs` only prints. Fails
// when a limit is exceeded.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { admin, Server } from "../scripts/server.mjs";
import { binary, publish } from "./measured.mjs";
import { bookPackage, cartridgePackage, markdownPackage } from "./packages.mjs";

const databases = (process.env.BENCH_DATABASES ?? "sqlite,postgres").split(",");
/** The limits: seconds for a course of 500 pages, and megabytes of memory for any course. */
const allowed = { seconds: 10, memory: 200 };
const files = 8;

const packages = [
  { name: "Kurso Markdown, zip", file: "markdown.zip", write: (path) => markdownPackage(path, 500) },
  { name: "mdBook, zip", file: "book.zip", write: (path) => bookPackage(path, 500) },
  { name: "Common Cartridge 1.3", file: "cartridge.imscc", write: (path) => cartridgePackage(path, 500) },
  {
    name: "Kurso Markdown with 8 files of 128 MB",
    file: "large.zip",
    write: (path) => markdownPackage(path, 500, files),
    large: true,
  },
  {
    name: "Common Cartridge with 8 files of 128 MB",
    file: "large.imscc",
    write: (path) => cartridgePackage(path, 500, files),
    large: true,
  },
];

/** Runs the command. Returns its exit code and output, the time in seconds and the peak memory in megabytes. */
async function measured(server, args) {
  const started = performance.now();
  const child = spawn(binary, args, {
    cwd: server.dataDir,
    env: server.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = [[], []];
  child.stdout.on("data", (chunk) => out.push(chunk));
  child.stderr.on("data", (chunk) => err.push(chunk));
  let memory = 0;
  const poll = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    memory = Math.max(memory, Number(status.match(/VmHWM:\s+(\d+)/)?.[1] ?? 0) / 1024);
  }, 10);
  const code = await new Promise((done) => child.once("close", done));
  clearInterval(poll);
  const seconds = (performance.now() - started) / 1000;
  return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString(), seconds, memory };
}

const folder = await mkdtemp(join(tmpdir(), "kurso-packages-"));
const rows = [];
const failures = [];
try {
  for (const { name, file, write, large } of packages) {
    const path = join(folder, file);
    await write(path);
    const size = (await stat(path)).size;
    for (const database of databases) {
      const server = await Server.start({ database, binary });
      try {
        const answer = await measured(server, ["import", path, "--owner", admin.email, "--json"]);
        if (answer.code !== 0) {
          // A format that this binary does not support is skipped.
          if (!/none of the forms/.test(answer.err)) throw new Error(`${name}: ${answer.err}`);
          continue;
        }
        const { counts } = JSON.parse(answer.out);
        const { seconds, memory } = answer;
        rows.push({ name, database, size, counts, seconds, memory });
        if (!large && seconds > allowed.seconds) failures.push(`${name}: ${seconds.toFixed(1)} s`);
        if (memory > allowed.memory) failures.push(`${name}: ${memory.toFixed(0)} MB`);
      } finally {
        await server.stop();
      }
    }
    await rm(path);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const title = { sqlite: "SQLite", postgres: "PostgreSQL" };
const report = [
  "| package | database | size, MB | pages | files | seconds | peak memory, MB |",
  "| --- | --- | --: | --: | --: | --: | --: |",
  ...rows.map(
    ({ name, database, size, counts, seconds, memory }) =>
      `| ${name} | ${title[database]} | ${(size / 1e6).toFixed(1)} | ${counts.pages} | ${counts.files} | ${seconds.toFixed(1)} | ${memory.toFixed(0)} |`,
  ),
].join("\n");
await publish("import", report);
if (failures.length > 0) throw new Error(`limits exceeded: ${failures.join("; ")}`);
