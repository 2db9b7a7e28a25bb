// Ten times the load that the server can carry: what becomes of those who are let in, of its memory, and how soon it is over.
// First looks how much it can carry. Rewrites its part of docs/performance.md. See bench/run.sh for how to start it.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { login, post } from "../scripts/client.mjs";
import { admin, Server } from "../scripts/server.mjs";
import { School } from "../tests/torture/school.mjs";
import { binary, forgetMost, memory, publish } from "./measured.mjs";

const seconds = Number(process.env.BENCH_OVERLOAD_SECONDS ?? 60);
const databases = (process.env.BENCH_DATABASES ?? "sqlite,postgres").split(",");
const TIMES = 10;
/** A load is carried when nobody is turned away and one in a hundred waits no longer than this. */
const CARRIED_MS = 100;
/** What must hold: how much longer one in a hundred of those let in may wait, megabytes more, seconds until it is over. */
const LONGER = 5;
const MEGABYTES = 256;
const OVER_S = 2;
const LEARNERS = 40;
/** A request that finds no connection free within so long of when it was due is not sent. */
const LATE_MS = 20;
/** Connections of the crowd. Who waits for an answer sends nothing else on theirs, and the server has answers wait that are refusals. */
const CONNECTIONS = 4_000;

/** One connection: a request after the other. */
class Line {
  #socket;
  #waiting = Buffer.alloc(0);
  #done;

  constructor(url, ready, failed) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true }, ready);
    this.#socket.on("data", (chunk) => this.#hear(chunk));
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      const done = this.#done;
      this.#done = undefined;
      failed();
      done?.(0, "");
    });
  }

  /** `done` gets the status, 0 when the connection broke, and the head. */
  send(bytes, done) {
    this.#done = done;
    this.#socket.write(bytes);
  }

  #hear(chunk) {
    this.#waiting = this.#waiting.length ? Buffer.concat([this.#waiting, chunk]) : chunk;
    const end = this.#waiting.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.#waiting.toString("latin1", 0, end).toLowerCase();
    const length = head.match(/content-length: (\d+)/)?.[1];
    if (length === undefined) throw new Error(`an answer without a length: ${head}`);
    if (this.#waiting.length < end + 4 + Number(length)) return;
    this.#waiting = Buffer.alloc(0);
    const done = this.#done;
    this.#done = undefined;
    done?.(Number(head.slice(9, 12)), head);
  }

  end() {
    this.#socket.destroy();
  }
}

/** Requests at a rate, whatever becomes of those before: nobody waits for a server to be ready for them. */
class Crowd {
  /** @type {Line[]} */
  #idle = [];
  #lines = new Set();
  #connecting = 0;

  constructor(url, requests) {
    this.url = url;
    this.requests = requests;
  }

  /** Answers with what became of each request: when it was due, its status, and the milliseconds from then on. */
  async come(rate, forSeconds) {
    const results = [];
    let due = [];
    let first = 0;
    const started = performance.now();
    let counted = 0;
    let unsent = 0;
    let open = 0;
    const give = () => {
      for (; first < due.length && performance.now() - due[first] > LATE_MS; first += 1) unsent += 1;
      if (first > 10_000) {
        due = due.slice(first);
        first = 0;
      }
      while (first < due.length && this.#idle.length > 0) {
        const line = this.#idle.pop();
        const at = due[first];
        first += 1;
        const request = this.requests[Math.floor(Math.random() * this.requests.length)];
        open += 1;
        line.send(request, (status, head) => {
          open -= 1;
          results.push({ at: at - started, status, ms: performance.now() - at, head });
          if (status > 0) this.#idle.push(line);
          give();
        });
      }
      while (due.length - first > this.#connecting && this.#lines.size < CONNECTIONS) {
        this.#connecting += 1;
        let isReady = false;
        const line = new Line(
          this.url,
          () => {
            isReady = true;
            this.#connecting -= 1;
            this.#idle.push(line);
            give();
          },
          () => {
            if (!isReady) this.#connecting -= 1;
            this.#lines.delete(line);
            this.#idle = this.#idle.filter((other) => other !== line);
          },
        );
        this.#lines.add(line);
      }
    };
    while (performance.now() - started < forSeconds * 1000) {
      const now = performance.now();
      const wanted = Math.floor(((now - started) / 1000) * rate);
      for (; counted < wanted; counted += 1) due.push(now);
      give();
      await new Promise((done) => setTimeout(done, 2));
    }
    unsent += due.length - first;
    due = [];
    first = 0;
    const patience = performance.now() + 20_000;
    while (open > 0 && performance.now() < patience) await new Promise((done) => setTimeout(done, 5));
    if (open > 0) throw new Error(`${open} requests got no answer for 20 s`);
    return { results, unsent, due: counted / forSeconds };
  }

  end() {
    for (const line of this.#lines) line.end();
  }
}

function head(method, path, token, body) {
  const text = body === undefined ? "" : JSON.stringify(body);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `${body === undefined ? "" : "Content-Type: application/json\r\n"}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** What a school does: of ten requests seven read and three write. */
async function mixed(server) {
  const school = await School.open(server, admin, Math.random);
  const requests = [];
  const tree = `query($id: ID!) { course(id: $id) { title progress { percent } modules { lessons { title pages { id title isCompleted } } } } }`;
  const password = "correct-horse-battery";
  for (let n = 0; n < LEARNERS; n += 1) {
    const email = `${randomUUID()}@example.com`;
    await post(server.url, "/api/v1/users/signup", { email, password });
    const token = await login(server.url, email, password);
    await post(server.url, "/api/v1/courses/enroll", { share_code: school.code }, token);
    const page = school.pages[n % school.pages.length];
    const text = randomUUID();
    const content = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] };
    const ask = { query: tree, variables: { id: school.course } };
    const attempt = { answers: [{ question_id: school.question, text: "no" }] };
    requests.push(
      ...Array.from({ length: 3 }, () => head("GET", `/api/v1/courses/enrolled_page/${page}`, token)),
      ...Array.from({ length: 3 }, () => head("POST", "/graphql", token, ask)),
      head("GET", "/api/v1/courses/list_courses", token),
      head("POST", `/api/v1/courses/mark_page_visited/${page}`, token),
      head("POST", `/api/v1/courses/submit_quiz/${school.quiz}`, token, attempt),
      head("PUT", `/api/v1/courses/update_page/${page}`, school.token, { content }),
    );
  }
  return requests;
}

const accepted = ({ results }) => results.filter(({ status }) => status === 200);
const shed = ({ results }) => results.filter(({ status }) => status === 503);

function p99(results) {
  const sorted = results.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY;
}

/** Nothing but success and «come again in so many seconds». */
function verify(run) {
  for (const { status, head } of run.results) {
    if (status === 200 || (status === 503 && /retry-after: \d/.test(head))) continue;
    throw new Error(`an answer with ${status}: ${head}`);
  }
}

/** The highest rate that is carried: doubled until it is not, then narrowed down. */
async function carried(crowd) {
  const isCarriedOnce = async (rate) => {
    const run = await crowd.come(rate, 4);
    verify(run);
    const is = shed(run).length === 0 && run.unsent === 0 && p99(accepted(run)) <= CARRIED_MS;
    process.stderr.write(`${rate}/s: p99 ${p99(accepted(run)).toFixed(0)} ms${is ? "" : ", too much"}\n`);
    await new Promise((done) => setTimeout(done, 1_500));
    return is;
  };
  // Once more: a moment in which the machine did something else is not a load that is too much.
  const isCarried = async (rate) => (await isCarriedOnce(rate)) || (await isCarriedOnce(rate));
  let low = 25;
  if (!(await isCarried(low))) throw new Error("it does not carry 25 requests a second");
  while (await isCarried(low * 2)) low *= 2;
  let high = low * 2;
  for (let step = 0; step < 3; step += 1) {
    const middle = Math.round((low + high) / 2);
    if (await isCarried(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** What is carried for a longer time, too: the rate, and one in a hundred waits so many milliseconds then. */
async function sustained(crowd) {
  for (let rate = await carried(crowd); ; rate = Math.round(rate * 0.9)) {
    const run = await crowd.come(rate, 15);
    verify(run);
    const normal = p99(accepted(run));
    process.stderr.write(`${rate}/s for 15 s: p99 ${normal.toFixed(0)} ms\n`);
    if (shed(run).length === 0 && normal <= CARRIED_MS) return { rate, normal };
    await new Promise((done) => setTimeout(done, 1_500));
  }
}

/** To cores as taskset names them: a crowd on the server's own takes its time, and not its places. */
async function pin(pid, cores) {
  await promisify(execFile)("taskset", ["-apc", cores, String(pid)]);
}

async function measure(database) {
  const server = await Server.start({ binary, database, settings: { KURSO_LOG: "error" } });
  await pin(server.pid, "0");
  const crowd = new Crowd(server.url, await mixed(server));
  try {
    await crowd.come(20, 3);
    const { rate, normal } = await sustained(crowd);
    const rest = await memory(server.pid);
    await forgetMost(server.pid);
    const over = await crowd.come(rate * TIMES, seconds);
    verify(over);
    const above = (await memory(server.pid, "VmHWM")) - rest;
    // Half of what it carries: from when on is nobody turned away, and nobody waits longer than on any other day?
    const after = await crowd.come(rate / 2, 6);
    verify(after);
    const limit = Math.max(CARRIED_MS, 2 * normal);
    const last = after.results.filter(({ status, ms }) => status !== 200 || ms > limit).at(-1);
    return {
      database,
      rate,
      normal,
      due: over.due,
      unsent: over.unsent / seconds,
      served: accepted(over).length / seconds,
      refused: shed(over).length / seconds,
      loaded: p99(accepted(over)),
      refusal: p99(shed(over)),
      above,
      back: (last?.at ?? 0) / 1000,
    };
  } finally {
    crowd.end();
    await server.stop();
  }
}

await pin(process.pid, `1-${availableParallelism() - 1}`);
const found = [];
for (const database of databases) found.push(await measure(database));
const lines = found.map((row) =>
  [
    row.database === "sqlite" ? "SQLite" : "PostgreSQL",
    row.rate,
    row.normal.toFixed(0),
    Math.round(row.due),
    Math.round(row.served),
    Math.round(row.refused),
    Math.round(row.unsent),
    row.loaded.toFixed(0),
    `**${(row.loaded / row.normal).toFixed(1)}**`,
    row.refusal.toFixed(0),
    row.above.toFixed(0),
    row.back.toFixed(1),
  ].join(" | "),
);
const report = [
  `${TIMES} times the load that it carries, for ${seconds} s. The server has one core, the generator the others (and PostgreSQL both); the crowd ${CONNECTIONS} connections. What finds none of them free within ${LATE_MS} ms is not sent. A request's time begins when it was due.`,
  "| database | carried, requests/s | p99 then, ms | due, requests/s | served, requests/s | turned away, requests/s | not sent, requests/s | p99 of those served, ms | **times the p99 before** | p99 of a refusal, ms | memory above that before, MB | over after, s |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n" +
    lines.map((line) => `| ${line} |`).join("\n"),
].join("\n\n");
await publish("overload", report);
for (const { database, loaded, normal, above, back } of found) {
  if (loaded > LONGER * normal)
    throw new Error(`${database}: p99 of ${loaded} ms is more than ${LONGER} times ${normal} ms`);
  if (above > MEGABYTES) throw new Error(`${database}: ${above} MB more`);
  if (back > OVER_S) throw new Error(`${database}: over after ${back} s only`);
}
