// Benchmark of idle subscribers: memory per subscriber, CPU time, and the time until an event has reached all of them. Rewrites its
// part of docs/performance.md. `make bench` runs it.
import { readFile } from "node:fs/promises";
import { login, post } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { binary, memory, publish } from "./measured.mjs";
import { live } from "./socket.mjs";

const subscribers = Number(process.env.BENCH_SUBSCRIBERS ?? 5_000);
const idle = Number(process.env.BENCH_IDLE ?? 30);
/** The number of connections that are opened concurrently. */
const opening = 50;
const query =
  "subscription($id: ID!) { courseActivity(courseId: $id) { __typename at student { percent user { fullName } } } }";

const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

/** The memory in bytes and the CPU time in seconds of a process. */
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

    let received = 0;
    let last = 0;
    const receive = (message) => {
      if (message.type !== "next") throw new Error(JSON.stringify(message));
      received++;
      last = performance.now();
    };
    const sockets = [];
    const open = async (count) => {
      while (sockets.length < count) {
        const some = Math.min(opening, count - sockets.length);
        const opened = await Promise.all(
          Array.from({ length: some }, () => live(server.url, token, receive)),
        );
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

    received = 0;
    const sent = performance.now();
    await call("/courses/enroll", { share_code }, ann);
    const enrolled = performance.now() - sent;
    while (received < sockets.length && performance.now() - sent < 120_000) await pause(0.05);
    if (received !== sockets.length)
      throw new Error(`${received} of ${sockets.length} subscribers received the event`);
    const reached = last - sent;
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
  `${subscribers} subscribers of \`courseActivity\` on one node, each with its own socket; then one learner enrolls.`,
  "",
  `| database | time to connect all, s | memory per subscriber, KiB | server memory, MB | memory growth in ${idle} s idle, MB | CPU while idle, % | enroll request, ms | event received by all after, ms | memory after disconnecting all, MB |`,
  "| --- | --: | --: | --: | --: | --: | --: | --: | --: |",
  ...cells.map((row) => `| ${row} |`),
].join("\n");
await publish("live", table);
