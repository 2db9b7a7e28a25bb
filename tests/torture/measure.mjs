// Measures how a server answers while it is attacked.
import { login } from "../../scripts/client.mjs";
import { admin } from "../../scripts/server.mjs";

/** Requests per measurement. */
const REQUESTS = 600;
/**
 * A shorter 99th percentile than this counts as this. With two cores, server, attacker and measurement share them, and a process that waits for a core alone
 * costs tens of milliseconds. Without protection every request gets 503, or waits for seconds.
 */
export const FLOOR_MS = 25;

/** @param {import("../../scripts/server.mjs").Server} server */
export function signIn(server) {
  return login(server.url, admin.email, admin.password);
}

/**
 * Sends requests with and without a body, one after the other. Returns the 99th percentile of their times.
 * @param {import("../../scripts/server.mjs").Server} server @param {string} token
 */
export async function percentile(server, token) {
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
