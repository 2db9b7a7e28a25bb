// What a server stands on fails beneath it, for real: the disk is full or takes nothing in, PostgreSQL is away, another server
// answers at its address, the store of files hangs. Each failure has an answer that says so, never a 500; nothing that was
// acknowledged is lost; and when the failure has passed the server works again by itself. A JUnit report goes into the folder
// named on the command line.
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
      // Not in the report: what was not shown is not counted.
      process.stdout.write(`⚠ NOT SHOWN HERE: ${name}: ${error.message}\n`);
      continue;
    }
    failure = error instanceof Error ? error.message : String(error);
    process.stdout.write(`✖ ${name}: ${failure}\n`);
  }
  runs.push({ name, failure, seconds: (performance.now() - started) / 1000 });
}
await writeFile(join(reports, "failures.xml"), junit(runs));
// A trial that failed may have left its load behind, which would go on for ever.
process.exit(runs.some(({ failure }) => failure) || runs.length === 0 ? 1 : 0);
