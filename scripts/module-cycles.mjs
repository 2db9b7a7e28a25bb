// Checks that the modules of each crate depend on each other one way, that kurso-base, kurso-formats and kurso-search need no database
// and no async runtime, and that kurso-db reads no course files. `make lint` runs it.
//
// A first-level module depends on another one of its crate when its code names it: `crate::NAME`, `super::NAME`, or what lib.rs
// re-exports from it. Code of tests does not count, and neither does lib.rs, whose `Kurso` holds the state of all modules.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

// Edges that still close a cycle. The list only shrinks: a new cycle fails, and so does an entry that no cycle needs any more.
/** @type {Record<string, Record<string, string[]>>} */
const ALLOWED = {};

// Crates that must not be among the dependencies of another one.
const FORBIDDEN = {
  "kurso-base": ["sqlx", "tokio", "kurso-db"],
  "kurso-formats": ["sqlx", "tokio", "kurso-db"],
  "kurso-search": ["sqlx", "tokio", "kurso-db"],
  "kurso-db": ["kurso-formats"],
};

/** The code of a Rust file with comments and the contents of strings as blanks. @param {string} text */
function code(text) {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bb?r(#*)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|b?'(?:\\[^']*|[^'\\\n])'/g;
  return text.replace(token, (found) => (found === '"testing"' ? found : found.replace(/[^\n]/g, " ")));
}

/** The same without items that only tests compile; their modules in other files come back as names. @param {string} text */
function withoutTests(text) {
  const attribute = /#\[cfg\((?:test|any\(test,[^\]]*|feature = "testing")\)\]/g;
  /** @type {string[]} */
  const modules = [];
  let kept = "";
  let from = 0;
  for (let found = attribute.exec(text); found; found = attribute.exec(text)) {
    if (found.index < from) continue;
    kept += text.slice(from, found.index);
    let at = attribute.lastIndex;
    let depth = 0;
    for (; at < text.length; at++) {
      if (text[at] === "{") depth++;
      if (text[at] === "}" && --depth === 0) break;
      if (text[at] === ";" && depth === 0) break;
    }
    const item = text.slice(attribute.lastIndex, at + 1);
    const module = /^\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/.exec(item);
    if (module?.[1]) modules.push(module[1]);
    from = at + 1;
    attribute.lastIndex = from;
  }
  return { text: kept + text.slice(from), modules };
}

/** The items of a comma-separated list, in which braces nest. @param {string} list */
function items(list) {
  /** @type {string[]} */
  const found = [];
  let depth = 0;
  let item = "";
  for (const letter of list) {
    if (letter === "{") depth++;
    if (letter === "}") depth--;
    if (letter === "," && depth === 0) {
      found.push(item.trim());
      item = "";
    } else item += letter;
  }
  return [...found, item.trim()].filter(Boolean);
}

/** The Rust files below a folder. @param {string} folder @returns {string[]} */
function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return entry.name.endsWith(".rs") ? [path] : [];
  });
}

/** @typedef {Map<string, Map<string, string>>} Graph module -> module -> the first file that makes the edge */

/** The graph of a crate. @param {string} src @returns {Graph} */
function graphOf(src) {
  /** @type {Map<string, string>} */
  const sources = new Map();
  /** @type {Set<string>} */
  const testFiles = new Set();
  for (const path of files(src)) {
    const { text, modules } = withoutTests(code(readFileSync(path, "utf8")));
    sources.set(path, text);
    const isRoot = /(^|[\\/])(lib|main|mod)\.rs$/.test(path);
    const folder = isRoot ? dirname(path) : path.slice(0, -".rs".length);
    for (const name of modules) testFiles.add(join(folder, name));
  }
  const isTest = (/** @type {string} */ path) =>
    [...testFiles].some((test) => path === `${test}.rs` || path.startsWith(test + sep));
  const lib = [join(src, "lib.rs"), join(src, "main.rs")].find((path) => existsSync(path));
  const libText = sources.get(lib ?? "") ?? "";
  /** @type {Map<string, string>} */
  const homes = new Map(); // a name of the crate's root -> its module
  const modules = new Set([...libText.matchAll(/\bmod\s+(\w+)\s*;/g)].map(([, name = ""]) => name));
  for (const name of modules) homes.set(name, name);
  for (const [, path = "", list = ""] of libText.matchAll(
    /\buse\s+(?:crate::|self::)?(\w+)(?:::\w+)*::(\{[^;]*\}|\w+(?:\s+as\s+\w+)?)\s*;/g,
  )) {
    if (!modules.has(path)) continue;
    for (const item of items(list.replace(/^\{|\}$/g, "")))
      homes.set(item.split(/\s+as\s+|::/).at(-1) ?? "", path);
  }
  /** @type {Graph} */
  const graph = new Map([...modules].map((name) => [name, new Map()]));
  /** @param {string[]} parts */
  const moduleOf = ([first = ""]) => first.replace(/\.rs$/, "");
  for (const [path, text] of sources) {
    const module = moduleOf(relative(src, path).split(sep));
    for (const [, name = ""] of text.matchAll(/#\[macro_export\]\s*macro_rules!\s*(\w+)/g))
      homes.set(name, module);
  }
  for (const [path, text] of sources) {
    const parts = relative(src, path).split(sep);
    const module = moduleOf(parts);
    const edges = graph.get(module);
    if (path === lib || isTest(path) || !edges) continue;
    const depth = parts.length - (parts.at(-1) === "mod.rs" ? 1 : 0); // how many `super` lead to the root
    const edge = (name = "") => {
      const home = homes.get(name);
      if (home && home !== module && !edges.has(home)) edges.set(home, relative(root, path));
    };
    const above = "super::".repeat(depth);
    const start = new RegExp(`(?<![\\w:$])(?:crate::|${above}(?!super))(\\{|\\w+)`, "g");
    for (const found of text.matchAll(start)) {
      if (found[1] !== "{") {
        edge(found[1]);
        continue;
      }
      let end = found.index + found[0].length;
      for (let open = 1; open > 0 && end < text.length; end++)
        open += { "{": 1, "}": -1 }[text[end] ?? ""] ?? 0;
      const list = text.slice(found.index + found[0].length, end - 1);
      for (const item of items(list)) edge(/^\w+/.exec(item)?.[0]);
    }
  }
  return graph;
}

/**
 * The shortest cycle through an edge, without the edges that are left out; null when there is none.
 * @param {Graph} graph @param {string} from @param {string} to @param {(from: string, to: string) => boolean} isOut
 */
function cycleThrough(graph, from, to, isOut) {
  /** @type {Map<string, string | null>} */
  const before = new Map([[to, null]]);
  const queue = [to];
  for (const module of queue) {
    if (module === from) {
      const path = [];
      for (let at = /** @type {string | null} */ (module); at !== null; at = before.get(at) ?? null)
        path.unshift(at);
      return [from, ...path];
    }
    for (const next of graph.get(module)?.keys() ?? []) {
      if (before.has(next) || isOut(module, next)) continue;
      before.set(next, module);
      queue.push(next);
    }
  }
  return null;
}

let failures = 0;
/** @param {string} text */
const fail = (text) => {
  failures++;
  process.stderr.write(`${text}\n`);
};

const metadata = JSON.parse(
  execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps", "--locked"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  }),
);
for (const crate of metadata.packages) {
  const graph = graphOf(join(dirname(crate.manifest_path), "src"));
  const allowed = new Map(
    Object.entries(ALLOWED[crate.name] ?? {}).map(([from, list]) => [from, new Set(list)]),
  );
  /** @param {string} from @param {string} to */
  const isAllowed = (from, to) => allowed.get(from)?.has(to) ?? false;
  const told = new Set();
  for (const [from, edges] of graph) {
    for (const [to, file] of edges) {
      if (isAllowed(from, to)) {
        if (!cycleThrough(graph, from, to, () => false))
          fail(`${crate.name}: ${from} -> ${to} closes no cycle: take it off the list`);
        continue;
      }
      const cycle = cycleThrough(graph, from, to, isAllowed);
      if (!cycle) continue;
      const key = [...new Set(cycle)].sort().join(" ");
      if (told.has(key)) continue;
      told.add(key);
      fail(`${crate.name}: ${cycle.join(" -> ")} (${file})`);
    }
  }
  for (const [from, list] of allowed) {
    for (const to of list)
      if (!graph.get(from)?.has(to)) fail(`${crate.name}: ${from} -> ${to} is gone: take it off the list`);
  }
  if (process.argv.includes("--edges")) {
    for (const [from, edges] of graph)
      process.stdout.write(`${crate.name}: ${from} -> ${[...edges.keys()].sort().join(", ")}\n`);
  }
}

for (const [crate, names] of Object.entries(FORBIDDEN)) {
  const tree = execFileSync("cargo", ["tree", "--locked", "-p", crate, "-e", "normal", "--prefix", "none"], {
    cwd: root,
    encoding: "utf8",
  });
  const found = new Set(tree.split("\n").map((line) => line.split(" ")[0]));
  for (const name of names) if (found.has(name)) fail(`${crate} depends on ${name}`);
}

if (failures > 0) process.exit(1);
process.stdout.write("Modules depend one way.\n");
