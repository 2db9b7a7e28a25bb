// An attack from one address: connections whose request bodies never end. Others must be served as usual meanwhile.
import { connect } from "node:net";
import { admin, Server } from "../../scripts/server.mjs";

/** The address of the attacker; the others use 127.0.0.1. */
const ATTACKER = "127.0.0.2";
/** Requests of the others before and during the attack. */
const REQUESTS = 400;
/** A shorter 99th percentile than this counts as this: the machine has other work. */
const FLOOR_MS = 20;
/** How many connections the attacker opens at a time. */
const STEP = 50;

/**
 * Returns a summary; throws when others get a wrong status, or wait more than twice as long as usual.
 * @param {{ database: "sqlite" | "postgres", bodies: number }} options
 */
export async function slowBodies({ database, bodies }) {
  const server = await Server.start({ database, settings: { KURSO_LOG: "error" } });
  /** @type {import("node:net").Socket[]} */
  const sockets = [];
  try {
    const token = await signIn(server);
    await served(server, token); // warms up
    const usual = await served(server, token);
    let isOver = false;
    const attack = (async () => {
      while (!isOver) {
        const open = sockets.filter((socket) => !socket.destroyed);
        sockets.length = 0;
        sockets.push(...open);
        const missing = Math.min(bodies - sockets.length, STEP);
        for (let n = 0; n < missing; n += 1) sockets.push(trickle(server));
        await new Promise((done) => setTimeout(done, missing > 0 ? 5 : 50));
      }
    })();
    // The attack is at its height when the server holds, or has evicted, the given number.
    await new Promise((done) => setTimeout(done, (bodies / STEP) * 20));
    const attacked = await served(server, token);
    isOver = true;
    await attack;
    const limit = 2 * Math.max(usual, FLOOR_MS);
    const summary = `99 % within ${usual.toFixed(1)} ms, during the attack within ${attacked.toFixed(1)} ms`;
    if (attacked > limit) throw new Error(summary);
    return `${bodies} bodies; ${summary}`;
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.stop();
  }
}

/** Starts a request whose body never ends. @param {Server} server */
function trickle(server) {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: ATTACKER });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => socket.destroy());
  socket.on("data", () => {});
  socket.write(
    `POST /api/v1/login/access-token HTTP/1.1\r\nHost: ${hostname}\r\n` +
      "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\nu",
  );
  return socket;
}

/** @param {Server} server */
async function signIn(server) {
  const response = await fetch(`${server.url}/api/v1/login/access-token`, {
    method: "POST",
    body: new URLSearchParams({ username: admin.email, password: admin.password }),
  });
  if (response.status !== 200) throw new Error(`signing in: ${response.status}`);
  return /** @type {{ access_token: string }} */ (await response.json()).access_token;
}

/** Sends requests with and without a body, one after the other. Returns the 99th percentile of their times. @param {Server} server @param {string} token */
async function served(server, token) {
  const times = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    const started = performance.now();
    const response = await (n % 2 === 0
      ? fetch(`${server.url}/api/v1/users/me`, { headers: { Authorization: `Bearer ${token}` } })
      : fetch(`${server.url}/graphql`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: JSON.stringify({ query: "{ me { id } }" }),
        }));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`request ${n}: ${response.status}`);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}
