// Failures of the disk that holds SQLite and the files: full, and read-only after a file system error.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { admin, Server } from "../../scripts/server.mjs";
import { School } from "../torture/school.mjs";
import {
  call,
  mustBeFine,
  mustBeRefused,
  mustBeWhole,
  mustHaveNoFaults,
  Skipped,
  save,
  sleep,
  sum,
  until,
} from "./watch.mjs";

const run = promisify(execFile);
const NO_ROOM = "На сервере не осталось места";
const READ_ONLY = "Сервер сейчас не может ничего записать";

export const diskTrials = [
  ["the disk of SQLite is full", fullDatabase],
  ["the disk of the files is full", fullFiles],
  ["the disk becomes read-only", readOnly],
  ["a start on a disk that is read-only", startReadOnly],
];

/** A separate disk of the given size in megabytes. */
class Disk {
  static async start(megabytes, { ext4 = false } = {}) {
    if (process.getuid?.() !== 0) throw new Skipped("only root may mount a disk");
    const folder = await mkdtemp(join(tmpdir(), "kurso-disk-"));
    const disk = new Disk(folder, megabytes, ext4);
    await disk.mount();
    return disk;
  }

  constructor(folder, megabytes, ext4) {
    this.folder = folder;
    this.image = ext4 ? `${folder}.img` : undefined;
    this.megabytes = megabytes;
    this.filler = join(folder, "filler");
  }

  async mount() {
    if (!this.image) {
      await run("mount", ["-t", "tmpfs", "-o", `size=${this.megabytes}m`, "kurso-test", this.folder]);
      return;
    }
    if (!existsSync(this.image)) {
      await run("truncate", ["-s", `${this.megabytes}M`, this.image]);
      await run("mkfs.ext4", ["-q", "-F", this.image]);
    }
    await run("mount", ["-o", "loop,errors=remount-ro", this.image, this.folder]);
  }

  /** Fills the disk. */
  async fill() {
    const file = await open(this.filler, "a");
    try {
      for (const size of [1 << 20, 4096, 1]) for (;;) await file.write(Buffer.alloc(size, 7));
    } catch (error) {
      if (error.code !== "ENOSPC") throw error;
    }
    await file.close();
    // Including the last bytes.
    await writeFile(this.filler, Buffer.alloc(4096), { flag: "a" }).catch(() => {});
  }

  async makeRoom() {
    await rm(this.filler, { force: true });
  }

  /** Injects a file system error, which makes it read-only. */
  async fail() {
    const { stdout } = await run("findmnt", ["-no", "SOURCE", this.folder]);
    const trigger = `/sys/fs/ext4/${basename(stdout.trim())}/trigger_fs_error`;
    if (!existsSync(trigger)) throw new Skipped("this kernel cannot be told to find an error in ext4");
    await writeFile(trigger, "a failed disk, as a test");
  }

  async remountReadOnly() {
    await run("mount", ["-o", "remount,ro", this.folder]);
  }

  /** Repairs the disk as an operator would. */
  async mend() {
    await run("umount", [this.folder]);
    // The exit code says that errors were corrected.
    await run("fsck.ext4", ["-y", this.image]).catch(() => {});
    await this.mount();
  }

  async stop() {
    await run("umount", ["-l", this.folder]).catch(() => {});
    await rm(this.folder, { recursive: true, force: true });
    if (this.image) await rm(this.image, { force: true });
  }
}

async function withSchool(disk, settings, trial) {
  const server = await Server.start({
    settings: { KURSO_LOG: "warn", KURSO_FILES_GRACE: "1h", ...settings },
  });
  try {
    const school = await School.open(server, admin, Math.random);
    return await trial(server, school);
  } finally {
    await server.stop();
    await disk.stop();
  }
}

/** Checks that a signed-in user can read. */
async function mustBeReadable(server, school) {
  const page = await call(server, "GET", `/api/v1/courses/get_page/${school.pages[0]}`, {
    token: school.token,
  });
  mustBeFine("reading a page", page);
}

function upload(server, school, megabytes) {
  const body = new FormData();
  body.set("file", new Blob([Buffer.alloc(megabytes << 20, 5)]), "a.bin");
  return call(server, "POST", "/api/v1/courses/upload_file", { token: school.token, body });
}

async function fullDatabase() {
  const disk = await Disk.start(48);
  return withSchool(disk, { KURSO_DATA_DIR: disk.folder }, async (server, school) => {
    let work = school.work();
    await sleep(1_500);
    await disk.fill();
    // SQLite's log may have reusable space, but not for a text of a megabyte.
    await until("a save that finds no room", 20_000, async () => {
      const answer = await save(server, school, school.spare, "x".repeat(900_000));
      if (answer.status === 200) return "it was saved";
      mustBeRefused("a save", answer, NO_ROOM);
      return true;
    });
    await sleep(1_000);
    await mustBeReadable(server, school);
    await disk.makeRoom();
    const back = await until("a save", 10_000, async () => {
      const { status, text } = await save(server, school, school.spare, "again");
      return status === 200 || `${status} ${text}`;
    });
    await sleep(500);
    await school.rest(work);
    await school.verify();

    // Fill it again and cut the power.
    work = school.work();
    await sleep(300);
    await disk.fill();
    await sleep(700);
    await server.crash();
    await school.rest(work);
    await disk.makeRoom();
    await server.resume();
    await school.verify();
    await mustBeWhole(server);
    mustHaveNoFaults(server, school);
    const { inFlight } = school.counts;
    return `${sum(school.counts)} acknowledged writes all there, ${inFlight} refused, works again after ${back} ms`;
  });
}

async function fullFiles() {
  const disk = await Disk.start(8);
  return withSchool(disk, { KURSO_FILES_URL: disk.folder }, async (server, school) => {
    mustBeFine("an upload that fits", await upload(server, school, 3));
    mustBeRefused("an upload without room", await upload(server, school, 7), NO_ROOM);
    mustBeFine("a save meanwhile", await save(server, school, school.spare, "meanwhile"));
    const left = await readdir(disk.folder, { recursive: true });
    if (left.some((name) => name.includes("#"))) throw new Error(`half a file is left: ${left}`);
    mustBeFine("the next upload", await upload(server, school, 3));
    await mustBeWhole(server);
    mustHaveNoFaults(server, school);

    // The whole data folder is read-only.
    await disk.remountReadOnly();
    mustBeRefused("an upload to a read-only folder", await upload(server, school, 1), READ_ONLY);
    mustBeFine("a save meanwhile", await save(server, school, school.spare, "meanwhile"));
    return "refused in words, nothing half written, the rest goes on";
  });
}

async function readOnly() {
  const disk = await Disk.start(64, { ext4: true });
  return withSchool(disk, { KURSO_DATA_DIR: disk.folder }, async (server, school) => {
    const work = school.work();
    await sleep(1_500);
    await disk.fail();
    await until("a save that is refused", 10_000, async () => {
      const answer = await save(server, school, school.spare, "x".repeat(100_000));
      if (answer.status === 200) return "it was saved";
      // SQLite reports either an I/O error or a read-only database.
      mustBeRefused("a save", answer, "ничего не сохранено");
      return true;
    });
    mustBeRefused("an upload", await upload(server, school, 1), "ничего не сохранено");
    await mustBeReadable(server, school);
    await server.crash();
    await school.rest(work);
    await disk.mend();
    await server.resume();
    await school.verify();
    await mustBeWhole(server);
    mustHaveNoFaults(server, school);
    return `${sum(school.counts)} acknowledged writes all there after the disk was mended, ${school.counts.inFlight} refused`;
  });
}

async function startReadOnly() {
  const disk = await Disk.start(16);
  try {
    await disk.remountReadOnly();
    const said = await Server.start({ settings: { KURSO_DATA_DIR: join(disk.folder, "data") } }).then(
      async (server) => {
        await server.stop();
        return "";
      },
      (error) => String(error),
    );
    if (!said.includes("KURSO_DATA_DIR") || !said.includes("Read-only file system"))
      throw new Error(`expected the setting and the reason, it says: ${said}`);
    return "refused with the setting's name and the reason";
  } finally {
    await disk.stop();
  }
}
