// Clients that disconnect while PostgreSQL runs their statement. The pool must keep its connections, and others must be served as usual meanwhile.
import { execFile, spawn } from "node:child_process";
import { connect } from "node:net";
import { promisify } from "node:util";
import { Server } from "../../scripts/server.mjs";
import { FLOOR_MS, percentile, signIn } from "./measure.mjs";

const run = promisify(execFile);

const CLIENTS = 200;
/** A client starts every few milliseconds and waits for an answer that long, so that a few statements are running at any time. */
const PAUSE_MS = 10;
const PATIENCE_MS = 40;

/** Returns a summary; throws when connections are lost, or when others wait more than twice as long as usual. */
export async function disconnects() {
  const server = await Server.start({ database: "postgres", settings: { KURSO_LOG: "error" } });
  const database = server.env.KURSO_DATABASE_URL ?? "";
  // Holds a lock, so that the statements of the clients wait until they are cancelled.
  const holder = spawn("psql", [database, "-q"], { stdio: ["pipe", "ignore", "inherit"] });
  try {
    const token = await signIn(server);
    await percentile(server, token); // warms up
    const usual = await percentile(server, token);
    const before = await connections(database);
    holder.stdin.write("BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE;\n");
    while (
      (await ask(
        database,
        "SELECT COUNT(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted",
      )) === "0"
    )
      await sleep(10);
    const attack = disconnectAll(server, token);
    const attacked = await percentile(server, token);
    const answered = await attack;
    const left = await ask(database, "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    const after = await connections(database);
    const kept = before.filter((pid) => after.includes(pid)).length;
    const summary = `99 % within ${usual.toFixed(1)} ms, during the attack within ${attacked.toFixed(1)} ms; ${kept} of ${before.length} connections kept`;
    if (answered > 0) throw new Error(`${answered} clients were answered before they disconnected`);
    if (kept < before.length || left !== "0") throw new Error(`${summary}; ${left} statements still wait`);
    if (attacked > 2 * Math.max(usual, FLOOR_MS)) throw new Error(summary);
    return `${CLIENTS} clients disconnected in mid-statement; ${summary}`;
  } finally {
    holder.kill();
    await server.stop();
  }
}

/** Resolves, when all have disconnected, to the number of those that got an answer before. */
async function disconnectAll(server, token) {
  const { hostname, port } = new URL(server.url);
  let answered = 0;
  const client = async () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    socket.on("data", () => {
      answered += 1;
    });
    socket.write(
      `GET /api/v1/items/ HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await sleep(PATIENCE_MS);
    socket.destroy();
  };
  const clients = [];
  for (let n = 0; n < CLIENTS; n += 1) {
    clients.push(client());
    await sleep(PAUSE_MS);
  }
  await Promise.all(clients);
  return answered;
}

/** The processes of the pool, by their id. The session that asks and the one that holds the lock are no part of it. */
async function connections(database) {
  const rows = await ask(
    database,
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name <> 'psql' AND backend_type = 'client backend'",
  );
  return rows.split("\n").filter(Boolean);
}

async function ask(database, query) {
  const { stdout } = await run("psql", [database, "-qAtc", query]);
  return stdout.trim();
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
