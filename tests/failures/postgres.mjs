// Failures of PostgreSQL under a running server: a restart, a failover to a standby, and a server that stops responding.
import { execFile } from "node:child_process";
import { connect, createServer } from "node:net";
import { promisify } from "node:util";
import { live } from "../../bench/socket.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { Cluster } from "../torture/cluster.mjs";
import { School } from "../torture/school.mjs";
import {
  call,
  isNotReady,
  isReady,
  mustBeFine,
  mustBeRefused,
  mustBeWhole,
  mustHaveNoFaults,
  save,
  sleep,
  sum,
  until,
} from "./watch.mjs";

const run = promisify(execFile);

export const postgresTrials = [
  ["PostgreSQL is stopped and started", restarted],
  ["another PostgreSQL takes over", failedOver],
  ["PostgreSQL says nothing any more", silent],
];

const AWAY = "Сервер не может связаться с базой данных";
const READ_ONLY = "Сервер сейчас не может ничего записать";
const BUSY = "Сервер занят";
const BACK_MS = 5_000;

async function withServer(url, settings, trial) {
  const server = await Server.start({
    settings: { KURSO_LOG: "error", KURSO_FILES_GRACE: "1h", KURSO_DATABASE_URL: url, ...settings },
  });
  try {
    const school = await School.open(server, admin, Math.random);
    const { pid } = server;
    const said = await trial(server, school);
    if (server.pid !== pid) throw new Error("the server was started anew");
    mustHaveNoFaults(server, school);
    return said;
  } finally {
    await server.stop();
  }
}

/** Checks that every kind of call gets a clear 503, except those that need no database. */
async function mustBeAway(server, school, words, within) {
  const { token } = school;
  const path = `/api/v1/courses/get_page/${school.pages[0]}`;
  mustBeRefused("a page", await call(server, "GET", path, { token }), words, within);
  const answer = await call(server, "POST", "/graphql", { token, body: { query: "{ me { id } }" } });
  mustBeRefused("GraphQL", answer, words, within);
  const alive = await call(server, "GET", "/healthz");
  if (alive.status !== 200) throw new Error(`/healthz says ${alive.status} while the process is there`);
  mustBeFine("the web app", { ...(await call(server, "GET", "/")), text: "" });
}

/** Checks that live events arrive, which use LISTEN on a separate connection. */
async function mustTell(server, school) {
  const heard = [];
  const socket = await live(server.url, school.token, (message) => heard.push(message));
  const query = `subscription { courseActivity(courseId: "${school.course}") { __typename } }`;
  socket.say({ type: "subscribe", id: "1", payload: { query } });
  const work = school.work();
  await until(
    "an event arrives",
    10_000,
    () => heard.some((message) => message.payload?.data?.courseActivity) || JSON.stringify(heard.slice(0, 2)),
  );
  await school.rest(work);
  socket.end();
}

async function listeners(url) {
  const query =
    "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'kurso live' AND query LIKE 'LISTEN%'";
  const { stdout } = await run("psql", [url, "-Atqc", query]);
  return Number(stdout);
}

async function restarted() {
  const cluster = await Cluster.start();
  try {
    return await withServer(cluster.url, {}, async (server, school) => {
      await mustTell(server, school);
      const work = school.work();
      await sleep(1_000);
      await cluster.crash();
      await until("not ready", 3_000, () => isNotReady(server));
      await mustBeAway(server, school, AWAY);
      await sleep(2_000);
      await mustBeAway(server, school, AWAY);
      await cluster.resume();
      const back = await until("ready", BACK_MS, () => isReady(server));
      await until("it listens", BACK_MS, async () => (await listeners(cluster.url)) === 1 || "no LISTEN");
      await sleep(500);
      await school.rest(work);
      await school.verify();
      await mustTell(server, school);
      await mustBeWhole(server);
      return `${sum(school.counts)} acknowledged writes all there, ready again after ${back} ms, told live again`;
    });
  } finally {
    await cluster.stop();
  }
}

/** A TCP proxy whose target can be switched. */
class Address {
  #target;
  /** @type {Set<import("node:net").Socket[]>} */
  #pairs = new Set();

  static async start(target) {
    const address = new Address();
    address.#target = target;
    address.server = createServer((client) => address.#lead(client));
    await new Promise((done) => address.server.listen(0, "127.0.0.1", () => done(undefined)));
    address.url = `postgres://kurso@127.0.0.1:${address.server.address().port}/postgres`;
    return address;
  }

  #lead(client) {
    const server = connect(this.#target, "127.0.0.1");
    const pair = [client, server];
    this.#pairs.add(pair);
    for (const end of pair) {
      end.on("error", () => {});
      end.on("close", () => {
        this.#pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
    client.pipe(server);
    server.pipe(client);
  }

  /** Switches the target. Open connections are closed, or silenced. */
  leadTo(target, { silently = false } = {}) {
    this.#target = target;
    for (const pair of [...this.#pairs]) {
      if (silently) {
        pair[0].unpipe(pair[1]);
        pair[1].unpipe(pair[0]);
      } else {
        for (const end of pair) end.destroy();
      }
    }
  }

  stop() {
    this.leadTo(1);
    this.server.close();
  }
}

async function failedOver() {
  const first = await Cluster.start();
  let second;
  const address = await Address.start(first.port);
  try {
    second = await first.standby();
    return await withServer(address.url, {}, async (server, school) => {
      const work = school.work();
      await sleep(1_500);
      // The primary is gone and the standby is not promoted yet.
      await first.crash();
      address.leadTo(second.port);
      await until("a save that is refused by the standby", 5_000, async () => {
        const answer = await save(server, school, school.spare, "x");
        if (!answer.text.includes(READ_ONLY)) return `${answer.status} ${answer.text}`;
        mustBeRefused("a save", answer, READ_ONLY);
        return true;
      });
      await until("not ready", 3_000, () => isNotReady(server));
      const path = `/api/v1/courses/get_page/${school.pages[0]}`;
      mustBeFine("reading from the standby", await call(server, "GET", path, { token: school.token }));
      await second.promote();
      const back = await until("a save", BACK_MS, async () => {
        const { status, text } = await save(server, school, school.spare, "again");
        return status === 200 || `${status} ${text}`;
      });
      await until("ready", BACK_MS, () => isReady(server));
      await sleep(500);
      await school.rest(work);
      await school.verify();
      await mustTell(server, school);
      await mustBeWhole(server);
      return `${sum(school.counts)} acknowledged writes all there, writes again ${back} ms after the standby took over`;
    });
  } finally {
    address.stop();
    await second?.stop();
    await first.stop();
  }
}

async function silent() {
  const cluster = await Cluster.start();
  const address = await Address.start(cluster.port);
  try {
    // A statement may take a second; its response is awaited for five more.
    const settings = { KURSO_SQL_TIMEOUT: "1s", KURSO_POOL_WAIT: "2s", KURSO_REQUEST_TIMEOUT: "10s" };
    return await withServer(address.url, settings, async (server, school) => {
      const work = school.work();
      await sleep(1_000);
      address.leadTo(cluster.port, { silently: true });
      // All pooled connections are dead without an error.
      const asked = Array.from({ length: 30 }, () => save(server, school, school.spare, "x"));
      let refused = 0;
      for (const answer of await Promise.all(asked)) {
        if (answer.status === 200) continue;
        refused += 1;
        // None takes longer than the request timeout.
        mustBeRefused("a save", answer, answer.text.includes(BUSY) ? BUSY : AWAY, 12_000);
      }
      const back = await until("a save", 15_000, async () => {
        const { status, text } = await save(server, school, school.spare, "again");
        return status === 200 || `${status} ${text}`;
      });
      await sleep(500);
      await school.rest(work);
      await school.verify();
      await mustBeWhole(server);
      return `${sum(school.counts)} acknowledged writes all there, ${refused} of 30 refused, writes again after ${back} ms more`;
    });
  } finally {
    address.stop();
    await cluster.stop();
  }
}
