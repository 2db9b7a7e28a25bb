// `make lint`: checks that every file and test that docs/security.md names exists.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);
/** @param {string} line */
const complain = (line) => process.stderr.write(`${line}\n`);
const document = "docs/security.md";
const text = readFileSync(join(root, document), "utf8");
/** @type {string[]} */
const wrong = [];
let groups = 0;
let shown = 0;
let missing = 0;

/** @param {string} name */
const literally = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Whether a file contains a test with that name, or the quoted text. @param {string} path @param {string} name */
function has(path, name) {
  const source = readFileSync(join(root, path), "utf8");
  const quoted = ['"', "`", "'"].some((quote) => source.includes(`${quote}${name}${quote}`));
  return new RegExp(`fn ${literally(name)}\\(`).test(source) || quoted;
}

for (const [at, row] of text.split("\n").entries()) {
  const cells = row.match(/^\| (V\d+\.\d+) \|(.*)\|(.*)\|$/);
  if (!cells) continue;
  groups += 1;
  const where = `${document}:${at + 1}: ${cells[1]}`;
  const cell = cells[3]?.trim() ?? "";
  if (cell === "does not apply") continue;
  if (cell === "not met") {
    missing += 1;
    continue;
  }
  const named = [...cell.matchAll(/`([^`]+)`(?: (\w+))?/g)];
  if (named.length === 0) wrong.push(`${where}: nothing shows it`);
  for (const [, path = "", test] of named) {
    shown += 1;
    if (!existsSync(join(root, path))) wrong.push(`${where}: there is no ${path}`);
    else if (test && !has(path, test)) wrong.push(`${where}: ${path} has no “${test}”`);
  }
}

for (let chapter = 1; chapter <= 17; chapter += 1) {
  if (!text.includes(`## V${chapter} `)) wrong.push(`${document}: chapter V${chapter} is missing`);
}
if (wrong.length > 0) {
  for (const line of wrong) complain(line);
  process.exit(1);
}
say(
  `${document}: ${groups} groups of requirements, ${shown} tests and files that show them, ${missing} not met`,
);
