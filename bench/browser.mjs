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
