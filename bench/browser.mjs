// What the measurements in a browser share: Chromium, a signed-in window, and their part of docs/performance.md.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromiumPath } from "../scripts/chromium.mjs";
import { root } from "../scripts/server.mjs";

const { chromium } = createRequire(join(root, "web/package.json"))("playwright-core");

/** The binary that is measured; BENCH_BINARY names another one. */
export const binary = process.env.BENCH_BINARY ?? join(root, "target/release/kurso");

export function launch() {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
}

/** A window of a desk, signed in; `slow` slows its processor down from then on. */
export async function signedInPage(browser, server, token) {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1440, height: 900 },
    locale: "ru-RU",
  });
  await context.addInitScript((token) => localStorage.setItem("access_token", token), token);
  const page = await context.newPage();
  const slow = async (rate) => {
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate });
  };
  return { context, page, slow };
}

/** Of times in ms; sorts them. */
export function spread(times) {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { p50: at(0.5), p95: at(0.95), max: times.at(-1) };
}

/** Prints a report and puts it between its marks in docs/performance.md. */
export async function publish(name, report) {
  process.stdout.write(`${report}\n`);
  if (process.env.BENCH_PRINT_ONLY) return;
  const file = join(root, "docs/performance.md");
  const [begin, end] = [`<!-- bench:${name}:begin -->`, `<!-- bench:${name}:end -->`];
  const before = await readFile(file, "utf8");
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has lost its markers`);
  await writeFile(file, `${before.slice(0, from + begin.length)}\n${report}\n${before.slice(to)}`);
}
