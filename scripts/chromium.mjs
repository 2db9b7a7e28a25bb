import { existsSync } from "node:fs";

const SHELL = "/usr/bin/chromium-headless-shell";
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];

/** The path of the Chromium for benchmarks; KURSO_CHROMIUM overrides it. @returns {string} */
export function chromiumPath() {
  return firstOf(BROWSERS);
}

/**
 * The same for tests, which need no window: Chromium's headless shell has the same engine and starts faster. @returns {string}
 */
export function headlessPath() {
  return firstOf([SHELL, ...BROWSERS]);
}

/** @param {string[]} paths @returns {string} */
function firstOf(paths) {
  const path = [process.env.KURSO_CHROMIUM, ...paths].find((path) => path !== undefined && existsSync(path));
  if (!path) throw new Error("Chromium is missing: apt-get install chromium, or name it in KURSO_CHROMIUM");
  return path;
}
