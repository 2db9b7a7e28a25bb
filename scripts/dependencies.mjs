// `make lint`: checks the dependencies. Licences and sources of every crate and package come from the lock files and the installed packages, so they are always
// checked, and so is that each crate uses its dependencies. Known vulnerabilities need a database: cargo-deny checks crates where it is installed and online, npm
// checks packages. The output names what was not checked.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);
/** @param {string} line */
const complain = (line) => process.stderr.write(`${line}\n`);
/** @type {string[]} */
const wrong = [];
/** @type {string[]} */
const unchecked = [];

/** Licences that allow redistribution. The same list as in deny.toml. */
const deny = readFileSync(join(root, "deny.toml"), "utf8");
/** @param {string} name */
const section = (name) => deny.split(`[${name}]`)[1]?.split("\n[")[0] ?? "";
/** @param {string} text @param {string} key */
const list = (text, key) =>
  [...(text.match(new RegExp(`^${key} = \\[([^\\]]*)\\]`, "m"))?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(
    (m) => m[1],
  );
const allowed = new Set(list(section("licenses"), "allow"));
const banned = new Set([...section("bans").matchAll(/\{ crate = "([^"]+)"/g)].map((m) => m[1]));
/** Build tools only: they are not part of what we distribute. */
const allowedForTools = new Set([
  ...allowed,
  "MPL-2.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "Python-2.0",
  "BlueOak-1.0.0",
  "BSD",
  "NCSA",
]);

/** Whether a licence expression (SPDX, with the deviations found in packages) is acceptable. @param {string} expression @param {Set<string | undefined>} licences */
export function fits(expression, licences) {
  const tokens = expression.replaceAll("/", " OR ").match(/\(|\)|[^\s()]+/g) ?? [];
  let at = 0;
  /** @returns {boolean} */
  const any = () => {
    let good = all();
    while (tokens[at] === "OR") {
      at += 1;
      const other = all();
      good ||= other;
    }
    return good;
  };
  /** @returns {boolean} */
  const all = () => {
    let good = one();
    while (tokens[at] === "AND") {
      at += 1;
      const other = one();
      good &&= other;
    }
    return good;
  };
  /** @returns {boolean} */
  const one = () => {
    if (tokens[at] === "(") {
      at += 1;
      const good = any();
      at += 1;
      return good;
    }
    let name = tokens[at] ?? "";
    at += 1;
    if (tokens[at] === "WITH") {
      name = `${name} WITH ${tokens[at + 1]}`;
      at += 2;
    }
    return licences.has(name);
  };
  return tokens.length > 0 && any() && at >= tokens.length;
}

/** Also fails if the lock file is out of date. @param {string} folder */
function crates(folder) {
  const text = execFileSync("cargo", ["metadata", "--format-version", "1", "--locked", "--all-features"], {
    cwd: join(root, folder),
    maxBuffer: 1 << 28,
    encoding: "utf8",
  });
  /** @typedef {{ name: string, version: string, license: string?, source: string?, manifest_path: string }} Crate */
  /** @type {{ packages: Crate[] }} */
  const { packages } = JSON.parse(text);
  const others = packages.filter(({ manifest_path }) => !manifest_path.startsWith(`${root}/`));
  const licences = folder === "." ? allowed : allowedForTools;
  for (const { name, version, license, source } of others) {
    const what = `crate ${name} ${version}`;
    if (!fits(license ?? "", licences))
      wrong.push(`${what}: the licence “${license ?? "none"}” is not in deny.toml`);
    if (!source?.startsWith("registry+"))
      wrong.push(`${what}: comes from ${source ?? "nowhere"}, not from a registry`);
    if (banned.has(name)) wrong.push(`${what}: is banned in deny.toml`);
  }
  const names = others.map(({ name }) => name);
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  const where = folder === "." ? "" : ` of ${folder}`;
  return `${others.length} crates${where}, ${twice.size} of them in several versions`;
}

/** @param {string} folder */
function packages(folder) {
  const lock = JSON.parse(readFileSync(join(root, folder, "package-lock.json"), "utf8"));
  let count = 0;
  let absent = 0;
  for (const [path, { version, license, resolved, integrity, dev, link }] of Object.entries(lock.packages)) {
    if (path === "" || link) continue;
    count += 1;
    const what = `${folder}: package ${path.split("node_modules/").at(-1)} ${version}`;
    let terms = license;
    const installed = join(root, folder, path, "package.json");
    if (!terms && existsSync(installed)) {
      /** @type {{ license?: unknown, licenses?: { type: string }[] }} */
      const said = JSON.parse(readFileSync(installed, "utf8"));
      terms =
        typeof said.license === "string" ? said.license : said.licenses?.map(({ type }) => type).join(" OR ");
    }
    const licences = dev || folder !== "web" ? allowedForTools : allowed;
    if (!terms && !existsSync(installed)) absent += 1;
    else if (!fits(terms ?? "", licences))
      wrong.push(`${what}: the licence “${terms ?? "none"}” is not in deny.toml`);
    if (!integrity) wrong.push(`${what}: has no checksum in the lock file`);
    if (resolved && !resolved.startsWith("https://")) wrong.push(`${what}: comes from ${resolved}`);
  }
  if (absent > 0)
    unchecked.push(
      `${folder}: the licences of ${absent} packages that the lock file says nothing of and that are not installed`,
    );
  const said = spawnSync("npm", ["audit", "--json", "--omit=dev"], {
    cwd: join(root, folder),
    encoding: "utf8",
    timeout: 60_000,
  });
  let report;
  try {
    report = JSON.parse(said.stdout);
  } catch {
    report = {};
  }
  const found = report.metadata?.vulnerabilities;
  if (!found) unchecked.push(`${folder}: known vulnerabilities of packages (npm audit got no answer)`);
  else if (found.high + found.critical > 0) {
    const names = Object.keys(report.vulnerabilities ?? {}).join(", ");
    wrong.push(
      `${folder}: ${found.high + found.critical} packages with serious known vulnerabilities: ${names}`,
    );
  }
  return `${count} packages of ${folder}`;
}

function vulnerabilities() {
  if (spawnSync("cargo", ["deny", "--version"], { cwd: root }).status !== 0) {
    unchecked.push("known vulnerabilities of crates (cargo-deny is not installed: cargo install cargo-deny)");
    return;
  }
  const done = spawnSync("cargo", ["deny", "--format", "human", "check"], { cwd: root, encoding: "utf8" });
  if (done.status === 0) return;
  if (/failed to (fetch|clone|open) advisory|unable to (fetch|clone)/i.test(done.stderr)) {
    unchecked.push("known vulnerabilities of crates (cargo-deny does not reach its database)");
    const rest = spawnSync("cargo", ["deny", "check", "licenses", "bans", "sources"], {
      cwd: root,
      encoding: "utf8",
    });
    if (rest.status !== 0) wrong.push(`cargo deny: ${rest.stderr.trim()}`);
  } else wrong.push(`cargo deny: ${done.stderr.trim()}`);
}

/** Dependencies that only enable a feature of another one: here, TLS for the HTTP client of object_store. */
const FEATURES_ONLY = new Set(["kurso-core reqwest"]);

/** Finds dependencies that no source file of their crate names, as cargo-machete does, which is not installed everywhere. */
function unusedCrates() {
  const text = execFileSync("cargo", ["metadata", "--format-version", "1", "--locked", "--no-deps"], {
    cwd: root,
    maxBuffer: 1 << 28,
    encoding: "utf8",
  });
  /** @type {{ packages: { name: string, manifest_path: string, dependencies: { name: string, rename: string? }[] }[] }} */
  const { packages } = JSON.parse(text);
  for (const { name, manifest_path, dependencies } of packages) {
    const folder = dirname(manifest_path);
    const sources = ["src", "tests", "build.rs"].flatMap((part) => rustFiles(join(folder, part)));
    const code = sources.map((file) => readFileSync(file, "utf8")).join("\n");
    for (const dependency of dependencies) {
      if (FEATURES_ONLY.has(`${name} ${dependency.name}`)) continue;
      const imported = (dependency.rename ?? dependency.name).replaceAll("-", "_");
      if (!new RegExp(`\\b${imported}\\b`).test(code))
        wrong.push(`${name} does not use its dependency ${imported}`);
    }
  }
}

/** The Rust files at a path, which may be absent. @param {string} path @returns {string[]} */
function rustFiles(path) {
  if (!existsSync(path)) return [];
  if (path.endsWith(".rs")) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".rs"))
    .map((file) => join(path, file));
}

if (process.argv[1] === import.meta.filename) {
  const counted = [
    crates("."),
    crates("fuzz"),
    packages("web"),
    packages("bench"),
    packages("tests/clients"),
    packages("tests/badges"),
  ];
  unusedCrates();
  vulnerabilities();
  for (const line of unchecked) say(`dependencies: NOT CHECKED: ${line}`);
  for (const line of wrong) complain(`dependencies: ${line}`);
  if (wrong.length > 0) process.exit(1);
  say(`dependencies: licences and sources of ${counted.join(", ")}`);
}
