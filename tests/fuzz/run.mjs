// API fuzzing: schemathesis generates valid and invalid requests from the served OpenAPI document, on both databases, as a visitor, a learner, an owner and a
// superuser. No response may be a 5xx or contradict the document (status, type, schema, headers), no call may work without its token, and no undocumented method
// may work. Writes JUnit reports to the given folder; `--long` generates more.
import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { demoBook } from "../../scripts/books.mjs";
import { login, post } from "../../scripts/client.mjs";
import { junit } from "../../scripts/junit.mjs";
import { admin, root, Server } from "../../scripts/server.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { long: { type: "boolean" } } });
const schemathesis = join(root, "target/python-tools/bin/schemathesis");
const work = join(root, "target/fuzz");
const reports = positionals[0] ?? work;
const password = "correct-horse-battery";
const common = await readFile(join(import.meta.dirname, "schemathesis.toml"), "utf8");

/** Generated requests per operation and persona; the coverage phase adds every boundary of the document once. */
const cases = values.long ? 30 : 3;
const personas = {
  visitor: { phases: "fuzzing" },
  learner: { phases: "fuzzing" },
  owner: { phases: "coverage,fuzzing" },
  // The owner already covers what owners may do.
  superuser: { phases: "coverage,fuzzing", tags: ["login", "private", "users", "utils"] },
};

await rm(work, { recursive: true, force: true });
await mkdir(work, { recursive: true });
await mkdir(reports, { recursive: true });
const outcomes = await Promise.all(["sqlite", "postgres"].map(attack));
process.exitCode = outcomes.every(Boolean) ? 0 : 1;

/** Whether all personas passed on this database. */
async function attack(database) {
  const server = await Server.start({ database, settings: { KURSO_DEV: "1", KURSO_LOG: "error" } });
  const runs = [];
  try {
    const world = await seed(server);
    const document = await (await fetch(`${server.url}/api/v1/openapi.json`)).json();
    await writeFile(join(work, `${database}.toml`), settings(world.ids, takingBooleans(document)));
    for (const persona of Object.keys(personas)) {
      const started = performance.now();
      const { passed, output } = await run(database, server, world, persona);
      const seconds = (performance.now() - started) / 1000;
      const made = Number(/(\d+) generated/.exec(output)?.[1] ?? 0);
      process.stdout.write(
        `${passed ? "✔" : "✖"} ${database}, ${persona}: ${made} requests, ${seconds.toFixed(1)} s\n`,
      );
      if (!passed) process.stdout.write(`${output}\n`);
      const failure = passed && made > 0 ? undefined : output.slice(-400);
      runs.push({ name: `${persona} against the API`, failure, seconds, made });
    }
  } finally {
    await server.stop();
  }
  const made = runs.reduce((sum, run) => sum + run.made, 0);
  process.stdout.write(`${database}: ${made} requests in all\n`);
  await writeFile(join(reports, `fuzz-${database}.xml`), junit(runs));
  return runs.every(({ failure }) => failure === undefined);
}

/** Creates courses, people and items; returns the personas' tokens and the ids by parameter name. */
async function seed(server) {
  const call = (path, token, body) => post(server.url, `/api/v1${path}`, body, token);
  const signUp = async (email) => {
    const user = await call("/users/signup", undefined, { email, password, full_name: "Ann Example" });
    return { id: user.id, token: await login(server.url, email, password) };
  };
  const [owner, learner, spare] = await Promise.all(
    ["owner", "learner", "spare"].map((name) => signUp(`${name}@example.com`)),
  );
  const superuser = await login(server.url, admin.email, admin.password);
  const { course_id, share_code } = await server.import(demoBook, "owner@example.com");
  const courses = [];
  // The first two are shared; deleting one of the duplicates leaves the others.
  for (let copies = 0; copies < 3; copies++)
    courses.push(await call(`/courses/duplicate_course/${course_id}`, owner.token));
  // In several courses, because the learner leaves some during the run.
  const enrollments = [await call("/courses/enroll", learner.token, { share_code })];
  for (const { id } of courses) {
    const code = await call(`/courses/generate_share_code/${id}`, owner.token);
    for (const { token } of [learner, spare])
      enrollments.push(await call("/courses/enroll", token, { share_code: code.share_code }));
  }
  const groups = [];
  for (const { id } of [...courses, ...courses])
    groups.push(await call(`/courses/create_group/${id}`, owner.token, { title: "Group" }));
  const invited = { email: "invited@example.com", role: "teacher" };
  const invitation = await call(`/courses/collaborators/${course_id}`, owner.token, invited);
  // Of a person whom no persona signs in as, so that the address stays.
  const feed = await call("/calendar/feed", spare.token);
  const modules = courses.flatMap((course) => course.modules);
  const lessons = modules.flatMap((module) => module.lessons);
  const pages = lessons.flatMap((lesson) => lesson.pages);
  const items = [];
  for (const title of ["Ink", "Paper", "Glue"]) items.push(await call("/items/", owner.token, { title }));
  const body = { kind: "assignment" };
  const assignment = await call(`/courses/create_page/${lessons[0].id}`, owner.token, body);
  const headers = { authorization: `Bearer ${owner.token}` };
  const put = async (path, body) => {
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method: "PUT",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return await answer.json();
  };
  const overrides = [];
  for (const { id, course_id } of groups)
    overrides.push(await put(`/courses/set_override/${course_id}`, { group_id: id, available_until: null }));
  const certificates = [];
  const enrolled = enrollments.slice(1);
  for (const { id } of courses) {
    await put(`/courses/set_certificate_design/${id}`, { is_on: true, basis: "grade", min_percent: 0 });
    for (const { token } of [learner, spare]) {
      const grade = { page_id: null, version: 0, kind: "override", points: "90", reason: "Work" };
      await put(`/courses/decide_grade/${enrolled.shift().id}`, grade);
      certificates.push(await call(`/courses/issue_certificate/${id}`, token));
    }
  }
  const categories = [];
  for (const { id } of [...courses, { id: course_id }]) {
    const body = { title: "Category" };
    const settings = await call(`/courses/create_grade_category/${id}`, owner.token, body);
    categories.push(settings.categories[0]);
  }
  const banks = [];
  for (const title of ["Algebra", "Geometry", "Logic"])
    banks.push(await call("/banks/create_bank", owner.token, { title }));
  const questions = [];
  for (const { id } of banks) {
    const body = { questions: [{ question: { type: "numeric", prompt: "2 + 2?", value: 4 } }] };
    questions.push(...(await call(`/banks/add_questions/${id}`, owner.token, body)).questions);
  }
  const announcements = [];
  for (const { id } of [...courses, ...courses]) {
    const content = { type: "doc", content: [{ type: "paragraph" }] };
    announcements.push(
      await call(`/courses/create_announcement/${id}`, owner.token, { title: "News", content }),
    );
  }
  const discussions = [];
  const answers = [];
  for (const page of pages.slice(0, 6))
    for (const { token } of [owner, learner]) {
      const text = [{ type: "text", text: "Why?" }];
      const body = { type: "doc", content: [{ type: "paragraph", content: text }] };
      discussions.push(await call(`/courses/start_discussion/${page.id}`, token, { body }));
      const answer = await call(`/courses/reply_discussion/${discussions.at(-1).id}`, token, { body });
      answers.push(answer.post);
    }
  const answer = await fetch(`${server.url}/api/v1/courses/get_course/${course_id}`, { headers });
  const lessonsRead = (await answer.json()).modules.flatMap((module) => module.lessons);
  const pagesRead = lessonsRead.flatMap((lesson) => lesson.pages);
  const quizzes = pagesRead.filter(({ kind }) => kind === "quiz");
  const ids = (list) => list.map(({ id }) => id);
  return {
    tokens: { learner: learner.token, owner: owner.token, superuser },
    ids: {
      "path.course_id": [course_id, ...ids(courses)],
      "query.course_id": [course_id],
      "path.module_id": ids(modules),
      "path.lesson_id": ids(lessons),
      "path.page_id": ids([...pagesRead.slice(0, 4), ...quizzes.slice(0, 2), ...pages, assignment]),
      "path.bank_id": ids(banks),
      "path.question_id": ids([...assignment.quiz.questions, ...questions]),
      "path.id": ids(items),
      "path.token": [feed.url.split("/").at(-2)],
      // A user's id in paths of users, a collaborator's in paths of courses.
      "path.user_id": [spare.id, invitation.id],
      "path.enrollment_id": ids(enrollments),
      "path.group_id": ids(groups),
      "path.override_id": ids(overrides),
      "path.category_id": ids(categories),
      "path.certificate_id": ids(certificates),
      "path.announcement_id": ids(announcements),
      "path.discussion_id": ids(discussions),
      "path.post_id": ids(answers),
      "body.group_id": ids(groups),
      "path.version": [1, 2],
      "body.share_code": [share_code],
    },
  };
}

/** The operations whose body contains a boolean. */
function takingBooleans({ paths, components }) {
  const contains = (schema, seen = []) => {
    const name = schema.$ref?.split("/").at(-1);
    if (name) return !seen.includes(name) && contains(components.schemas[name], [...seen, name]);
    const parts = [
      schema.items ?? [],
      ...["allOf", "anyOf", "oneOf"].flatMap((key) => schema[key] ?? []),
    ].flat();
    return (
      [schema.type].flat().includes("boolean") ||
      [...Object.values(schema.properties ?? {}), ...parts].some((part) => contains(part, seen))
    );
  };
  return Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ requestBody }) =>
      Object.values(requestBody?.content ?? {}).some(({ schema }) => contains(schema)),
    )
    .map(({ operationId }) => operationId);
}

/** The settings that follow from the document and this database's ids; the others are in schemathesis.toml. */
function settings(ids, takingBooleans) {
  const lines = Object.entries(ids).flatMap(([parameter, values]) => [
    `[dictionaries."${parameter}"]`,
    `values = ${JSON.stringify(values)}`,
    `[parameters."${parameter}"]`,
    `dictionary = "${parameter}"`,
    "probability = 0.7",
  ]);
  // Booleans may also be sent as 0, 1 and "true", which existing clients do.
  const accepted = [200, 400, 401, 403, 404, 405, 406, 409, 415, 422, 428, 429];
  lines.push(
    "[[operations]]",
    `include-operation-id = ${JSON.stringify(takingBooleans)}`,
    `checks.negative_data_rejection.expected-statuses = ${JSON.stringify(accepted)}`,
  );
  return `${common}\n${lines.join("\n")}\n`;
}

/** Runs schemathesis as one persona. */
function run(database, server, { tokens }, persona) {
  const { phases, tags = [] } = personas[persona];
  const args = ["--no-color", "--config-file", join(work, `${database}.toml`), "run"];
  args.push(`${server.url}/api/v1/openapi.json`, `--max-examples=${cases}`);
  args.push(`--phases=${values.long ? "coverage,fuzzing,stateful" : phases}`);
  if (!values.long) args.push(...tags.map((tag) => `--include-tag=${tag}`));
  // Runs that gate a change are deterministic; the long run searches for new failures.
  if (!values.long) args.push("--generation-deterministic");
  const env = {
    ...process.env,
    SCHEMATHESIS_HOOKS: "hooks",
    PYTHONPATH: import.meta.dirname,
    PYTHONDONTWRITEBYTECODE: "1",
    KURSO_URL: server.url,
    KURSO_TOKEN: tokens[persona] ?? "",
    KURSO_SUPERUSER_TOKEN: persona === "superuser" ? tokens.superuser : "",
  };
  return new Promise((done, fail) => {
    const child = spawn(schemathesis, args, { cwd: work, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data) => {
        output += data;
      });
    child.once("error", fail);
    child.once("close", (code) => done({ passed: code === 0, output }));
  });
}
