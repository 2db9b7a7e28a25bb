// Verifies badges and certificates with third-party programs, offline: jose (signatures), jsonld with the published contexts (terms), bitstring (status lists),
// openbadgeslib (all of it again, in Python), Poppler (documents), jsQR (codes). Writes a JUnit report to the given folder.
//
//   node tests/badges/verify.mjs [FOLDER] [--fixtures DIR]
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { junit } from "../../scripts/junit.mjs";
import { root } from "../../scripts/server.mjs";
import * as trials from "./trials.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fixtures: { type: "string" } },
});
const reports = positionals[0] ?? join(root, "target/badges");
await mkdir(reports, { recursive: true });
const folder = values.fixtures ?? fixtures();

const runs = [];
for (const [name, trial] of /** @type {[string, (folder: string) => Promise<string>][]} */ ([
  ["signatures verify with the key set", trials.signatures],
  ["a changed character is refused", trials.changes],
  ["headers and claims follow Open Badges 3.0", trials.claims],
  ["recipients are hashed or absent", trials.recipients],
  ["every member is a known term", trials.terms],
  ["the status list revokes one badge", trials.revocation],
  ["openbadgeslib accepts and refuses the same", trials.openbadgeslib],
  ["documents embed their fonts and have their text", trials.documents],
  ["QR codes can be scanned", trials.codes],
])) {
  const started = performance.now();
  let failure;
  try {
    process.stdout.write(`✔ ${name}: ${await trial(folder)}\n`);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
    process.stdout.write(`✖ ${name}: ${failure}\n`);
  }
  runs.push({ name, failure, seconds: (performance.now() - started) / 1000 });
}
await writeFile(join(reports, "badges.xml"), junit(runs));
process.exitCode = runs.some(({ failure }) => failure) ? 1 : 0;

/** Writes the files with the example of the crate. The whole workspace, so that the Rust tests have built it already. */
function fixtures() {
  const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const folder = join(root, "target/badges/fixtures");
  const build = ["build", "--workspace", "--locked", "--quiet", "--example", "fixtures"];
  execFileSync("cargo", build, { cwd: root, stdio: "inherit" });
  execFileSync(join(target, "debug/examples/fixtures"), [folder], { stdio: "inherit" });
  return folder;
}
