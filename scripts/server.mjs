// Starts a kurso server for a test or benchmark: free port, fresh database, temporary data folder. Plain JavaScript, so that Node runs it without a build; the
// browser tests check its types.
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export const root = resolve(import.meta.dirname, "..");
export const admin = { email: "admin@example.com", password: "correct-horse-battery" };

/**
 * The output of `kurso import --json`.
 * @typedef {object} Imported
 * @property {string} course_id
 * @property {string} share_code
 * @property {{ modules: number, lessons: number, pages: number, questions: number, files: number }} counts
 * @property {{ where: string, what: string, outcome: string, why: string }[]} report
 */

export class Server {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #log = "";
  /** Milliseconds from process start to the first response. */
  firstAnswer = 0;

  /**
   * @param {string} binary @param {string} url @param {string} dataDir @param {NodeJS.ProcessEnv} env
   * @param {() => Promise<void>} dropDatabase
   */
  constructor(binary, url, dataDir, env, dropDatabase) {
    this.binary = binary;
    this.url = url;
    this.dataDir = dataDir;
    this.env = env;
    this.dropDatabase = dropDatabase;
  }

  /**
   * @param {object} [options]
   * @param {"sqlite" | "postgres"} [options.database]
   * @param {string} [options.binary] default: KURSO_BIN, then the debug build
   * @param {NodeJS.ProcessEnv} [options.settings] overrides of the test defaults (no demo, no rate limits)
   */
  static async start({ database = "sqlite", binary, settings = {} } = {}) {
    const path = resolve(binary ?? process.env.KURSO_BIN ?? join(root, "target/debug/kurso"));
    if (!existsSync(path)) throw new Error(`there is no ${path}: build it, or name the binary in KURSO_BIN`);
    const address = `127.0.0.1:${await freePort()}`;
    const dataDir = await mkdtemp(join(tmpdir(), "kurso-"));
    const fresh = database === "postgres" ? await postgresDatabase() : undefined;
    const env = {
      ...process.env,
      KURSO_ADDRESS: address,
      KURSO_PUBLIC_URL: `http://${address}`,
      KURSO_DATA_DIR: dataDir,
      KURSO_SUPERUSER_EMAIL: admin.email,
      KURSO_SUPERUSER_PASSWORD: admin.password,
      KURSO_DEMO: "off",
      KURSO_RATE_LIMIT: "off",
      ...(fresh && { KURSO_DATABASE_URL: fresh.url }),
      ...settings,
    };
    const server = new Server(path, `http://${address}`, dataDir, env, fresh?.drop ?? (async () => {}));
    await server.resume();
    return server;
  }

  /** Starts the process again on its data; the counterpart of `pause`. */
  async resume() {
    const started = performance.now();
    const child = spawn(this.binary, ["serve"], {
      cwd: this.dataDir,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      this.#log = (this.#log + chunk.toString()).slice(-20_000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    this.#child = child;
    while (child.exitCode === null && performance.now() - started < 30_000) {
      const answer = await fetch(`${this.url}/api/v1/utils/health-check/`).catch(() => undefined);
      if (answer?.ok && (await answer.json()) === true) {
        this.firstAnswer = performance.now() - started;
        return;
      }
      await new Promise((done) => setTimeout(done, 5));
    }
    throw new Error(`kurso did not come up:\n${this.#log}`);
  }

  /** Stops the process and keeps its data. */
  async pause() {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    // A graceful shutdown waits for open connections, and a browser keeps some.
    const hard = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(hard);
  }

  /** Kills the process with SIGKILL. Its data stays for `resume`. */
  async crash() {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
  }

  async stop() {
    await this.pause();
    await this.dropDatabase();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Whether the process has printed this. @param {string} text */
  hasSaid(text) {
    return this.#log.includes(text);
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Runs another command of the same binary beside the server; answers with its standard output. @param {string[]} args */
  async cli(...args) {
    const { stdout } = await run(this.binary, args, {
      cwd: this.dataDir,
      env: this.env,
      maxBuffer: 64 << 20,
    });
    return stdout;
  }

  /** @param {string} folder @param {string} owner @returns {Promise<Imported>} */
  async import(folder, owner) {
    return JSON.parse(await this.cli("import", folder, "--owner", owner, "--json"));
  }
}

async function freePort() {
  const listener = createServer();
  await new Promise((done) => listener.listen(0, "127.0.0.1", () => done(undefined)));
  const address = listener.address();
  await new Promise((done) => listener.close(done));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

/** Creates an empty database in the cluster of scripts/with-postgres.sh. */
export async function postgresDatabase() {
  const cluster = process.env.KURSO_TEST_POSTGRES_URL;
  if (!cluster)
    throw new Error("KURSO_TEST_POSTGRES_URL is not set: run this through scripts/with-postgres.sh");
  const name = `kurso_${randomBytes(6).toString("hex")}`;
  await run("psql", [cluster, "-qc", `CREATE DATABASE ${name}`]);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await run("psql", [cluster, "-qc", `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]);
    },
  };
}
