// After `vite build`: puts the library of the API's documentation beside its page, writes .br and .gz beside every text
// asset, so that the server compresses nothing while it answers, and fails when a screen's first load carries more
// JavaScript than we promise.
import { copyFile, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const dist = path.resolve(import.meta.dirname, "../dist");
const TEXT = new Set([".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest", ".map"]);
const READING_BUDGET = 225 * 1024;
const EDITOR_BUDGET = 410 * 1024;
/** Each screen: the routes its first load runs through, what these always load next, and how much that may come to. */
const SCREENS = {
  "/login": { chunks: ["src/routes/_public.tsx?", "src/routes/_public/login.tsx?"], budget: READING_BUDGET },
  "/": { chunks: ["src/routes/_app.tsx?", "src/routes/_app/index.tsx?"], budget: READING_BUDGET },
  "/view-page": {
    chunks: ["src/routes/_app.tsx?", "src/routes/_app/view-page.$pageId.tsx?"],
    budget: READING_BUDGET,
  },
  "/edit-page": {
    chunks: ["src/routes/_app.tsx?", "src/routes/_app/edit-page.$pageId.tsx?", "src/editor/Editing.tsx"],
    budget: EDITOR_BUDGET,
  },
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
const over = Object.entries(SCREENS).filter(([screen, load]) => !withinBudget(screen, load));
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

function withinBudget(screen, { chunks, budget }) {
  const files = new Set();
  collect("index.html", files);
  for (const chunk of chunks) {
    const keys = Object.keys(manifest).filter((key) => key.startsWith(chunk));
    if (keys.length === 0) throw new Error(`${screen}: the build has no chunk of ${chunk}`);
    for (const key of keys) collect(key, files);
  }
  const total = [...files].reduce((sum, file) => sum + gzipped.get(file), 0);
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(
    `first load of ${screen.padEnd(11)} ${kib(total).padStart(10)} of JavaScript, gzipped (${files.size} files, at most ${kib(budget)})`,
  );
  return total <= budget;
}

/** A chunk and all it imports at once; what it imports on demand is not part of a first load. */
function collect(key, files) {
  const chunk = manifest[key];
  if (!chunk.file.endsWith(".js") || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collect(imported, files);
}
