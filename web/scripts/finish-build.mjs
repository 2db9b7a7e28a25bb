// Runs after `vite build`: adds the notices of Swagger UI, compresses every text asset to .br and .gz, so that the
// server compresses no files at runtime, and fails when the first load of a screen exceeds its budget of JavaScript.
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const dist = path.resolve(import.meta.dirname, "../dist");
const TEXT = new Set([".html", ".js", ".css", ".svg", ".json", ".txt", ".webmanifest", ".map"]);
const READING_BUDGET = 190 * 1024;
const EDITOR_BUDGET = 410 * 1024;
/** For each screen: the chunks of its first load, its texts besides the first ones, and its budget. */
const SCREENS = {
  "/login": {
    chunks: ["src/routes/_public.tsx?", "src/routes/_public/login.tsx?"],
    words: ["auth"],
    budget: READING_BUDGET,
  },
  "/": {
    chunks: ["src/routes/_app.tsx?", "src/routes/_app/index.tsx?"],
    words: ["home"],
    budget: READING_BUDGET,
  },
  "/view-page": {
    chunks: ["src/routes/_app.tsx?", "src/routes/_app/view-page.$pageId.tsx?"],
    words: [],
    budget: READING_BUDGET,
  },
  "/edit-page": {
    chunks: ["src/routes/_app.tsx?", "src/routes/_app/edit-page.$pageId.tsx?", "src/editor/Editing.tsx"],
    words: ["editor", "forms"],
    budget: EDITOR_BUDGET,
  },
};

const manifest = JSON.parse(await readFile(path.join(dist, ".vite/manifest.json"), "utf8"));
// The licence of Swagger UI asks for its notices beside the code.
const swagger = path.resolve(import.meta.dirname, "../node_modules/swagger-ui-dist");
await mkdir(path.join(dist, "docs"));
for (const name of ["swagger-ui-es-bundle.js.LICENSE.txt", "LICENSE", "NOTICE"])
  await copyFile(path.join(swagger, name), path.join(dist, "docs", name));
const gzipped = await compressAll();
const over = Object.entries(SCREENS).filter(([screen, load]) => !withinBudget(screen, load));
// Only this script reads the manifest.
await rm(path.join(dist, ".vite"), { recursive: true });
if (over.length > 0) {
  console.error(`Over the budget: ${over.map(([screen]) => screen).join(", ")}`);
  process.exit(1);
}

/** Writes the compressed files and returns the gzipped size by file name. */
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

/** Checks the first load of a screen in the language with the larger texts. */
function withinBudget(screen, load) {
  const [smaller, larger] = ["ru", "en"]
    .map((language) => firstLoad(screen, load, language))
    .sort((one, other) => one.total - other.total);
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  console.log(
    `first load of ${screen.padEnd(11)} ${kib(larger.total).padStart(10)} of JavaScript, gzipped (${larger.files} files, at most ${kib(load.budget)}; ${kib(smaller.total)} in ${smaller.language})`,
  );
  return larger.total <= load.budget;
}

function firstLoad(screen, { chunks, words }, language) {
  const files = new Set();
  collect("index.html", files);
  const bundles = ["first", ...words].map((name) => `src/i18n/${language}/${name}.ts`);
  for (const chunk of [...chunks, ...bundles]) {
    const keys = Object.keys(manifest).filter((key) => key.startsWith(chunk));
    if (keys.length === 0) throw new Error(`${screen}: the build has no chunk of ${chunk}`);
    for (const key of keys) collect(key, files);
  }
  return { language, files: files.size, total: [...files].reduce((sum, file) => sum + gzipped.get(file), 0) };
}

/** Adds a chunk and its static imports; dynamic imports are not part of a first load. */
function collect(key, files) {
  const chunk = manifest[key];
  if (!chunk.file.endsWith(".js") || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collect(imported, files);
}
