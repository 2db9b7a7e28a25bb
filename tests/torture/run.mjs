// Crash tests: simulated people enroll, read, take a quiz, save drafts, edit and upload while the server, or PostgreSQL, is killed at random moments. After every crash all
// acknowledged writes must be there, nothing may be half done, and `kurso check` must find no problem. Writes a JUnit report to the given folder.
//
//   node tests/torture/run.mjs [FOLDER] [--seconds 25] [--kills N] [--restarts N] [--bodies N] [--seed N] [--only WORD]
//
// Further tests attack: two hold the given number of unfinished requests open from one address while others are served, the others let clients disconnect in
// mid-statement, import and export bombs, and send floods of mails; the last two kill a server that mails to a failing mail server. --only runs the tests with this word in their name.
// Without a number of crashes each of the three tests runs for the given seconds.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { junit } from "../../scripts/junit.mjs";
import { admin, postgresDatabase, root, Server } from "../../scripts/server.mjs";
import { Cluster } from "./cluster.mjs";
import { disconnects } from "./disconnects.mjs";
import { Exam } from "./exam.mjs";
import { floods } from "./floods.mjs";
import { bombs } from "./imports.mjs";
import { mails } from "./mails.mjs";
import { LEARNERS, School } from "./school.mjs";
import { slowBodies } from "./slow-bodies.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "25" },
    kills: { type: "string" },
    restarts: { type: "string" },
    bodies: { type: "string", default: "2000" },
    only: { type: "string", default: "" },
    seed: { type: "string" },
  },
});
const bodies = Number(values.bodies);
const reports = positionals[0] ?? join(root, "target/torture");
const seed = Number(values.seed ?? Date.now() % 1_000_000);

/** The maximum time of load between two crashes. */
const QUIET_MS = 1_500;
/** The minimum number of acknowledged writes for a meaningful test. */
const LEAST = 50;

await mkdir(reports, { recursive: true });
const trials = [
  ["the server is killed, on SQLite", () => trial({ database: "sqlite", crashes: values.kills })],
  ["the server is killed, on PostgreSQL", () => trial({ database: "postgres", crashes: values.kills })],
  ["the server is killed during an exam, on SQLite", () => examTrial("sqlite")],
  ["the server is killed during an exam, on PostgreSQL", () => examTrial("postgres")],
  ["PostgreSQL is killed", () => trial({ database: "postgres", crashes: values.restarts, ofDatabase: true })],
  ["bodies trickle in from one address, on SQLite", () => slowBodies({ database: "sqlite", bodies })],
  ["bodies trickle in from one address, on PostgreSQL", () => slowBodies({ database: "postgres", bodies })],
  ["200 clients disconnect in mid-statement, on PostgreSQL", disconnects],
  ["small files are costly", bombs],
  ["mails, invitations and copies come in floods", floods],
  ["a backup is made under load, on SQLite", () => backupTrial("sqlite", "postgres")],
  ["a backup is made under load, on PostgreSQL", () => backupTrial("postgres", "sqlite")],
];
/** Trials that mostly wait, and run beside the others. */
const waiting = [
  ["the server is killed while it mails, on SQLite", () => mailTrial("sqlite")],
  ["the server is killed while it mails, on PostgreSQL", () => mailTrial("postgres")],
];
const isWanted = ([name]) => name.includes(values.only);
const runs = [];
const beside = waiting.filter(isWanted).map(record);
for (const trial of trials.filter(isWanted)) await record(trial);
await Promise.all(beside);
await writeFile(join(reports, "torture.xml"), junit(runs));
process.exitCode = runs.some(({ failure }) => failure) ? 1 : 0;

/** Runs a trial and records its result. */
async function record([name, run]) {
  const started = performance.now();
  let failure;
  try {
    process.stdout.write(`✔ ${name}: ${await run()}\n`);
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
    process.stdout.write(`✖ ${name} (seed ${seed}): ${failure}\n`);
  }
  runs.push({ name, failure, seconds: (performance.now() - started) / 1000 });
}

function mailTrial(database) {
  const kills = values.kills === undefined ? undefined : Number(values.kills);
  return mails({ database, admin, random: random(seed), kills, seconds: Number(values.seconds) });
}

/** Runs one test and returns a summary; throws on a violation. */
async function trial({ database, crashes, ofDatabase = false }) {
  // Crash tests need a durable database; the cluster of the other tests is not.
  const cluster = ofDatabase ? await Cluster.start() : undefined;
  const settings = {
    KURSO_LOG: "error",
    KURSO_FILES_GRACE: "10s",
    ...(cluster && { KURSO_DATABASE_URL: cluster.url }),
  };
  const server = await Server.start({ database: ofDatabase ? "sqlite" : database, settings });
  try {
    const school = await School.open(server, admin, random(seed));
    const until = performance.now() + Number(values.seconds) * 1000;
    const wanted = crashes === undefined ? Number.POSITIVE_INFINITY : Number(crashes);
    let count = 0;
    while (count < wanted && (crashes !== undefined || performance.now() < until)) {
      const work = school.work();
      await sleep(50 + school.random() * QUIET_MS);
      if (cluster) {
        await cluster.crash();
        await cluster.resume();
      } else {
        await server.crash();
      }
      await school.rest(work);
      if (!cluster) await server.resume();
      await school.verify();
      count += 1;
    }
    const report = JSON.parse(await server.cli("check", "--deep", "--json"));
    if (report.problems > 0) throw new Error(`check found ${JSON.stringify(report.findings)}`);
    const { acknowledged, refused, faults, inFlight } = school.counts;
    const sum = Object.values(acknowledged).reduce((all, n) => all + n, 0);
    if (sum < LEAST) throw new Error(`only ${sum} writes were acknowledged`);
    if (refused.length > 0)
      throw new Error(`refused while nothing was broken: ${refused.slice(0, 5).join("; ")}`);
    if (faults.length > 0) throw new Error(`faults, not refusals: ${faults.slice(0, 5).join("; ")}`);
    const what = Object.entries(acknowledged).map(([kind, n]) => `${n} ${kind}`);
    return `${count} crashes, ${sum} acknowledged writes all there (${what.join(", ")}), ${inFlight} broken off`;
  } finally {
    await server.stop();
    await cluster?.stop();
  }
}

/** Kills the server while learners take a quiz with a time limit. */
async function examTrial(database) {
  const server = await Server.start({ database, settings: { KURSO_LOG: "error" } });
  try {
    const exam = await Exam.open(server, admin, random(seed));
    const until = performance.now() + Number(values.seconds) * 1000;
    const wanted = values.kills === undefined ? Number.POSITIVE_INFINITY : Number(values.kills);
    let count = 0;
    while (count < wanted && (values.kills !== undefined || performance.now() < until)) {
      const work = exam.work();
      await sleep(50 + exam.random() * QUIET_MS);
      await server.crash();
      await exam.rest(work);
      await server.resume();
      count += 1;
    }
    await exam.verify();
    const report = JSON.parse(await server.cli("check", "--deep", "--json"));
    if (report.problems > 0) throw new Error(`check found ${JSON.stringify(report.findings)}`);
    const { refused, faults } = exam.school.counts;
    if (refused.length > 0) throw new Error(`refused: ${refused.slice(0, 5).join("; ")}`);
    if (faults.length > 0) throw new Error(`faults, not refusals: ${faults.slice(0, 5).join("; ")}`);
    const { starts, saves, submissions } = exam.counts;
    if (saves < LEAST || starts < LEARNERS) throw new Error(`only ${saves} answers of ${starts} attempts`);
    return `${count} crashes, ${starts} attempts ended once, ${saves} acknowledged answers all count, ${submissions} submitted`;
  } finally {
    await server.stop();
  }
}

/** A backup made under load is a consistent snapshot, and identical after a restore on the other database. */
async function backupTrial(from, to) {
  const server = await Server.start({ database: from, settings: { KURSO_LOG: "error" } });
  const folder = await mkdtemp(join(tmpdir(), "kurso-restored-"));
  const other = await emptyDatabase(to, folder);
  try {
    const school = await School.open(server, admin, random(seed));
    const work = school.work();
    const sum = () => Object.values(school.counts.acknowledged).reduce((all, n) => all + n, 0);
    while (sum() < LEAST || school.counts.acknowledged.attempts < LEARNERS) await sleep(50);
    const known = school.known();
    const file = join(folder, "school.zip");
    const made = JSON.parse(await server.cli("backup", file, "--json"));
    await sleep(500);
    await school.rest(work);
    const there = (...args) => server.cli(...args, "--data-dir", folder, "--database-url", other.url);
    await there("restore", file);
    const { problems, findings } = JSON.parse(await there("check", "--deep", "--json"));
    if (problems > 0) throw new Error(`check found ${JSON.stringify(findings)}`);
    const again = JSON.parse(await there("backup", join(folder, "again.zip"), "--json"));
    if (JSON.stringify([again.tables, again.files]) !== JSON.stringify([made.tables, made.files]))
      throw new Error("what was restored is not what was saved");
    const rows = (name) => made.tables.find((table) => table.name === name).rows;
    const { enrollments, attempts: tried, handIns } = school.counts.acknowledged;
    const attempts = tried + handIns;
    if (rows("attempts") > attempts + LEARNERS || rows("enrollments") > enrollments + LEARNERS)
      throw new Error("the backup contains rows that no client wrote");
    await copyFile(join(server.dataDir, "secret.key"), join(folder, "secret.key"));
    const settings = { KURSO_LOG: "error", KURSO_DATA_DIR: folder, KURSO_DATABASE_URL: other.url };
    known.server = await Server.start({ settings });
    try {
      await known.verify();
    } finally {
      await known.server.stop();
    }
    return `${rows("attempts")} of ${attempts} attempts, ${made.files.count} files; restored on ${to}, the same by checksum`;
  } finally {
    await server.stop();
    await other.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function emptyDatabase(kind, folder) {
  if (kind === "postgres") return postgresDatabase();
  return { url: `sqlite:${join(folder, "kurso.db")}`, drop: async () => {} };
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** A deterministic random number generator. */
function random(from) {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
