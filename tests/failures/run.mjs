// Failure tests with real dependencies: a full or read-only disk, PostgreSQL down or failed over, a hanging file store. Each failure causes a clear error, never a
// 500; no acknowledged write is lost; and the server recovers on its own. Writes a JUnit report to the given folder.
//
//   node tests/failures/run.mjs [FOLDER] [--only WORD]
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { junit } from "../../scripts/junit.mjs";
import { root } from "../../scripts/server.mjs";
import { diskTrials } from "./disk.mjs";
import { postgresTrials } from "./postgres.mjs";
import { storeTrials } from "./store.mjs";
import { Skipped } from "./watch.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: "string" } } });
const reports = positionals[0] ?? join(root, "target/failures");
await mkdir(reports, { recursive: true });

const runs = [];
for (const [name, trial] of [...diskTrials, ...postgresTrials, ...storeTrials]) {
  if (values.only && !name.includes(values.only)) continue;
  const started = performance.now();
  let failure;
  try {
    process.stdout.write(`✔ ${name}: ${await trial()}\n`);
  } catch (error) {
    if (error instanceof Skipped) {
      // Tests that could not run are not counted.
      process.stdout.write(`⚠ NOT SHOWN HERE: ${name}: ${error.message}\n`);
      continue;
    }
    failure = error instanceof Error ? error.message : String(error);
    process.stdout.write(`✖ ${name}: ${failure}\n`);
  }
  runs.push({ name, failure, seconds: (performance.now() - started) / 1000 });
}
await writeFile(join(reports, "failures.xml"), junit(runs));
// A failed test may have left its load running.
process.exit(runs.some(({ failure }) => failure) || runs.length === 0 ? 1 : 0);
