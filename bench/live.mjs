// Measures what subscribers cost that only wait: memory of each, time of the processor in all, and how long an event takes to
// reach every one of them. Rewrites the part of docs/performance.md about them. See bench/run.sh for how to start it.
import { readFile } from "node:fs/promises";
import { login, post } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { binary, memory, publish } from "./measured.mjs";
import { live } from "./socket.mjs";

const subscribers = Number(process.env.BENCH_SUBSCRIBERS ?? 5_000);
const idle = Number(process.env.BENCH_IDLE ?? 30);
/** Connections that are being opened at once. */
const opening = 50;
const query =
  "subscription($id: ID!) { courseActivity(courseId: $id) { __typename at student { percent user { fullName } } } }";

const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

/** Bytes in memory, and seconds of the processor. */
async function used(pid) {
  const stat = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1].split(" ");
  return {
    memory: (await memory(pid)) * 2 ** 20,
    seconds: (Number(stat[11]) + Number(stat[12])) / 100,
  };
}

async function measure(database) {
  const server = await Server.start({ database, binary });
  try {
    const token = await login(server.url, admin.email, admin.password);
    const call = (path, body, who = token) => post(server.url, `/api/v1${path}`, body, who);
    const course = await call("/courses/create_course", { title: "Курс" });
    const { share_code } = await call(`/courses/generate_share_code/${course.id}`, {});
    await call("/users/signup", { email: "ann@example.com", password: "correct-horse", full_name: "Анна" });
    const ann = await login(server.url, "ann@example.com", "correct-horse");

    let heard = 0;
    let last = 0;
    const hear = (message) => {
      if (message.type !== "next") throw new Error(JSON.stringify(message));
      heard++;
      last = performance.now();
    };
    const sockets = [];
    const open = async (count) => {
      while (sockets.length < count) {
        const some = Math.min(opening, count - sockets.length);
        const opened = await Promise.all(Array.from({ length: some }, () => live(server.url, token, hear)));
        for (const socket of opened) {
          socket.say({ type: "subscribe", id: "1", payload: { query, variables: { id: course.id } } });
        }
        sockets.push(...opened);
      }
    };
    await open(opening);
    await pause(2);
    const before = await used(server.pid);
    const started = performance.now();
    await open(subscribers + opening);
    const opened = performance.now() - started;
    await pause(5);
    const full = await used(server.pid);
    await pause(idle);
    const after = await used(server.pid);

    heard = 0;
    const told = performance.now();
    await call("/courses/enroll", { share_code }, ann);
    const enrolled = performance.now() - told;
    while (heard < sockets.length && performance.now() - told < 120_000) await pause(0.05);
    if (heard !== sockets.length) throw new Error(`${heard} of ${sockets.length} heard of it`);
    const reached = last - told;
    for (const socket of sockets) {
      if (socket.closed) throw new Error("a socket was closed");
      socket.end();
    }
    await pause(2);
    const empty = await used(server.pid);
    return {
      database,
      opened: opened / 1000,
      each: (full.memory - before.memory) / subscribers / 1024,
      whole: full.memory / 1e6,
      grown: (after.memory - full.memory) / 1e6,
      processor: (100 * (after.seconds - full.seconds)) / idle,
      enrolled,
      reached,
      empty: empty.memory / 1e6,
    };
  } finally {
    await server.stop();
  }
}

const rows = [];
for (const database of (process.env.BENCH_DATABASES ?? "sqlite,postgres").split(",")) {
  const row = await measure(database);
  process.stdout.write(`${JSON.stringify(row)}\n`);
  rows.push(row);
}
const names = { sqlite: "SQLite", postgres: "PostgreSQL" };
const cells = rows.map((row) =>
  [
    names[row.database],
    row.opened.toFixed(1),
    row.each.toFixed(1),
    row.whole.toFixed(0),
    row.grown.toFixed(1),
    row.processor.toFixed(1),
    row.enrolled.toFixed(0),
    row.reached.toFixed(0),
    row.empty.toFixed(0),
  ].join(" | "),
);
const table = [
  `${subscribers} subscribers of \`courseActivity\` on one node, each on a socket of its own; then one learner enrolls.`,
  "",
  `| database | opened in, s | memory of each, KiB | of the server, MB | grown in ${idle} s, MB | processor meanwhile, % | enrolling took, ms | all have heard after, ms | memory when all are gone, MB |`,
  "| --- | --: | --: | --: | --: | --: | --: | --: | --: |",
  ...cells.map((row) => `| ${row} |`),
].join("\n");
await publish("live", table);
