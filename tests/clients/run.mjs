// Tests the APIs with third-party clients: two generators read the served OpenAPI document, and walk*.ts and walk*.py call every operation through the unmodified
// generated clients. Fails when one of them has not called an operation successfully. Also runs the GraphQL client of docs/graphql-client.md with types that
// graphql-codegen generates from the served schema, and reads calendar feeds with programs that others wrote. Writes JUnit reports to the given folder.
import { spawn } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import { demoBook } from "../../scripts/books.mjs";
import { login } from "../../scripts/client.mjs";
import { admin, root, Server } from "../../scripts/server.mjs";
import { generateDocuments } from "./graphql/codegen.mjs";

const here = import.meta.dirname;
const PYTHON_TESTS = [
  "walk.py",
  "walk_courses.py",
  "walk_quizzes.py",
  "walk_notices.py",
  "walk_certificates.py",
  "feeds.py",
];
const work = join(root, "target/clients");
const python = join(root, "target/python-tools/bin");
const reports = process.argv[2] ?? work;

await rm(work, { recursive: true, force: true });
await mkdir(work, { recursive: true });
await mkdir(reports, { recursive: true });
// The generated code imports the packages that are installed here.
await symlink(join(here, "node_modules"), join(work, "node_modules"));
// KURSO_DEV: the document then includes the development-only call. Pushes stay on this machine.
const server = await Server.start({ settings: { KURSO_DEV: "1", KURSO_PUSH_HOSTS: "127.0.0.1" } });
try {
  const document = await (await fetch(`${server.url}/api/v1/openapi.json`)).text();
  await writeFile(join(work, "openapi.json"), document);
  const [file] = await Promise.all([
    anyFile(),
    feeds(),
    typescriptClient(),
    pythonClient(),
    generateDocuments(server.url, join(work, "graphql")),
  ]);
  const walks = await Promise.all([typescriptWalk(file), pythonWalk(file)]);
  // A walk that broke off has not come to the rest, which says nothing.
  const whole = walks.filter(({ passed }) => passed);
  const missing = whole.flatMap(({ language, calls }) =>
    uncalled(JSON.parse(document), calls).map((operation) => `${operation} by the ${language} client`),
  );
  for (const operation of missing) process.stderr.write(`not called successfully: ${operation}\n`);
  const agree = whole.length === walks.length && isDeepStrictEqual(whole[0]?.events, whole[1]?.events);
  if (!agree) process.stderr.write("the two readers of calendars did not read the same events\n");
  const sample = await graphqlSample();
  process.exitCode = missing.length === 0 && agree && sample ? 0 : 1;
} finally {
  await server.stop();
}

/** The feeds of a test that changes dates and zones and sets the clock forward and back, 50 times. A running server has the clock of the machine. */
async function feeds() {
  const folder = join(work, "feeds");
  await mkdir(folder);
  const name = "calendar::fifty_changes_of_dates_zones_and_clocks_lose_no_event::sqlite";
  // The whole workspace, so that `make test` has built the program already.
  const args = ["test", "--workspace", "--locked", "--quiet", "--test", "core", "--", "--exact", name];
  const env = { ...process.env, KURSO_TEST_FEEDS: folder };
  if (!(await run("cargo", args, { cwd: root, env }))) throw new Error(`${name} failed`);
}

async function typescriptClient() {
  await createClient({
    input: join(work, "openapi.json"),
    output: { path: join(work, "sdk"), importFileExtension: ".js" },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "error", file: false },
  });
}

async function pythonClient() {
  const config = join(work, "generator.json");
  // Formatting generated code would take longer than generating it.
  await writeFile(config, JSON.stringify({ post_hooks: [] }));
  const generator = join(python, "openapi-python-client");
  const options = [
    "--path",
    "openapi.json",
    "--meta",
    "none",
    "--output-path",
    "kurso_client",
    "--config",
    config,
  ];
  if (!(await run(generator, ["generate", "--fail-on-warning", ...options], { cwd: work })))
    throw new Error("openapi-python-client could not make a client of the document, or not of all of it");
}

async function typescriptWalk(file) {
  // The compiler writes ES modules, which need a package.json beside them that says so.
  await writeFile(join(work, "package.json"), '{"type": "module"}');
  const compiled = await run(join(here, "node_modules/.bin/tsc"), ["--project", here]);
  return walk("TypeScript", file, (options) =>
    compiled ? nodeTest(["walk.js", "feeds.js"], "typescript-client", options) : Promise.resolve(false),
  );
}

/** The sample of docs/graphql-client.md, compiled with the walk, against a course to read. */
async function graphqlSample() {
  const { course_id, share_code } = await server.import(demoBook, admin.email);
  const env = { ...process.env, KURSO_URL: server.url, KURSO_COURSE: course_id, KURSO_CODE: share_code };
  return nodeTest(["graphql/sample.js"], "graphql-client", { env });
}

function nodeTest(files, report, options) {
  const reporters = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
  reporters.push("--test-reporter=junit", `--test-reporter-destination=${join(reports, `${report}.xml`)}`);
  const paths = files.map((file) => join(work, "js/tests/clients", file));
  return run(process.execPath, ["--test", ...reporters, ...paths], options);
}

function pythonWalk(file) {
  const options = ["-q", "-p", "no:cacheprovider", `--junitxml=${join(reports, "python-client.xml")}`];
  return walk("Python", file, ({ env }) =>
    run(join(python, "pytest"), [...options, ...PYTHON_TESTS.map((name) => join(here, name))], {
      env: { ...env, PYTHONPATH: work, PYTHONDONTWRITEBYTECODE: "1" },
    }),
  );
}

/** Runs one client; returns whether it passed, its calls as [method, path, status], and the events that it has read. */
async function walk(language, file, start) {
  const log = join(work, `${language}.calls`);
  const read = join(work, `${language}.events`);
  await writeFile(log, "");
  const env = {
    ...process.env,
    KURSO_URL: server.url,
    KURSO_OUTBOX: join(server.dataDir, "outbox"),
    KURSO_SECRET: (await readFile(join(server.dataDir, "secret.key"), "utf8")).trim(),
    KURSO_CALLS: log,
    KURSO_FILE: file,
    KURSO_FEEDS: join(work, "feeds"),
    KURSO_READ: read,
  };
  const passed = await start({ env });
  const lines = (await readFile(log, "utf8")).trim().split("\n").filter(Boolean);
  const events = passed && JSON.parse(await readFile(read, "utf8"));
  return { language, passed, calls: lines.map((line) => JSON.parse(line)), events };
}

/** The documented operations without a successful call. A path without parameters takes precedence over one with. */
function uncalled(document, calls) {
  /** A question comes again the next day, and the server has the clock of the machine. The walks call them for a question that is not there. */
  const later = new Set(["courses-answer_practice", "courses-set_practice"]);
  const paths = Object.keys(document.paths).sort((a, b) => a.split("{").length - b.split("{").length);
  const patterns = paths.map((path) => [path, new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`)]);
  const called = new Set();
  for (const [method, path, status] of calls) {
    const known = patterns.find(([, pattern]) => pattern.test(path))?.[0];
    if (status >= 200 && status < 300) called.add(document.paths[known]?.[method.toLowerCase()]?.operationId);
  }
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return all
    .map(({ operationId }) => operationId)
    .filter((operation) => !called.has(operation) && !later.has(operation));
}

/** `{key}/{filename}` of an image of the demo course. */
async function anyFile() {
  const { course_id } = await server.import(demoBook, admin.email);
  const headers = { authorization: `Bearer ${await login(server.url, admin.email, admin.password)}` };
  const read = async (path) => (await fetch(`${server.url}/api/v1/courses/${path}`, { headers })).json();
  for (const { lessons } of (await read(`get_course/${course_id}`)).modules) {
    for (const { id } of lessons.flatMap(({ pages }) => pages)) {
      const found = /\/files\/([0-9a-f]{32}\/[^"]+)/.exec(JSON.stringify(await read(`get_page/${id}`)));
      if (found) return found[1];
    }
  }
  throw new Error("the demo course shows no file");
}

/** Runs a command with its output shown; returns whether it succeeded. */
function run(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: "inherit", ...options });
    child.once("error", fail);
    child.once("exit", (code) => done(code === 0));
  });
}
