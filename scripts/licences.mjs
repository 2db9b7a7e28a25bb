// licences.mjs: prints the licences of all components of the binary, for redistribution: the crates linked into it, as cargo resolves them for this platform, the
// packages of the web app, and the fonts of certificates. Identical texts are printed once.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const platform = "x86_64-unknown-linux-gnu";
/** Packages whose code is in the web app although they are development dependencies. */
const copied = ["swagger-ui-dist"];
const licenceFile = /^(licen[cs]e|copying|copyright|notice|unlicense|ofl)([-._].*)?$/i;
const noText = /\.(rs|js|mjs|ts|json|toml|html|spdx)$/i;

/** @typedef {{ what: string, terms: string, from: string, texts: string[] }} Part */

/** The licence texts in a folder, including those of bundled components. @param {string} folder @param {number} [depth] @returns {string[]} */
function textsIn(folder, depth = 4) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile() && licenceFile.test(entry.name) && !noText.test(entry.name))
      return [readFileSync(path, "utf8").replaceAll("\r\n", "\n").trim()];
    const deeper = entry.isDirectory() && entry.name !== "node_modules" && depth > 0;
    return deeper ? textsIn(path, depth - 1) : [];
  });
}

/** @returns {Part[]} */
function crates() {
  const said = execFileSync(
    "cargo",
    ["metadata", "--format-version", "1", "--locked", "--filter-platform", platform],
    { cwd: root, maxBuffer: 1 << 28, encoding: "utf8" },
  );
  /** @typedef {{ id: string, name: string, version: string, license: string?, repository: string?, manifest_path: string, authors: string[] }} Crate */
  /** @typedef {{ id: string, deps: { pkg: string, dep_kinds: { kind: string? }[] }[] }} Node */
  /** @type {{ packages: Crate[], resolve: { root: string, nodes: Node[] } }} */
  const { packages, resolve: tree } = JSON.parse(said);
  const nodes = new Map(tree.nodes.map((node) => [node.id, node]));
  const linked = new Set([tree.root]);
  for (const id of linked)
    for (const { pkg, dep_kinds } of nodes.get(id)?.deps ?? [])
      if (dep_kinds.some(({ kind }) => kind === null)) linked.add(pkg);
  return packages
    .filter(({ id, manifest_path }) => linked.has(id) && relative(root, manifest_path).startsWith(".."))
    .map(({ name, version, license, repository, manifest_path, authors }) => {
      const texts = textsIn(join(manifest_path, ".."));
      const by = authors.length > 0 ? ` by ${authors.join(", ")}` : "";
      return { what: `crate ${name} ${version}${by}`, terms: license ?? "", from: repository ?? "", texts };
    });
}

/** @returns {Part[]} */
function packages() {
  const lock = JSON.parse(readFileSync(join(root, "web/package-lock.json"), "utf8"));
  const shipped = Object.entries(lock.packages).filter(([path, { dev, link, optional }]) => {
    const name = path.split("node_modules/").at(-1) ?? "";
    return path !== "" && !link && !optional && (!dev || copied.includes(name));
  });
  return shipped.flatMap(([path, { version, peer }]) => {
    const folder = join(root, "web", path);
    // Packages may be optional on this platform.
    if (peer && !existsSync(folder)) return [];
    const said = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const from = typeof said.repository === "string" ? said.repository : (said.repository?.url ?? "");
    const texts = textsIn(folder);
    return [{ what: `package ${said.name} ${version}`, terms: said.license ?? "", from, texts }];
  });
}

/** The fonts of certificates, which are in the repository. @returns {Part[]} */
function fonts() {
  const folder = join(root, "core/certificate/fonts");
  return ["Cormorant", "GolosText"].map((name) => ({
    what: `font ${name}`,
    terms: "OFL-1.1",
    from: "",
    texts: [readFileSync(join(folder, `OFL-${name}.txt`), "utf8").trim()],
  }));
}

/** Every text once, with those it holds for. @param {Part[]} parts */
export function notices(parts) {
  /** @type {Map<string, { text: string, of: string[] }>} */
  const texts = new Map();
  for (const { what, texts: own } of parts)
    for (const text of new Set(own)) {
      const key = text.replace(/\s+/g, " ");
      const known = texts.get(key) ?? { text, of: [] };
      known.of.push(what);
      texts.set(key, known);
    }
  return [...texts.values()];
}

if (process.argv[1] === import.meta.filename) {
  const parts = [...crates(), ...packages(), ...fonts()].sort((a, b) => (a.what < b.what ? -1 : 1));
  const nameless = parts.filter(({ terms }) => !terms).map(({ what }) => what);
  if (nameless.length > 0) throw new Error(`without a licence: ${nameless.join(", ")}`);
  const line = "=".repeat(80);
  const out = [
    "What Kurso is made of, and under which licences. Below the list are the texts that came with it; where a part",
    "came without one, the texts of its licences are those of other parts here, and its address has the rest.",
    "",
    ...parts.map(
      ({ what, terms, from, texts }) =>
        `${what}: ${terms}${texts.length === 0 ? " (came without a text)" : ""} ${from}`,
    ),
    "",
    ...notices(parts).flatMap(({ text, of }) => [line, ...of, line, "", text, ""]),
  ];
  process.stdout.write(`${out.join("\n")}\n`);
}
