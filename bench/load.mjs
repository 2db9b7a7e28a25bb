// Runs wrk and reads its result. Whatever fails, or answers differently from what was verified beforehand, ends the run with
// an error.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../scripts/server.mjs";

const run = promisify(execFile);
export const seconds = Number(process.env.BENCH_SECONDS ?? 8);
export const connections = 16;

/** One run of wrk with a script of this folder and what it reads from its environment. */
export async function wrk(url, script, environment, at = connections, lasting = seconds) {
  const args = ["-t1", `-c${at}`, `-d${lasting}s`, "--latency", "-s", join(root, "bench", script), url];
  const env = { ...process.env, RESULT_LUA: join(root, "bench/result.lua"), ...environment };
  const { stdout } = await run("wrk", args, { env });
  const line = stdout.match(/^RESULT (.*)$/m);
  if (!line) throw new Error(`wrk ended without a result:\n${stdout}`);
  const result = JSON.parse(line[1]);
  if (result.bad > 0 || result.errors > 0 || result.requests === 0) {
    throw new Error(
      `${url}: of ${result.requests} requests ${result.bad} had a wrong answer, ${result.errors} failed`,
    );
  }
  return { rps: result.requests / result.seconds, p50: result.p50, p99: result.p99 };
}

/** The same request again and again; `expected` is the length that every answer must have. */
export function load(url, { method = "GET", body = "", token = "", expected, at = connections, lasting }) {
  const environment = {
    METHOD: method,
    BODY: body,
    AUTHORIZATION: `Bearer ${token}`,
    EXPECTED_LENGTH: String(expected),
  };
  return wrk(url, "load.lua", environment, at, lasting);
}
