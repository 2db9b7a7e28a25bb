// A disposable test machine: Debian with systemd as init, in separate namespaces, without a network. Its writes go to memory. Needs root and systemd-nspawn.
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const BOOT_MS = 60_000;
const STOP_MS = 30_000;
/** The environment of a root shell, without ours. */
const environment = [
  "HOME=/root",
  "LANG=C.UTF-8",
  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  "DEBIAN_FRONTEND=noninteractive",
];

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Machine {
  /** @type {import("node:child_process").ChildProcess} */
  #nspawn;
  #folder;
  #init = 0;
  #console = "";

  /** @param {string} name @param {string} folder @param {import("node:child_process").ChildProcess} nspawn */
  constructor(name, folder, nspawn) {
    this.name = name;
    this.#folder = folder;
    this.#nspawn = nspawn;
    /** @param {Buffer} chunk */
    const keep = (chunk) => {
      this.#console = (this.#console + chunk.toString()).slice(-8_000);
    };
    nspawn.stdout?.on("data", keep);
    nspawn.stderr?.on("data", keep);
  }

  /**
   * `base`: its initial file tree, mounted read-only; `handover`: a folder mounted as /mnt/backups.
   * @param {string} name @param {{ base: string, handover: string, target: string }} options
   */
  static async boot(name, { base, handover, target }) {
    const folder = await mkdtemp(join(tmpdir(), `kurso-machine-${name}-`));
    const at = (/** @type {string} */ part) => join(folder, part);
    // An overlay's upper layer must be outside the tree that it covers.
    await run("mount", ["-t", "tmpfs", "kurso-machine", folder]);
    for (const part of ["written", "work", "root"]) await mkdir(at(part));
    await run("mount", [
      ...["-t", "overlay", "kurso-machine"],
      ...["-o", `lowerdir=${base},upperdir=${at("written")},workdir=${at("work")}`, at("root")],
    ]);
    const options = [
      ...["--quiet", "--register=no", "--keep-unit", "--private-network"],
      ...["--link-journal=no", "--resolv-conf=off", "--timezone=off", `--machine=${basename(folder)}`],
      ...[`--bind=${handover}:/mnt/backups`, `--directory=${at("root")}`],
    ];
    const boot = ["systemd-nspawn", ...options, "--boot", "--", `systemd.unit=${target}`];
    // The machine ends when the test is killed.
    const nspawn = spawn("setpriv", ["--pdeathsig", "TERM", ...boot], { stdio: ["ignore", "pipe", "pipe"] });
    const machine = new Machine(name, folder, nspawn);
    try {
      await machine.#booted();
    } catch (error) {
      await machine.stop();
      throw error;
    }
    return machine;
  }

  async #booted() {
    const ends = Date.now() + BOOT_MS;
    while (Date.now() < ends && this.#nspawn.exitCode === null) {
      const parent = this.#nspawn.pid;
      const children = await readFile(`/proc/${parent}/task/${parent}/children`, "utf8").catch(() => "");
      for (const pid of children.trim().split(" ").filter(Boolean)) {
        const comm = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
        if (comm.trim() === "systemd") this.#init = Number(pid);
      }
      // "degraded": an unrelated unit of the machine failed.
      const state = this.#init ? await this.run("systemctl is-system-running || true").catch(() => "") : "";
      if (/^(running|degraded)/.test(state)) return;
      await pause(200);
    }
    throw new Error(`${this.name} did not come up:\n${this.#console}`);
  }

  /** Runs commands as root, line by line; throws when one fails. @param {string} commands @returns {Promise<string>} */
  async run(commands) {
    const inside = ["-t", String(this.#init), "-m", "-u", "-i", "-n", "-p"];
    const bash = ["env", "-i", ...environment, "bash", "--norc", "-euo", "pipefail", "-c", `cd\n${commands}`];
    try {
      const { stdout, stderr } = await run("nsenter", [...inside, ...bash], {
        timeout: 180_000,
        maxBuffer: 32 << 20,
      });
      return stdout + stderr;
    } catch (error) {
      const { stdout = "", stderr = "" } = /** @type {any} */ (error);
      throw new Error(`on ${this.name}:\n${commands}\n${stdout}${stderr}`);
    }
  }

  /** Copies a file to its /root. @param {string} path */
  async give(path) {
    await run("cp", [path, join(this.#folder, "root/root/")]);
  }

  /**
   * Sends a request to its server. @param {string} path
   * @param {{ form?: Record<string, string>, json?: unknown, file?: { name: string, text: string }, token?: string }} [what]
   * @returns {Promise<{ status: number, body: string }>}
   */
  async ask(path, what = {}) {
    const script = `
      const { path, form, json, file, token } = JSON.parse(process.argv[1]);
      const headers = { ...(token && { authorization: "Bearer " + token }), ...(json && { "content-type": "application/json" }) };
      let body = form && !file ? new URLSearchParams(form) : json && JSON.stringify(json);
      if (file) {
        body = new FormData();
        for (const [name, value] of Object.entries(form ?? {})) body.append(name, value);
        body.append("file", new Blob([file.text]), file.name);
      }
      fetch("http://127.0.0.1:8000" + path, { method: body ? "POST" : "GET", headers, body }).then(async (answer) => {
        console.log(JSON.stringify({ status: answer.status, body: await answer.text() }));
      });`;
    const node = [process.execPath, "-e", script, JSON.stringify({ path, ...what })];
    const { stdout } = await run("nsenter", ["-t", String(this.#init), "-n", ...node], {
      maxBuffer: 32 << 20,
    });
    return JSON.parse(stdout);
  }

  async stop() {
    const ended = new Promise((done) => {
      if (this.#nspawn.exitCode !== null || this.#nspawn.signalCode !== null) done(undefined);
      else this.#nspawn.once("exit", done);
    });
    if (this.#init) await this.run("systemctl poweroff").catch(() => {});
    else this.#nspawn.kill("SIGTERM");
    const hard = setTimeout(() => this.#nspawn.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(hard);
    for (const mount of [join(this.#folder, "root"), this.#folder]) {
      // Its processes may keep the mount busy for a moment.
      for (let tries = 0; tries < 20; tries += 1) {
        if (
          await run("umount", [mount]).then(
            () => true,
            () => false,
          )
        )
          break;
        await pause(250);
      }
    }
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
