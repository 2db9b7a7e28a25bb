// Benchmark of idle subscribers of a course and of notices: memory per subscriber, CPU time, and the time until an event has reached all of them.
// Rewrites its part of docs/performance.md. `make bench` runs it.
import { readFile } from "node:fs/promises";
import { login, post } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { binary, memory, publish } from "./measured.mjs";
import { live } from "./socket.mjs";

const subscribers = Number(process.env.BENCH_SUBSCRIBERS ?? 5_000);
const idle = Number(process.env.BENCH_IDLE ?? 30);
/** The number of connections that are opened concurrently. */
const opening = 50;
/** The number of people whose notices are watched. */
const people = 50;
const password = "correct-horse-battery";
/** What is watched: by whom, and the event that reaches all. */
const watches = {
  courseActivity: {
    query:
      "subscription($id: ID!) { courseActivity(courseId: $id) { __typename at student { percent user { fullName } } } }",
    watchers: async ({ token }) => [token],
    event: async ({ call, share_code, signUp }) => {
      const ann = await signUp("ann");
      return () => call("/courses/enroll", { share_code }, ann);
    },
  },
  notices: {
    query: "subscription { notices { unread newest { id } } }",
    watchers: async ({ call, share_code, signUp }) => {
      const tokens = [];
      for (let n = 0; n < people; n += 1) {
        tokens.push(await signUp(`learner${n}`));
        await call("/courses/enroll", { share_code }, tokens[n]);
      }
      return tokens;
    },
    event: async ({ call, course }) => {
      const text = [{ type: "text", text: "On Friday" }];
      const content = { type: "doc", content: [{ type: "paragraph", content: text }] };
      return () => call(`/courses/create_announcement/${course.id}`, { title: "Exam", content });
    },
  },
};

const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

/** The memory in bytes and the CPU time in seconds of a process. */
async function used(pid) {
  const stat = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1].split(" ");
  return {
    memory: (await memory(pid)) * 2 ** 20,
    seconds: (Number(stat[11]) + Number(stat[12])) / 100,
  };
}

async function measure(database, watch) {
  const { query, watchers, event } = watches[watch];
  const server = await Server.start({ database, binary });
  try {
    const token = await login(server.url, admin.email, admin.password);
    const call = (path, body, who = token) => post(server.url, `/api/v1${path}`, body, who);
    const course = await call("/courses/create_course", { title: "Курс" });
    const { share_code } = await call(`/courses/generate_share_code/${course.id}`, {});
    const signUp = async (name) => {
      const email = `${name}@example.com`;
      await call("/users/signup", { email, password, full_name: "Анна" });
      return login(server.url, email, password);
    };
    const world = { call, course, share_code, signUp, token };
    const tokens = await watchers(world);
    const happen = await event(world);

    /** The sockets that have received something since the last reset. */
    const reachedBy = new Set();
    let last = 0;
    const sockets = [];
    const subscriber = (number) =>
      live(server.url, tokens[number % tokens.length], (message) => {
        if (message.type !== "next") throw new Error(JSON.stringify(message));
        if (reachedBy.has(number)) return;
        reachedBy.add(number);
        last = performance.now();
      });
    const open = async (count) => {
      while (sockets.length < count) {
        const some = Math.min(opening, count - sockets.length);
        const opened = await Promise.all(
          Array.from({ length: some }, (_, n) => subscriber(sockets.length + n)),
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

    reachedBy.clear();
    const sent = performance.now();
    await happen();
    const requested = performance.now() - sent;
    while (reachedBy.size < sockets.length && performance.now() - sent < 120_000) await pause(0.05);
    if (reachedBy.size !== sockets.length)
      throw new Error(`${reachedBy.size} of ${sockets.length} subscribers received the event`);
    const reached = last - sent;
    for (const socket of sockets) {
      if (socket.closed) throw new Error("a socket was closed");
      socket.end();
    }
    await pause(2);
    const empty = await used(server.pid);
    return {
      database,
      watch,
      opened: opened / 1000,
      each: (full.memory - before.memory) / subscribers / 1024,
      whole: full.memory / 1e6,
      grown: (after.memory - full.memory) / 1e6,
      processor: (100 * (after.seconds - full.seconds)) / idle,
      requested,
      reached,
      empty: empty.memory / 1e6,
    };
  } finally {
    await server.stop();
  }
}

const rows = [];
for (const database of (process.env.BENCH_DATABASES ?? "sqlite,postgres").split(",")) {
  for (const watch of Object.keys(watches)) {
    const row = await measure(database, watch);
    process.stdout.write(`${JSON.stringify(row)}\n`);
    rows.push(row);
  }
}
const names = { sqlite: "SQLite", postgres: "PostgreSQL" };
const cells = rows.map((row) =>
  [
    names[row.database],
    `\`${row.watch}\``,
    row.opened.toFixed(1),
    row.each.toFixed(1),
    row.whole.toFixed(0),
    row.grown.toFixed(1),
    row.processor.toFixed(1),
    row.requested.toFixed(0),
    row.reached.toFixed(0),
    row.empty.toFixed(0),
  ].join(" | "),
);
const table = [
  `${subscribers} subscribers on one node, each with its own socket: of \`courseActivity\`, then one learner enrolls; of \`notices\` of ${people} learners, then an announcement is published.`,
  "",
  `| database | subscription | time to connect all, s | memory per subscriber, KiB | server memory, MB | memory growth in ${idle} s idle, MB | CPU while idle, % | request that causes the event, ms | event received by all after, ms | memory after disconnecting all, MB |`,
  "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |",
  ...cells.map((row) => `| ${row} |`),
].join("\n");
await publish("live", table);
