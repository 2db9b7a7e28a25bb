// Runs SQL in the database of a benchmark's server, which is paused meanwhile, and writes its literals.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The literals of IDs, bytes and times, in which the databases differ. `time` takes a Date. */
export function literals(database) {
  const bytes = (hex) => (database === "sqlite" ? `X'${hex}'` : `'\\x${hex}'::bytea`);
  return {
    bytes,
    id: (uuid) => (database === "sqlite" ? bytes(uuid.replaceAll("-", "")) : `'${uuid}'::uuid`),
    time: (at) =>
      database === "sqlite"
        ? `'${at.toISOString().replace("Z", "+00:00")}'`
        : `'${at.toISOString()}'::timestamptz`,
  };
}

/** Runs SQL in the server's database and returns the output. */
export async function sql(server, database, text) {
  const folder = await mkdtemp(join(tmpdir(), "kurso-sql-"));
  try {
    const file = join(folder, "run.sql");
    await writeFile(file, text);
    const options = { maxBuffer: 64 << 20 };
    const { stdout } =
      database === "sqlite"
        ? await run("sqlite3", ["-bail", join(server.dataDir, "kurso.db"), `.read ${file}`], options)
        : await run(
            "psql",
            [server.env.KURSO_DATABASE_URL, "-qAt", "-v", "ON_ERROR_STOP=1", "-f", file],
            options,
          );
    return stdout.trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
