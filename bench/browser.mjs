// Shared by the browser benchmarks: Chromium and a signed-in page.
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromiumPath } from "../scripts/chromium.mjs";
import { root } from "../scripts/server.mjs";

const { chromium } = createRequire(join(root, "web/package.json"))("@playwright/test");

export function launch() {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
}

/** A signed-in page with a desktop viewport; `slow(rate)` slows its CPU down from then on. */
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

/** The percentiles and the maximum of times in ms. Sorts `times` in place. */
export function spread(times) {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return { p50: at(0.5), p95: at(0.95), max: times.at(-1) };
}

/** The duration of a frame at 60 Hz in milliseconds, and by how much its measured duration may differ. */
const frame = 1000 / 60;
const jitter = 1;

/** The longest measured duration of a frame that was shown in time. */
export const FRAME_LIMIT = frame + jitter;

/** The durations of frames in ms: their spread, and the shares of those that took more than one frame and more than two. */
export function frameFigures(times) {
  const over = (limit) => times.filter((time) => time > limit + jitter).length / times.length;
  return { ...spread([...times]), frames: times.length, missed: over(frame), long: over(2 * frame) };
}

/** The columns of a table of `frameFigures`, and the cells of a row. */
export const FRAME_HEADS = "frames | p50, ms | p95, ms | max, ms | over 16.7 ms | over 33.3 ms";
export const frameCells = ({ frames, p50, p95, max, missed, long }) =>
  [frames, p50.toFixed(1), p95.toFixed(1), max.toFixed(1), percent(missed), percent(long)].join(" | ");

/** A share from 0 to 1 in percent. */
export const percent = (share) => `${(100 * share).toFixed(1)} %`;
