// After `vite build`: puts the library of the API's documentation beside its page, writes .br and .gz beside every text
// asset, so that the server compresses nothing while it answers, and fails when a screen's first load carries more
// JavaScript than we promise.
import { copyFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const dist = path.resolve(import.meta.dirname, "../dist");
const TEXT = new Set([".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest", ".map"]);
const BUDGET = 250 * 1024;
/** Each screen and the routes its first load runs through. */
const SCREENS = {
  "/login": ["src/routes/_public.tsx", "src/routes/_public/login.tsx"],
  "/": ["src/routes/_app.tsx", "src/routes/_app/index.tsx"],
  "/view-page": ["src/routes/_app.tsx", "src/routes/_app/view-page.$pageId.tsx"],
};

const manifest = JSON.parse(await readFile(path.join(dist, ".vite/manifest.json"), "utf8"));
const swagger = path.resolve(import.meta.dirname, "../node_modules/swagger-ui-dist");
for (const name of [
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "swagger-ui.css",
  "LICENSE",
  "NOTICE",
])
  await copyFile(path.join(swagger, name), path.join(dist, "docs", name));
const gzipped = await compressAll();
const over = Object.entries(SCREENS).filter(([screen, routes]) => !withinBudget(screen, routes));
// Only this check reads it.
await rm(path.join(dist, ".vite"), { recursive: true });
if (over.length > 0) {
  console.error(`Over the budget: ${over.map(([screen]) => screen).join(", ")}`);
  process.exit(1);
}

/** Writes the compressed twins; answers with the gzipped size by file name. */
async function compressAll() {
  const sizes = new Map();
  for (const name of await readdir(dist, { recursive: true })) {
    const file = path.join(dist, name);
    if (name.startsWith(".vite") || !TEXT.has(path.extname(name)) || !(await stat(file)).isFile()) continue;
    const bytes = await readFile(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, { params }),
      promisify(gzip)(bytes, { level: 9 }),
    ]);
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
    sizes.set(name, gz.length);
  }
  return sizes;
}

function withinBudget(screen, routes) {
  const files = new Set();
  collect("index.html", files);
  for (const route of routes) {
    const keys = Object.keys(manifest).filter((key) => key.startsWith(`${route}?`));
    if (keys.length === 0) throw new Error(`${screen}: the build has no chunk of ${route}`);
    for (const key of keys) collect(key, files);
  }
  const total = [...files].reduce((sum, file) => sum + gzipped.get(file), 0);
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(
    `first load of ${screen.padEnd(11)} ${kib(total).padStart(10)} of JavaScript, gzipped (${files.size} files, at most ${kib(BUDGET)})`,
  );
  return total <= BUDGET;
}

/** A chunk and all it imports at once; what it imports on demand is not part of a first load. */
function collect(key, files) {
  const chunk = manifest[key];
  if (!chunk.file.endsWith(".js") || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collect(imported, files);
}
