// Floods from one address or person: recovery mails, invitations and copies stay within their bounds, and others are served meanwhile.
import { readdir, readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";

/** The address of the attacker; the others use 127.0.0.1. */
const ATTACKER = "127.0.0.2";
const PASSWORD = "correct-horse-battery";
const RECOVERIES = 10_000;
const SENDERS = 12;
const COPIES = 40;
const PAGE_BYTES = 1_900_000;
const QUOTA_MB = 20;

/** Returns a summary; throws when a bound does not hold, or when another person is refused. */
export async function floods() {
  const settings = { KURSO_LOG: "off", KURSO_RATE_LIMIT: "on", KURSO_CONTENT_QUOTA: `${QUOTA_MB}MB` };
  const server = await Server.start({ settings });
  try {
    const token = await login(server.url, admin.email, admin.password);
    const told = [
      await recoveries(server, token),
      await invitations(server, token),
      await copies(server, token),
    ];
    return told.join("; ");
  } finally {
    await server.stop();
  }
}

/** One address asks for a mail to every address it can think of, a hundred by request. */
async function recoveries(server, token) {
  await person(server, token, "victim");
  // The mail about the new account.
  await until("a mail to a new account", async () => (await of(server, "victim")).length === 1);
  const before = (await mails(server)).length;
  const started = performance.now();
  for (let n = 0; n < RECOVERIES; n += 100) {
    const fields = Array.from({ length: 100 }, (_, at) => {
      const email = at === 0 ? "admin@example.com" : `nobody${n + at}@example.com`;
      return `m${at}: requestPasswordRecovery(input: { email: "${email}" }) { message }`;
    });
    await post(server, "/graphql", { query: `mutation { ${fields.join(" ")} }` }, { localAddress: ATTACKER });
  }
  const flood = performance.now() - started;
  const asked = performance.now();
  const { status } = await post(server, "/api/v1/password-recovery/victim@example.com", undefined, {});
  if (status !== 200) throw new Error(`the recovery of another person: ${status}`);
  await until("a recovery mail to a real user", async () => (await of(server, "victim")).length === 2);
  const waited = performance.now() - asked;
  const sent = (await mails(server)).length - before - 1;
  // Five per hour to one account.
  if (sent > 5) throw new Error(`${sent} recovery mails to one account`);
  return `${RECOVERIES} recoveries in ${(flood / 1000).toFixed(1)} s: ${sent} mails, that of a real user after ${waited.toFixed(0)} ms`;
}

/** New accounts invite one victim again and again, with text of their own. */
async function invitations(server, token) {
  const senders = [];
  for (let n = 0; n < SENDERS; n += 1) senders.push(await person(server, token, `sender${n}`));
  let refused = 0;
  for (const sender of senders) {
    for (let n = 0; n < 6; n += 1) {
      const course = await created(server, sender, `Buy at evil.example ${n}`);
      const answer = await post(
        server,
        `/api/v1/courses/collaborators/${course}`,
        { email: "target@example.com", role: "teacher" },
        { token: sender, localAddress: ATTACKER },
      );
      if (answer.status === 429) refused += 1;
      else if (answer.status !== 200) throw new Error(`an invitation: ${answer.status} ${answer.text}`);
    }
  }
  await sleep(1_000);
  const sent = await of(server, "target");
  if (sent.length > 10) throw new Error(`${sent.length} invitations reached one address`);
  if (sent.some((mail) => /^Subject: .*evil/m.test(mail)))
    throw new Error("a subject has text of a stranger");
  const answer = await post(
    server,
    `/api/v1/courses/collaborators/${await created(server, token, "Algebra")}`,
    { email: "colleague@example.com", role: "teacher" },
    { token },
  );
  if (answer.status !== 200) throw new Error(`the invitation of another person: ${answer.status}`);
  return `${SENDERS * 6} invitations to one address: ${sent.length} mails, ${refused} refused`;
}

/** One person copies a large course until the quota of content refuses it. */
async function copies(server, token) {
  const flooder = await person(server, token, "flooder");
  const course = await created(server, flooder, "Large");
  const part = async (path, body) =>
    (await ok(await post(server, `/api/v1/courses/${path}`, body, { token: flooder }))).id;
  const module = await part(`create_module/${course}`, { title: "M" });
  const lesson = await part(`create_lesson/${module}`, { title: "L" });
  const content = {
    type: "doc",
    content: [{ type: "paragraph", content: [{ type: "text", text: "x".repeat(PAGE_BYTES) }] }],
  };
  await part(`create_page/${lesson}`, { title: "P", content });
  let [copied, refused] = [1, 0];
  for (let n = 0; n < COPIES; n += 1) {
    const { status, text } = await post(server, `/api/v1/courses/duplicate_course/${course}`, undefined, {
      token: flooder,
    });
    if (status === 200) copied += 1;
    else if (status === 413 || status === 409 || status === 422) refused += 1;
    else throw new Error(`a copy: ${status} ${text}`);
  }
  if (copied * PAGE_BYTES > QUOTA_MB * 1_100_000) throw new Error(`${copied} copies were stored`);
  const aliases = Array.from(
    { length: 100 },
    (_, n) => `c${n}: duplicateCourse(input: { courseId: "${course}" }) { course { id } }`,
  );
  const many = await post(
    server,
    "/graphql",
    { query: `mutation { ${aliases.join(" ")} }` },
    { token: flooder },
  );
  if (!many.text.includes("LIMIT_EXCEEDED"))
    throw new Error(`100 copies in one request: ${many.text.slice(0, 200)}`);
  await created(server, token, "Of another person");
  return `${COPIES} copies of ${PAGE_BYTES} bytes: ${copied - 1} stored, ${refused} refused`;
}

async function person(server, token, name) {
  const body = { email: `${name}@example.com`, password: PASSWORD };
  await ok(await post(server, "/api/v1/users/", body, { token }));
  return login(server.url, body.email, PASSWORD);
}

async function created(server, token, title) {
  return (await ok(await post(server, "/api/v1/courses/create_course", { title }, { token }))).id;
}

async function ok({ status, text }) {
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return JSON.parse(text);
}

/** Sends JSON, from `localAddress` if it is given. @returns {Promise<{ status: number, text: string }>} */
function post(server, path, body, { token, localAddress }) {
  const headers = {
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  return new Promise((done, fail) => {
    const sent = request(server.url + path, { method: "POST", headers, localAddress }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => done({ status: answer.statusCode ?? 0, text }));
    });
    sent.on("error", fail);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The mails that were sent: without a mail server they go to a folder. */
async function mails(server) {
  const folder = join(server.dataDir, "outbox");
  const names = await readdir(folder).catch(() => []);
  // A mail that is being written has another name.
  const written = names.filter((name) => name.endsWith(".eml"));
  return Promise.all(written.map((name) => readFile(join(folder, name), "utf8")));
}

async function of(server, name) {
  return (await mails(server)).filter((mail) => new RegExp(`^To: .*${name}@example.com`, "m").test(mail));
}

async function until(what, holds) {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > 10_000) throw new Error(`${what} did not come within 10 s`);
    await sleep(20);
  }
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
