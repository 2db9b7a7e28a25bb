import { existsSync } from "node:fs";

/** The path of the Chromium for tests and benchmarks; KURSO_CHROMIUM overrides it. @returns {string} */
export function chromiumPath() {
  const path = [process.env.KURSO_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (!path) throw new Error("Chromium is missing: apt-get install chromium, or name it in KURSO_CHROMIUM");
  return path;
}
