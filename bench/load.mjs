// Runs wrk and parses its result. A failed request or an unexpected response fails the benchmark.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../scripts/server.mjs";

const run = promisify(execFile);
export const seconds = Number(process.env.BENCH_SECONDS ?? 8);
export const connections = 16;

/** Runs wrk with a script of this folder and its environment, `at` connections and for `lasting` seconds. Latencies are in ms. */
export async function wrk(url, script, environment, at = connections, lasting = seconds) {
  const args = ["-t1", `-c${at}`, `-d${lasting}s`, "--latency", "-s", join(root, "bench", script), url];
  const env = { ...process.env, RESULT_LUA: join(root, "bench/result.lua"), ...environment };
  const { stdout } = await run("wrk", args, { env });
  const line = stdout.match(/^RESULT (.*)$/m);
  if (!line) throw new Error(`wrk ended without a result:\n${stdout}`);
  const result = JSON.parse(line[1]);
  if (result.bad > 0 || result.errors > 0 || result.requests === 0) {
    throw new Error(
      `${url}: of ${result.requests} requests ${result.bad} had a wrong response, ${result.errors} failed`,
    );
  }
  return { rps: result.requests / result.seconds, p50: result.p50, p99: result.p99 };
}

/** Repeats one request; `expected` is the length that every response must have. */
export function load(url, { method = "GET", body = "", token = "", expected, at = connections, lasting }) {
  const environment = {
    METHOD: method,
    BODY: body,
    AUTHORIZATION: `Bearer ${token}`,
    EXPECTED_LENGTH: String(expected),
  };
  return wrk(url, "load.lua", environment, at, lasting);
}

/**
 * Repeats a GET without a script: wrk then checks no response in Lua, which costs it more than nginx needs to serve it. Returns
 * requests per second; a status other than 2xx or a failed request fails the benchmark.
 */
export async function bareLoad(url, { at = connections, lasting = seconds } = {}) {
  const { stdout } = await run("wrk", ["-t1", `-c${at}`, `-d${lasting}s`, url]);
  const rps = Number(stdout.match(/^Requests\/sec:\s+([\d.]+)/m)?.[1]);
  if (!(rps > 0) || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url}:\n${stdout}`);
  return rps;
}
