// A PostgreSQL cluster that tests may kill: durable, unlike the one of scripts/with-postgres.sh, whose binaries it uses.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export class Cluster {
  static async start() {
    const folder = await mkdtemp(join(tmpdir(), "kurso-cluster-"));
    const cluster = new Cluster(folder, await binaries(), await freePort());
    // PostgreSQL refuses to run as root.
    if (process.getuid?.() === 0) {
      cluster.as = ["runuser", "-u", "postgres", "--"];
      await run("chown", ["postgres", folder]);
    }
    await cluster.#run(
      "initdb",
      "-D",
      cluster.data,
      "-U",
      "kurso",
      "--auth=trust",
      "--encoding=UTF8",
      "--locale=C.UTF-8",
    );
    const settings = `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nport = ${cluster.port}\n`;
    await appendFile(join(cluster.data, "postgresql.conf"), settings);
    await cluster.resume();
    return cluster;
  }

  constructor(folder, binaries, port) {
    this.folder = folder;
    this.data = join(folder, "data");
    this.binaries = binaries;
    this.port = port;
    this.as = [];
    this.url = `postgres://kurso@127.0.0.1:${port}/postgres`;
  }

  /** Kills every process at once with SIGKILL. */
  async crash() {
    await this.#run("pg_ctl", "-D", this.data, "-m", "immediate", "-w", "stop");
  }

  /** Starts it and waits until it responds, which is after WAL recovery. */
  async resume() {
    await this.#run("pg_ctl", "-D", this.data, "-l", join(this.folder, "log"), "-w", "-t", "60", "start");
  }

  /** Creates a synchronous standby. */
  async standby() {
    const folder = await mkdtemp(join(tmpdir(), "kurso-standby-"));
    if (this.as.length > 0) await run("chown", ["postgres", folder]);
    const other = new Cluster(folder, this.binaries, await freePort());
    other.as = this.as;
    await other.#run("pg_basebackup", "-D", other.data, "-d", this.url, "-R", "-X", "stream", "-c", "fast");
    // The last line wins over the copied settings.
    await appendFile(join(other.data, "postgresql.conf"), `port = ${other.port}\n`);
    await other.resume();
    for (const command of ["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"])
      await run("psql", [this.url, "-qAtc", command]);
    return other;
  }

  async promote() {
    // Without this it would wait for a standby.
    await appendFile(join(this.data, "postgresql.auto.conf"), "synchronous_standby_names = ''\n");
    await this.#run("pg_ctl", "-D", this.data, "-w", "promote");
  }

  async stop() {
    await this.crash().catch(() => {}); // it may be down
    await rm(this.folder, { recursive: true, force: true });
  }

  async #run(program, ...args) {
    const [first, ...rest] = [...this.as, join(this.binaries, program), ...args];
    // Run in a folder that the postgres user can read.
    await run(first, rest, { cwd: this.folder });
  }
}

/** Debian has them outside PATH, in one folder per major version; use the newest. */
async function binaries() {
  const programs = ["initdb", "pg_ctl", "pg_basebackup"];
  for (const folder of (process.env.PATH ?? "").split(":"))
    if (programs.every((program) => existsSync(join(folder, program)))) return folder;
  const versions = await readdir("/usr/lib/postgresql");
  const newest = versions
    .sort((a, b) => Number(b) - Number(a))
    .find((v) => existsSync(`/usr/lib/postgresql/${v}/bin/initdb`));
  if (!newest) throw new Error("there is no initdb: scripts/with-postgres.sh says what to install");
  return `/usr/lib/postgresql/${newest}/bin`;
}

async function freePort() {
  const listener = createServer();
  await new Promise((done) => listener.listen(0, "127.0.0.1", () => done(undefined)));
  const { port } = listener.address();
  await new Promise((done) => listener.close(done));
  return port;
}
