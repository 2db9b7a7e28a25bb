// Shared by the benchmarks: the measured binary, the memory of a process, and updates of docs/performance.md.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../scripts/server.mjs";

/** The measured binary; BENCH_BINARY names another one. */
export const binary = process.env.BENCH_BINARY ?? join(root, "target/release/kurso");

/** The current (`VmRSS`) or peak (`VmHWM`) memory of a process in megabytes. */
export async function memory(pid, what = "VmRSS") {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(status.match(new RegExp(`${what}:\\s+(\\d+)`))[1]) / 1024;
}

/** Resets the peak memory `VmHWM` of a process. */
export async function forgetMost(pid) {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
}

/** Prints a report and writes it between its markers in docs/performance.md. */
export async function publish(name, report) {
  process.stdout.write(`${report}\n`);
  if (process.env.BENCH_PRINT_ONLY) return;
  const file = join(root, "docs/performance.md");
  const [begin, end] = [`<!-- bench:${name}:begin -->`, `<!-- bench:${name}:end -->`];
  const before = await readFile(file, "utf8");
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} does not have the markers of ${name}`);
  await writeFile(file, `${before.slice(0, from + begin.length)}\n${report}\n${before.slice(to)}`);
}
