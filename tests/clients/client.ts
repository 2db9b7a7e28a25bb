// The generated TypeScript client as walk.ts uses it: for a visitor or a signed-in user, with every call noted.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, createConfig } from "../../target/clients/sdk/client/index.js";
import * as kurso from "../../target/clients/sdk/index.js";

const { KURSO_URL = "", KURSO_CALLS = "", KURSO_OUTBOX = "", KURSO_SECRET = "" } = process.env;
export const password = "correct-horse-battery";
/** A PNG of one red dot. */
const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
export const picture = new File([Buffer.from(dot, "base64")], "dot.png");
export const nowhere = "01890a5d-ac96-774b-bcce-b302099a8057";

export function clientOf(token?: string): Client {
  const headers = { "Accept-Language": "en" };
  const client = createClient(createConfig({ baseUrl: KURSO_URL, headers, ...(token && { auth: token }) }));
  client.interceptors.response.use((answer, request) => {
    const { pathname } = new URL(request.url);
    appendFileSync(KURSO_CALLS, `${JSON.stringify([request.method, pathname, answer.status])}\n`);
    return answer;
  });
  return client;
}

/** The body of a documented success; throws otherwise. */
export async function ok<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  assert.ok(response.ok, `${response.url}: ${response.status} ${JSON.stringify(error)}`);
  assert.ok(data !== undefined && data !== null, response.url);
  return data;
}

/** The body of a documented error; throws otherwise. */
export async function refused<E>(
  call: Promise<{ data?: unknown; error?: E; response: Response }>,
  status: number,
): Promise<NonNullable<E>> {
  const { error, response } = await call;
  assert.equal(response.status, status, `${response.url}: ${JSON.stringify(error)}`);
  assert.ok(error !== undefined && error !== null);
  return error;
}

export const anonymous = clientOf();
let made = 0;
export const address = () => `ts-${process.pid}-${++made}@example.com`;

export async function signedIn(username: string, secret = password): Promise<Client> {
  const token = await ok(
    kurso.loginLoginAccessToken({ client: anonymous, body: { username, password: secret } }),
  );
  assert.equal(token.token_type, "bearer");
  return clientOf(token.access_token);
}

/** Signs up a new user. */
export async function person(email = address()): Promise<{ client: Client; email: string; id: string }> {
  const user = await ok(
    kurso.usersRegisterUser({ client: anonymous, body: { email, password, full_name: "Ann Example" } }),
  );
  return { client: await signedIn(email), email, id: user.id };
}

export const superuser = () => signedIn("admin@example.com");

/** The token in the link to a page of the web app, from a mail to an address. */
export async function mailedToken(to: string, page: string): Promise<string> {
  const link = new RegExp(`/${page}\\?token=([\\w.-]+)`);
  for (let tries = 0; tries < 100; tries++) {
    for (const name of readdirSync(KURSO_OUTBOX).filter((name) => name.endsWith(".eml"))) {
      const mail = readFileSync(join(KURSO_OUTBOX, name), "utf8");
      const token = link.exec(mail.replaceAll("=\r\n", "").replaceAll("=3D", "="))?.[1];
      if (token && mail.includes(`\nTo: ${to}\r`)) return token;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`no mail to ${to}`);
}

/** The unsubscribe token of a mail about graded work. The server creates it when the mail is sent, minutes after the work was graded. */
export function noticeToken(user: string, email: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const digest = createHash("sha256").update(email).digest("hex").slice(0, 32);
  const now = Math.floor(Date.now() / 1000);
  const claims = { exp: now + 3600, iat: now, sub: user, state: `${digest} 1 `, purpose: "notice_mails" };
  const signed = `${part({ typ: "JWT", alg: "HS256" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", KURSO_SECRET).update(signed).digest("base64url")}`;
}

/** Creates a course with one module, lesson and page. */
export async function course(client: Client) {
  const made = await ok(kurso.coursesCreateCourse({ client, body: { title: "Knots", description: null } }));
  const course_id = made.id;
  const module = await ok(
    kurso.coursesCreateModule({ client, path: { course_id }, body: { title: "Bends" } }),
  );
  const module_id = module.id;
  const lesson = await ok(
    kurso.coursesCreateLesson({ client, path: { module_id }, body: { title: "Two ropes" } }),
  );
  const lesson_id = lesson.id;
  const page = await ok(
    kurso.coursesCreatePage({
      client,
      path: { lesson_id },
      body: { title: "Sheet bend", kind: "content", content: text("Over and under.") },
    }),
  );
  return { course_id, module_id, lesson_id, page_id: page.id };
}

/** Signs up a new user who enrolls in the course of the owner by its code. */
export async function learnerOf(owner: Client, course_id: string) {
  const { share_code } = await ok(kurso.coursesGenerateShareCode({ client: owner, path: { course_id } }));
  assert.ok(share_code);
  const learner = await person();
  const { id: enrollment_id } = await ok(
    kurso.coursesEnroll({ client: learner.client, body: { share_code } }),
  );
  return { ...learner, enrollment_id };
}

export const text = (words: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text: words }] }],
});
