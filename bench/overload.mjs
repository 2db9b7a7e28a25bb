// Benchmark of overload: finds the sustainable request rate, then measures the latency of accepted requests, memory and recovery
// at ten times that rate. Rewrites its part of docs/performance.md. `make bench` runs it.
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
/** A rate is sustainable when no request is rejected and the p99 latency is at most this. */
const SUSTAINABLE_MS = 100;
/** The goals: the maximum ratio of the p99 latency of accepted requests to the normal one, memory increase, and recovery time. */
const MAX_RATIO = 5;
const MAX_MEGABYTES = 256;
const RECOVERY_S = 2;
const LEARNERS = 40;
/** A request that finds no free connection within this time after it was due is not sent. */
const MAX_LATE_MS = 20;
/** The number of connections. A connection sends one request at a time, and the server delays rejections. */
const CONNECTIONS = 4_000;

/** A connection that sends one request at a time. */
class Connection {
  #socket;
  #waiting = Buffer.alloc(0);
  #done;

  constructor(url, ready, failed) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true }, ready);
    this.#socket.on("data", (chunk) => this.#receive(chunk));
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => {
      const done = this.#done;
      this.#done = undefined;
      failed();
      done?.(0, "");
    });
  }

  /** `done` gets the status, or 0 when the connection was closed, and the response headers. */
  send(bytes, done) {
    this.#done = done;
    this.#socket.write(bytes);
  }

  #receive(chunk) {
    this.#waiting = this.#waiting.length ? Buffer.concat([this.#waiting, chunk]) : chunk;
    const end = this.#waiting.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = this.#waiting.toString("latin1", 0, end).toLowerCase();
    const length = head.match(/content-length: (\d+)/)?.[1];
    if (length === undefined) throw new Error(`a response without content-length: ${head}`);
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

/** Open-loop load generator: sends requests at a fixed rate regardless of earlier responses. */
class LoadGenerator {
  /** @type {Connection[]} */
  #idle = [];
  #connections = new Set();
  #connecting = 0;

  constructor(url, requests) {
    this.url = url;
    this.requests = requests;
  }

  /**
   * Runs at `rate` requests/s. Returns for each sent request the time it was due, its status, and the latency since then in ms; and
   * the number of requests that were not sent.
   */
  async run(rate, forSeconds) {
    const results = [];
    let due = [];
    let first = 0;
    const started = performance.now();
    let counted = 0;
    let unsent = 0;
    let open = 0;
    const dispatch = () => {
      for (; first < due.length && performance.now() - due[first] > MAX_LATE_MS; first += 1) unsent += 1;
      if (first > 10_000) {
        due = due.slice(first);
        first = 0;
      }
      while (first < due.length && this.#idle.length > 0) {
        const connection = this.#idle.pop();
        const at = due[first];
        first += 1;
        const request = this.requests[Math.floor(Math.random() * this.requests.length)];
        open += 1;
        connection.send(request, (status, head) => {
          open -= 1;
          results.push({ at: at - started, status, ms: performance.now() - at, head });
          if (status > 0) this.#idle.push(connection);
          dispatch();
        });
      }
      while (due.length - first > this.#connecting && this.#connections.size < CONNECTIONS) {
        this.#connecting += 1;
        let isReady = false;
        const connection = new Connection(
          this.url,
          () => {
            isReady = true;
            this.#connecting -= 1;
            this.#idle.push(connection);
            dispatch();
          },
          () => {
            if (!isReady) this.#connecting -= 1;
            this.#connections.delete(connection);
            this.#idle = this.#idle.filter((other) => other !== connection);
          },
        );
        this.#connections.add(connection);
      }
    };
    while (performance.now() - started < forSeconds * 1000) {
      const now = performance.now();
      const wanted = Math.floor(((now - started) / 1000) * rate);
      for (; counted < wanted; counted += 1) due.push(now);
      dispatch();
      await new Promise((done) => setTimeout(done, 2));
    }
    unsent += due.length - first;
    due = [];
    first = 0;
    const deadline = performance.now() + 20_000;
    while (open > 0 && performance.now() < deadline) await new Promise((done) => setTimeout(done, 5));
    if (open > 0) throw new Error(`${open} requests got no answer for 20 s`);
    return { results, unsent, due: counted / forSeconds };
  }

  end() {
    for (const connection of this.#connections) connection.end();
  }
}

function head(method, path, token, body) {
  const text = body === undefined ? "" : JSON.stringify(body);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `${body === undefined ? "" : "Content-Type: application/json\r\n"}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** The request mix: of ten requests, seven read and three write. */
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

/** Throws on a response other than 200, or 503 with Retry-After. */
function verify(run) {
  for (const { status, head } of run.results) {
    if (status === 200 || (status === 503 && /retry-after: \d/.test(head))) continue;
    throw new Error(`unexpected status ${status}: ${head}`);
  }
}

/** The highest sustainable rate in runs of 4 s, found by doubling and bisection. */
async function sustainable(generator) {
  const isSustainableOnce = async (rate) => {
    const run = await generator.run(rate, 4);
    verify(run);
    const is = shed(run).length === 0 && run.unsent === 0 && p99(accepted(run)) <= SUSTAINABLE_MS;
    process.stderr.write(
      `${rate}/s: p99 ${p99(accepted(run)).toFixed(0)} ms${is ? "" : ", not sustainable"}\n`,
    );
    await new Promise((done) => setTimeout(done, 1_500));
    return is;
  };
  // Retried once, because other work on the machine may have disturbed the run.
  const isSustainable = async (rate) => (await isSustainableOnce(rate)) || (await isSustainableOnce(rate));
  let low = 25;
  if (!(await isSustainable(low))) throw new Error("25 requests/s are not sustainable");
  while (await isSustainable(low * 2)) low *= 2;
  let high = low * 2;
  for (let step = 0; step < 3; step += 1) {
    const middle = Math.round((low + high) / 2);
    if (await isSustainable(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The highest rate that is also sustainable for 15 s, and the p99 latency at that rate. */
async function sustained(generator) {
  for (let rate = await sustainable(generator); ; rate = Math.round(rate * 0.9)) {
    const run = await generator.run(rate, 15);
    verify(run);
    const normal = p99(accepted(run));
    process.stderr.write(`${rate}/s for 15 s: p99 ${normal.toFixed(0)} ms\n`);
    if (shed(run).length === 0 && normal <= SUSTAINABLE_MS) return { rate, normal };
    await new Promise((done) => setTimeout(done, 1_500));
  }
}

/** Pins a process to cores, in the syntax of taskset. The load generator must not take CPU time from the server. */
async function pin(pid, cores) {
  await promisify(execFile)("taskset", ["-apc", cores, String(pid)]);
}

async function measure(database) {
  const server = await Server.start({ binary, database, settings: { KURSO_LOG: "error" } });
  await pin(server.pid, "0");
  const generator = new LoadGenerator(server.url, await mixed(server));
  try {
    await generator.run(20, 3);
    const { rate, normal } = await sustained(generator);
    const rest = await memory(server.pid);
    await forgetMost(server.pid);
    const over = await generator.run(rate * TIMES, seconds);
    verify(over);
    const above = (await memory(server.pid, "VmHWM")) - rest;
    // At half the sustainable rate: recovered after the last request that was rejected or slow.
    const after = await generator.run(rate / 2, 6);
    verify(after);
    const limit = Math.max(SUSTAINABLE_MS, 2 * normal);
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
    generator.end();
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
  `${TIMES} times the sustainable rate for ${seconds} s. The server has one core, the load generator the others (and PostgreSQL both), with ${CONNECTIONS} connections. A request that finds no free connection within ${MAX_LATE_MS} ms is not sent. Latency is measured from the time at which the request was due.`,
  "| database | sustainable, requests/s | p99 at that rate, ms | offered, requests/s | served, requests/s | rejected, requests/s | not sent, requests/s | p99 of served requests, ms | **ratio to normal p99** | p99 of rejections, ms | memory increase, MB | recovery, s |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n" +
    lines.map((line) => `| ${line} |`).join("\n"),
].join("\n\n");
await publish("overload", report);
for (const { database, loaded, normal, above, back } of found) {
  if (loaded > MAX_RATIO * normal)
    throw new Error(`${database}: p99 of ${loaded} ms is more than ${MAX_RATIO} times ${normal} ms`);
  if (above > MAX_MEGABYTES) throw new Error(`${database}: the memory increased by ${above} MB`);
  if (back > RECOVERY_S) throw new Error(`${database}: the recovery took ${back} s`);
}
