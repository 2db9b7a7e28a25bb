// `make lint`: docs/spec-tests.md names tests for every line of the specification. Checks that each test exists, and that what a line names in backticks (a route, a
// text, a call) occurs in the files of its tests.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const table = "docs/spec-tests.md";

/** @type {Map<string, string | undefined>} */
const files = new Map();
/** @param {string} path */
function source(path) {
  if (!files.has(path)) {
    const file = join(root, path);
    files.set(path, existsSync(file) ? readFileSync(file, "utf8") : undefined);
  }
  return files.get(path);
}

/** @param {string} text */
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whether a file contains a test with that name that is not skipped. @param {string} path @param {string} name */
function has(path, name) {
  const text = source(path) ?? "";
  if (path.endsWith(".rs")) {
    const alone = `#\\[(tokio::)?test\\]\\n(async )?fn ${literally(name)}\\(`;
    const both = `^ {4}async fn ${literally(name)}\\(kurso: TestKurso\\)`;
    return new RegExp(`${alone}|${both}`, "m").test(text);
  }
  const written = [`"${name.replaceAll('"', '\\"')}"`, `\`${name}\``].map(literally).join("|");
  return [...text.matchAll(new RegExp(`\\(\\s*(?:${written}),\\s`, "g"))].some(({ index }) => {
    const before = [...text.slice(0, index + 1).matchAll(/\b(test|it|describe)((?:\.\w+)*)\(/g)].at(-1);
    return (
      before !== undefined &&
      before[1] !== "describe" &&
      !/\.(describe|skip|todo|fixme)\b/.test(before[2] ?? "")
    );
  });
}

/** The backticked texts of a line, without placeholders. @param {string} line */
function named(line) {
  const pieces = [...line.matchAll(/`([^`]+)`/g)].map(([, piece]) => piece ?? "");
  return pieces.map((piece) => piece.replace(/^[A-Z]+ /, "").replace(/\{.*$/, ""));
}

const wrong = [];
let lines = 0;
let at = 0;
for (const row of (source(table) ?? "").split("\n")) {
  at += 1;
  if (!row.startsWith("| ") || row.startsWith("| specification ") || row.startsWith("| ---")) continue;
  const [, line = "", cell = "", rest] = row.split(/(?<!\\)\|/).map((one) => one.trim());
  const where = `${table}:${at}`;
  if (rest !== "") wrong.push(`${where}: a row has two cells`);
  lines += 1;
  // Points that the specification leaves open need no test.
  if (cell === "open") continue;
  const texts = [];
  for (const one of cell.split("<br>")) {
    const [, path, name] = one.match(/^`([^`]+)` (.+)$/) ?? [];
    if (!path || !name) wrong.push(`${where}: no test in “${one}”`);
    else if (source(path) === undefined) wrong.push(`${where}: there is no ${path}`);
    else if (!has(path, name)) wrong.push(`${where}: ${path} has no test “${name}”`);
    else texts.push(source(path));
  }
  for (const piece of named(line)) {
    if (!texts.some((text) => text?.includes(piece))) wrong.push(`${where}: no named test has “${piece}”`);
  }
}

if (lines === 0) wrong.push(`${table} is empty`);
for (const one of wrong) process.stderr.write(`${one}\n`);
if (wrong.length > 0) process.exit(1);
