// Calls every operation through the generated TypeScript client (run.mjs generates it). walk.py does the same in Python, step by step. A new operation needs a call in
// both: run.mjs fails while one of them has not called it successfully.
import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Client, createClient, createConfig } from "../../target/clients/sdk/client/index.js";
import * as kurso from "../../target/clients/sdk/index.js";
import { readFeed } from "./feed.js";

const { KURSO_URL = "", KURSO_CALLS = "", KURSO_OUTBOX = "", KURSO_FILE = "" } = process.env;
const password = "correct-horse-battery";
/** A PNG of one red dot. */
const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const picture = new File([Buffer.from(dot, "base64")], "dot.png");
const nowhere = "01890a5d-ac96-774b-bcce-b302099a8057";

function clientOf(token?: string): Client {
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
async function ok<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  assert.ok(response.ok, `${response.url}: ${response.status} ${JSON.stringify(error)}`);
  assert.ok(data !== undefined && data !== null, response.url);
  return data;
}

/** The body of a documented error; throws otherwise. */
async function refused<E>(
  call: Promise<{ data?: unknown; error?: E; response: Response }>,
  status: number,
): Promise<NonNullable<E>> {
  const { error, response } = await call;
  assert.equal(response.status, status, `${response.url}: ${JSON.stringify(error)}`);
  assert.ok(error !== undefined && error !== null);
  return error;
}

const anonymous = clientOf();
let made = 0;
const address = () => `ts-${process.pid}-${++made}@example.com`;

async function signedIn(username: string, secret = password): Promise<Client> {
  const token = await ok(
    kurso.loginLoginAccessToken({ client: anonymous, body: { username, password: secret } }),
  );
  assert.equal(token.token_type, "bearer");
  return clientOf(token.access_token);
}

/** Signs up a new user. */
async function person(email = address()): Promise<{ client: Client; email: string; id: string }> {
  const user = await ok(
    kurso.usersRegisterUser({ client: anonymous, body: { email, password, full_name: "Ann Example" } }),
  );
  return { client: await signedIn(email), email, id: user.id };
}

const superuser = () => signedIn("admin@example.com");

/** The token in the link to a page of the web app, from a mail to an address. */
async function mailedToken(to: string, page: string): Promise<string> {
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

test("the server is up", async () => {
  assert.equal(await ok(kurso.utilsHealthCheck({ client: anonymous })), true);
});

test("an account: signup, login, changes, sessions, deletion", async () => {
  const { client, email, id } = await person();
  assert.equal((await ok(kurso.loginTestToken({ client }))).email, email);
  assert.equal((await ok(kurso.usersReadUserMe({ client }))).id, id);
  const renamed = await ok(kurso.usersUpdateUserMe({ client, body: { full_name: "Анна" } }));
  assert.equal(renamed.full_name, "Анна");

  const taken = { email, password };
  const refusal = await refused(kurso.usersRegisterUser({ client: anonymous, body: taken }), 400);
  assert.equal(refusal.detail, "The user with this email already exists in the system");
  const other = await person();
  const conflict = await refused(kurso.usersUpdateUserMe({ client, body: { email: other.email } }), 409);
  assert.equal(conflict.detail, "User with this email already exists");
  const unfit = await refused(
    kurso.usersRegisterUser({ client: anonymous, body: { email: "no address", password: "short" } }),
    422,
  );
  assert.ok(Array.isArray(unfit.detail));
  assert.deepEqual(
    unfit.detail.map(({ loc, type }) => [loc.join("."), type]),
    [
      ["body.email", "value_error"],
      ["body.password", "string_too_short"],
    ],
  );

  const elsewhere = await signedIn(email);
  const sessions = await ok(kurso.loginReadSessions({ client, query: { limit: 10 } }));
  assert.equal(sessions.count, 2);
  const session = sessions.data.find(({ current }) => !current);
  assert.ok(session);
  await ok(kurso.loginEndSession({ client, path: { session_id: session.id } }));
  await refused(kurso.usersReadUserMe({ client: elsewhere }), 403);

  await ok(
    kurso.usersUpdatePasswordMe({
      client,
      body: { current_password: password, new_password: "another-one" },
    }),
  );
  const again = await signedIn(email, "another-one");
  await ok(kurso.loginLogout({ client: again }));
  await refused(kurso.loginTestToken({ client: again }), 403);
  await ok(kurso.usersDeleteUserMe({ client }));
  await refused(kurso.usersReadUserMe({ client: anonymous }), 401);
});

test("links from mails restore a password and an address", async () => {
  const { client, email } = await person();
  await ok(kurso.loginRecoverPassword({ client: anonymous, path: { email } }));
  const admin = await superuser();
  const letter = await ok(kurso.loginRecoverPasswordHtmlContent({ client: admin, path: { email } }));
  const token = /token=([\w.-]+)/.exec(letter)?.[1];
  assert.ok(token);
  await ok(kurso.loginResetPassword({ client: anonymous, body: { token, new_password: "a-new-password" } }));
  await refused(kurso.usersReadUserMe({ client }), 403);

  const back = await signedIn(email, "a-new-password");
  await ok(kurso.usersUpdateUserMe({ client: back, body: { email: address() } }));
  const undo = { token: await mailedToken(email, "undo-email-change") };
  await ok(kurso.loginUndoEmailChange({ client: anonymous, body: undo }));
  await refused(kurso.loginUndoEmailChange({ client: anonymous, body: undo }), 400);
  await ok(kurso.utilsTestEmail({ client: admin, query: { email_to: email } }));
});

test("a superuser manages accounts", async () => {
  const client = await superuser();
  const email = address();
  const user = await ok(kurso.usersCreateUser({ client, body: { email, password, is_superuser: false } }));
  const path = { user_id: user.id };
  const listed = await ok(kurso.usersReadUsers({ client, query: { skip: 0, limit: 1000 } }));
  assert.ok(listed.data.some(({ id }) => id === user.id));
  assert.equal((await ok(kurso.usersReadUserById({ client, path }))).email, email);
  const changed = await ok(kurso.usersUpdateUser({ client, path, body: { is_active: false } }));
  assert.equal(changed.is_active, false);
  await ok(kurso.usersDeleteUser({ client, path }));
  const gone = await refused(kurso.usersReadUserById({ client, path }), 404);
  assert.equal(gone.detail, "User not found");
  const query = { kind: "user_deleted" as const, user_id: user.id, skip: 0, limit: 10 };
  const log = await ok(kurso.utilsReadAuditLog({ client, query }));
  assert.equal(log.count, 1);
  assert.equal(log.data[0]?.text, "An account was deleted");
  const status = await ok(kurso.utilsServerStatus({ client }));
  assert.ok(status.requests > 0 && status.statements > 0);
  const mine = await person();
  await refused(kurso.utilsServerStatus({ client: mine.client }), 403);
  await refused(kurso.usersReadUsers({ client: mine.client }), 403);
  const body = { email: address(), password, full_name: "Of a test" };
  assert.equal((await ok(kurso.privateCreateUser({ client: anonymous, body }))).email, body.email);
});

test("items", async () => {
  const { client, id: owner } = await person();
  const item = await ok(kurso.itemsCreateItem({ client, body: { title: "Ink", description: null } }));
  assert.equal(item.owner_id, owner);
  const path = { id: item.id };
  assert.equal((await ok(kurso.itemsReadItems({ client }))).count, 1);
  assert.equal((await ok(kurso.itemsReadItem({ client, path }))).title, "Ink");
  const changed = await ok(kurso.itemsUpdateItem({ client, path, body: { description: "black" } }));
  assert.deepEqual([changed.title, changed.description], ["Ink", "black"]);
  await refused(kurso.itemsReadItem({ client: (await person()).client, path }), 403);
  const unfit = await refused(kurso.itemsCreateItem({ client, body: { title: "" } }), 422);
  assert.ok(Array.isArray(unfit.detail));
  assert.equal(unfit.detail[0]?.ctx?.min_length, 1);
  await ok(kurso.itemsDeleteItem({ client, path }));
  assert.equal((await refused(kurso.itemsReadItem({ client, path }), 404)).detail, "Item not found");
});

/** Creates a course with one module, lesson and page. */
async function course(client: Client) {
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

const text = (words: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text: words }] }],
});

test("an owner writes a course", async () => {
  const { client, email } = await person();
  const { course_id, module_id, lesson_id, page_id } = await course(client);
  const tree = await ok(kurso.coursesGetCourse({ client, path: { course_id } }));
  assert.equal(tree.owner.email, email);
  assert.equal(tree.my_role, "owner");
  assert.equal(tree.modules[0]?.lessons[0]?.pages[0]?.id, page_id);
  assert.equal((await ok(kurso.coursesListCourses({ client }))).count, 1);
  const [found] = (await ok(kurso.coursesSearch({ client, query: { search: tree.title } }))).data;
  assert.deepEqual([found?.kind, found?.id, found?.page_id], ["course", course_id, null]);
  const title = "All about knots";
  assert.equal(
    (await ok(kurso.coursesUpdateCourse({ client, path: { course_id }, body: { title } }))).title,
    title,
  );

  await ok(kurso.coursesUpdateModule({ client, path: { module_id }, body: { position: 0 } }));
  assert.equal((await ok(kurso.coursesGetModule({ client, path: { module_id } }))).course_id, course_id);
  const body = { file: picture };
  const pictured = await ok(kurso.coursesUploadModuleAvatar({ client, path: { module_id }, body }));
  assert.ok(pictured.avatar_url);
  await ok(kurso.coursesUpdateLesson({ client, path: { lesson_id }, body: { title: "Bends of two" } }));
  assert.equal((await ok(kurso.coursesGetLesson({ client, path: { lesson_id } }))).title, "Bends of two");

  const page = await ok(kurso.coursesGetPage({ client, path: { page_id } }));
  assert.equal(page.kind, "content");
  const changes = { content: text("Twice around."), version: page.version };
  const saved = await ok(
    kurso.coursesUpdatePage({
      client,
      path: { page_id },
      query: { user_session_id: "tab-1" },
      body: changes,
    }),
  );
  assert.equal(saved.version, page.version + 1);
  const stale = await refused(
    kurso.coursesUpdatePage({
      client,
      path: { page_id },
      query: { user_session_id: "tab-2" },
      body: changes,
    }),
    409,
  );
  assert.ok("page" in stale);
  assert.equal(stale.page.version, saved.version);
  const versions = await ok(kurso.coursesPageVersions({ client, path: { page_id } }));
  const oldest = versions.data.at(-1);
  assert.ok(oldest);
  await ok(kurso.coursesRestorePageVersion({ client, path: { page_id, version: oldest.version } }));

  const copies = {
    page: await ok(kurso.coursesDuplicatePage({ client, path: { page_id } })),
    lesson: await ok(kurso.coursesDuplicateLesson({ client, path: { lesson_id } })),
    module: await ok(kurso.coursesDuplicateModule({ client, path: { module_id } })),
    course: await ok(kurso.coursesDuplicateCourse({ client, path: { course_id } })),
  };
  await ok(kurso.coursesDeletePage({ client, path: { page_id: copies.page.id } }));
  await ok(kurso.coursesDeleteLesson({ client, path: { lesson_id: copies.lesson.id } }));
  await ok(kurso.coursesDeleteModule({ client, path: { module_id: copies.module.id } }));
  await ok(kurso.coursesDeleteCourse({ client, path: { course_id: copies.course.id } }));
  const gone = await refused(kurso.coursesGetCourse({ client, path: { course_id: copies.course.id } }), 404);
  assert.equal(typeof gone.detail, "string");
});

test("a learner reads a course", async () => {
  const owner = (await person()).client;
  const { course_id, page_id } = await course(owner);
  const code = await ok(kurso.coursesGenerateShareCode({ client: owner, path: { course_id } }));
  assert.ok(code.share_code);
  const { client } = await person();
  await refused(kurso.coursesEnrolledCourse({ client, path: { course_id } }), 404);
  await refused(kurso.coursesEnroll({ client, body: { share_code: "0000-0000" } }), 404);
  const enrollment = await ok(kurso.coursesEnroll({ client, body: { share_code: code.share_code } }));
  assert.equal(enrollment.course.my_role, "learner");
  assert.equal((await ok(kurso.coursesMyEnrolledCourses({ client }))).data[0]?.progress.percent, 0);
  const tree = await ok(kurso.coursesEnrolledCourse({ client, path: { course_id } }));
  assert.equal(tree.modules[0]?.lessons[0]?.pages[0]?.is_visited, false);
  const page = await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }));
  assert.equal(page.breadcrumbs.lesson.title, "Two ropes");
  const visited = await ok(kurso.coursesMarkPageVisited({ client, path: { page_id } }));
  assert.equal(visited.lesson.is_completed, true);
  const progress = await ok(kurso.coursesMyProgress({ client, path: { course_id } }));
  assert.ok(progress.completed_at);
  const query = { enrollment_id: enrollment.id, at: "2026-12-12T10:00" };
  const seen = await ok(kurso.coursesPreviewCourse({ client: owner, path: { course_id }, query }));
  assert.equal(seen.my_role, "learner");
  assert.ok((await ok(kurso.coursesPreviewPage({ client: owner, path: { page_id }, query }))).is_visited);
  assert.equal(
    (await ok(kurso.coursesPreviewProgress({ client: owner, path: { course_id }, query }))).pages_done,
    1,
  );
  await refused(kurso.coursesUpdatePage({ client, path: { page_id }, body: { title: "Mine" } }), 403);
});

test("a person grades an essay", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const essay = { type: "essay" as const, prompt: text("Why?"), points: 4, min_words: 2 };
  const quiz = { release: "together" as const, questions: [essay] };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({ client: owner, path: { lesson_id }, body: { kind: "quiz", quiz } }),
  );
  const { share_code } = await ok(kurso.coursesGenerateShareCode({ client: owner, path: { course_id } }));
  assert.ok(share_code);
  const { client } = await person();
  await ok(kurso.coursesEnroll({ client, body: { share_code } }));
  const question = (await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }))).quiz?.questions[0];
  assert.ok(question?.type === "essay");
  const answers = [{ question_id: question.id, content: text("Because of it") }];
  const attempt = await ok(kurso.coursesSubmitQuiz({ client, path: { page_id }, body: { answers } }));
  assert.deepEqual([attempt.waiting_answers, attempt.results[0]?.is_waiting], [1, true]);
  const query = { state: "waiting" };
  const queue = await ok(kurso.coursesGradingQueue({ client: owner, path: { course_id }, query }));
  const { attempt_id, question_id } = queue.data[0] ?? { attempt_id: nowhere, question_id: nowhere };
  const next = await ok(kurso.coursesClaimNextAnswer({ client: owner, path: { course_id } }));
  assert.equal(next?.attempt_id, attempt.attempt_id);
  const answer = { client: owner, path: { attempt_id, question_id } };
  assert.equal((await ok(kurso.coursesClaimAnswer(answer))).words, 3);
  const body = { version: 0, points: 3.5, comment: "Good" };
  assert.equal((await ok(kurso.coursesAssessAnswer({ ...answer, body }))).state, "graded");
  const stale = await refused(kurso.coursesAssessAnswer({ ...answer, body }), 409);
  assert.equal("answer" in stale && stale.answer?.points, 3.5);
  await ok(kurso.coursesReleaseAssessments({ client: owner, path: { page_id } }));
  assert.equal((await ok(kurso.coursesOpenAnswer(answer))).history[0]?.comment, "Good");
  const { attempts } = await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }));
  assert.deepEqual([attempts[0]?.percent, attempts[0]?.results[0]?.comment], [87, "Good"]);
});

test("a learner answers with a file, which its owner reads", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const files = { type: "file_upload" as const, prompt: text("Your picture?"), extensions: ["png"] };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({
      client: owner,
      path: { lesson_id },
      body: { kind: "quiz", quiz: { questions: [files] } },
    }),
  );
  const { share_code } = await ok(kurso.coursesGenerateShareCode({ client: owner, path: { course_id } }));
  assert.ok(share_code);
  const { client } = await person();
  await ok(kurso.coursesEnroll({ client, body: { share_code } }));
  const question = (await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }))).quiz?.questions[0];
  assert.ok(question?.type === "file_upload");
  assert.deepEqual([question.max_files, question.extensions], [1, ["png"]]);
  const { id: question_id } = question;
  const path = { page_id, question_id };
  const file = await ok(kurso.coursesUploadAnswerFile({ client, path, body: { file: picture } }));
  const answers = [{ question_id, file_ids: [file.id] }];
  const { attempt_id } = await ok(kurso.coursesSubmitQuiz({ client, path: { page_id }, body: { answers } }));
  const read = await ok(kurso.coursesOpenAnswer({ client: owner, path: { attempt_id, question_id } }));
  assert.equal(read.content, null);
  // The address of a later response may end later.
  assert.deepEqual({ ...read.files[0], url: "" }, { ...file, url: "" });
});

test("a learner takes a quiz and its owner sees the results", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id } = await course(owner);
  const sum = { type: "numeric" as const, prompt: text("2 + 2?"), value: 4 };
  const quiz = { max_attempts: 1, questions: [sum] };
  const { id: page_id } = await ok(
    kurso.coursesCreatePage({ client: owner, path: { lesson_id }, body: { kind: "quiz", quiz } }),
  );
  const { share_code } = await ok(kurso.coursesGenerateShareCode({ client: owner, path: { course_id } }));
  assert.ok(share_code);
  const { client, email } = await person();
  const { id: enrollment_id } = await ok(kurso.coursesEnroll({ client, body: { share_code } }));
  const page = await ok(kurso.coursesEnrolledPage({ client, path: { page_id } }));
  const question = page.quiz?.questions[0];
  assert.ok(question?.type === "numeric");
  const body = { answers: [{ question_id: question.id, number: "4,0" }], version: page.version };
  const attempt = await ok(kurso.coursesSubmitQuiz({ client, path: { page_id }, body }));
  assert.deepEqual([attempt.passed, attempt.attempts_left, attempt.results[0]?.correct], [true, 0, true]);
  assert.deepEqual(attempt.results[0]?.correct_answer, { number: "4" });
  const spent = await refused(kurso.coursesSubmitQuiz({ client, path: { page_id }, body }), 409);
  assert.equal(typeof spent.detail, "string");
  const facts = await ok(kurso.coursesDebugProgress({ client, path: { course_id } }));
  assert.deepEqual([facts.percent, facts.pages[1]?.best_percent], [50, 100]);

  const fixed = await ok(kurso.coursesFixProgress({ client: owner, path: { course_id } }));
  assert.deepEqual([fixed.checked, fixed.changed], [1, []]);
  const query = { search: email, sort: "-percent" };
  const students = await ok(kurso.coursesCourseStudents({ client: owner, path: { course_id }, query }));
  assert.equal(students.data[0]?.enrollment_id, enrollment_id);
  const heat = await ok(kurso.coursesCourseHeatMap({ client: owner, path: { course_id } }));
  assert.equal(heat.modules[0]?.lessons[0]?.pages[1]?.quiz?.passed_percent, 100);
  const student = await ok(kurso.coursesStudentDetailedProgress({ client: owner, path: { enrollment_id } }));
  assert.equal(student.modules[0]?.lessons[0]?.pages[1]?.attempts[0]?.percent, 100);
  await groupsOf(owner, client, course_id, enrollment_id, email);
  const learnersQuiz = { client: owner, path: { enrollment_id, page_id } };
  await ok(kurso.coursesGrantAttempt(learnersQuiz));
  await refused(kurso.coursesGrantAttempt(learnersQuiz), 409);
  await ok(kurso.coursesTakeBackAttempt(learnersQuiz));
  await refused(kurso.coursesTakeBackAttempt(learnersQuiz), 409);
  await ok(kurso.coursesResetAttempts(learnersQuiz));
  const tried = await ok(kurso.coursesTryQuiz({ client: owner, path: { page_id }, body }));
  assert.deepEqual([tried.passed, tried.attempts_left], [true, 0]);
  await ok(kurso.coursesRemoveStudent({ client: owner, path: { enrollment_id } }));
  await refused(kurso.coursesDebugProgress({ client, path: { course_id } }), 404);
});

/** Every operation on groups, with one learner. */
async function groupsOf(
  owner: Client,
  learner: Client,
  course_id: string,
  enrollment_id: string,
  email: string,
) {
  const path = { course_id };
  const boats = await ok(kurso.coursesCreateGroup({ client: owner, path, body: { title: "Boats" } }));
  const group = { client: owner, path: { group_id: boats.id } };
  await ok(kurso.coursesUpdateGroup({ ...group, body: { title: "Rafts", position: 0 } }));
  const { share_code } = await ok(kurso.coursesGenerateGroupCode(group));
  assert.ok(share_code);
  const joined = await ok(kurso.coursesEnroll({ client: learner, body: { share_code } }));
  assert.equal(joined.group_title, "Rafts");
  const groups = await ok(kurso.coursesGroups({ client: owner, path }));
  assert.deepEqual([groups.count, groups.data[0]?.students], [1, 1]);
  const move = (group_id: string | null) =>
    kurso.coursesMoveStudents({ client: owner, path, body: { enrollment_ids: [enrollment_id], group_id } });
  assert.deepEqual((await ok(move(null))).moved, [enrollment_id]);
  await refused(move(nowhere), 422);
  const emails = `${email}, nobody@example.com`;
  const body = { emails, group_id: boats.id };
  const moved = await ok(kurso.coursesMoveStudentsByEmail({ client: owner, path, body }));
  assert.deepEqual([moved.moved, moved.not_found], [[email], ["nobody@example.com"]]);
  const query = { group_id: boats.id };
  const students = await ok(kurso.coursesCourseStudents({ client: owner, path, query }));
  assert.equal(students.data[0]?.group?.title, "Rafts");
  const without = await ok(kurso.coursesCourseHeatMap({ client: owner, path, query: { group_id: "none" } }));
  assert.equal(without.students, 0);
  assert.equal((await ok(kurso.coursesRemoveGroupCode(group))).share_code, null);
  await refused(kurso.coursesGroups({ client: learner, path }), 403);
  const longer = { enrollment_id, available_until: null, time_factor: 1.5 };
  const set = await ok(kurso.coursesSetOverride({ client: owner, path, body: longer }));
  assert.deepEqual([set.time_factor, set.lifted, set.email], [1.5, ["available_until"], email]);
  await refused(
    kurso.coursesSetOverride({ client: owner, path, body: { group_id: nowhere, due_at: null } }),
    422,
  );
  const overrides = await ok(kurso.coursesOverrides({ client: owner, path, query: { enrollment_id } }));
  assert.deepEqual([overrides.count, overrides.data[0]?.id], [1, set.id]);
  await refused(kurso.coursesOverrides({ client: learner, path }), 403);
  const start = { starts_at: "2001-09-01T10:00:00Z", expected_dates: { starts_at: null } };
  const dates = { dates: [start, { override_id: set.id }], shift_days: 7 };
  const shifted = await ok(kurso.coursesSetDates({ client: owner, path, body: dates }));
  assert.deepEqual([shifted.dates.length, shifted.dates[0]?.starts_at], [2, "2001-09-08T10:00:00Z"]);
  await refused(kurso.coursesSetDates({ client: owner, path, body: dates }), 409);
  await refused(
    kurso.coursesSetDates({ client: owner, path, body: { dates: [{ due_at: "2001-09-01" }] } }),
    422,
  );
  await refused(kurso.coursesSetDates({ client: learner, path, body: dates }), 403);
  const many = { enrollment_id, overrides: [{ available_until: null, time_factor: 1.5 }] };
  assert.equal(
    (await ok(kurso.coursesSetOverrides({ client: owner, path, body: many }))).overrides.length,
    1,
  );
  await refused(kurso.coursesSetOverrides({ client: learner, path, body: many }), 403);
  const stale = { enrollment_id, overrides: [{ expected: null }] };
  await refused(kurso.coursesSetOverrides({ client: owner, path, body: stale }), 409);
  const times = await ok(kurso.coursesOverrideTimes({ client: owner, path, query: { enrollment_id } }));
  assert.deepEqual(times.earlier_ends, []);
  await refused(kurso.coursesOverrideTimes({ client: learner, path }), 403);
  await refused(kurso.coursesSetOverride({ client: owner, path, body: { ...longer, expected: null } }), 409);
  const expected = { available_until: null, time_factor: 1.5 };
  await ok(kurso.coursesSetOverride({ client: owner, path, body: { ...longer, expected } }));
  const one = { client: owner, path: { override_id: set.id } };
  await refused(kurso.coursesDeleteOverride({ ...one, query: { expected: "{}" } }), 409);
  await ok(kurso.coursesDeleteOverride({ ...one, query: { expected: JSON.stringify(expected) } }));
  await ok(kurso.coursesDeleteGroup(group));
  await grades(owner, learner, course_id, enrollment_id);
}

/** The gradebook of a course with one learner. */
async function grades(owner: Client, learner: Client, course_id: string, enrollment_id: string) {
  const path = { course_id };
  const made = await ok(
    kurso.coursesCreateGradeCategory({ client: owner, path, body: { title: "Tests", weight: "62.5" } }),
  );
  const category_id = made.categories[0]?.id ?? nowhere;
  assert.equal(made.categories[0]?.weight, "62.5");
  await refused(
    kurso.coursesCreateGradeCategory({ client: owner, path, body: { title: "Tests", weight: "100.5" } }),
    422,
  );
  const renamed = { client: owner, path: { category_id }, body: { drop_lowest: 1 } };
  assert.equal((await ok(kurso.coursesUpdateGradeCategory(renamed))).categories[0]?.drop_lowest, 1);
  const body = { scheme: "five_point" as const, thresholds: ["90", "75", "60"] };
  const settings = await ok(kurso.coursesUpdateGradeSettings({ client: owner, path, body }));
  assert.deepEqual(settings.labels, ["5", "4", "3", "2"]);
  const set = { page_ids: settings.items.map((item) => item.page_id), category_id, points: "12.5" };
  const { items } = await ok(kurso.coursesSetGradeItems({ client: owner, path, body: set }));
  assert.equal(items[0]?.points, "12.5");
  const book = await ok(kurso.coursesGradebook({ client: owner, path, query: { sort: "-total" } }));
  assert.deepEqual([book.count, book.data[0]?.enrollment_id], [1, enrollment_id]);
  assert.equal((await ok(kurso.coursesGradeSettings({ client: owner, path }))).scheme, "five_point");
  const of = { client: owner, path: { enrollment_id } };
  const decision = { page_id: null, version: 0, kind: "override" as const, points: "75", reason: "Effort" };
  const decided = await ok(kurso.coursesDecideGrade({ ...of, body: decision }));
  assert.deepEqual([decided.row.total.label, decided.history[0]?.points], ["4", "75"]);
  await refused(kurso.coursesDecideGrade({ ...of, body: decision }), 409);
  assert.equal((await ok(kurso.coursesGrade(of))).history.length, 1);
  const own = await ok(kurso.coursesMyGrades({ client: learner, path }));
  assert.deepEqual([own.total.percent, own.reason], ["75", "Effort"]);
  await refused(kurso.coursesGradebook({ client: learner, path }), 403);
  const table = { table: "Email\nnobody@example.com\n", reason: "A list" };
  const preview = await ok(kurso.coursesImportGrades({ client: owner, path, body: table }));
  assert.deepEqual([preview.changes, preview.refusals[0]?.line], [[], 2]);
  const outdated = { ...table, digest: "outdated" };
  await refused(kurso.coursesImportGrades({ client: owner, path, body: outdated }), 409);
  await ok(kurso.coursesDeleteGradeCategory({ client: owner, path: { category_id } }));
}

test("a team: invitation, acceptance, transfer, leaving", async () => {
  const owner = (await person()).client;
  const path = { course_id: (await course(owner)).course_id };
  const { client, email, id } = await person();
  const invited = await ok(
    kurso.coursesInviteCollaborator({ client: owner, path, body: { email, role: "editor" } }),
  );
  assert.deepEqual([invited.state, invited.user_id], ["pending", null]);
  const body = { token: await mailedToken(email, "accept-invitation") };
  assert.equal((await ok(kurso.coursesAcceptInvitation({ client, body }))).my_role, "editor");
  await refused(kurso.coursesAcceptInvitation({ client, body }), 400);
  assert.equal((await ok(kurso.coursesCollaborators({ client, path }))).data[0]?.user_id, id);

  await refused(kurso.coursesLeaveCourse({ client: owner, path }), 409);
  const given = await ok(kurso.coursesHandOver({ client: owner, path, body: { user_id: id } }));
  assert.deepEqual([given.my_role, given.owner.email], ["editor", email]);
  await ok(kurso.coursesLeaveCourse({ client: owner, path }));
  const other = await ok(
    kurso.coursesInviteCollaborator({ client, path, body: { email: address(), role: "teacher" } }),
  );
  await ok(kurso.coursesRemoveCollaborator({ client, path: { ...path, user_id: other.id } }));
  const all = await ok(kurso.coursesAllCourses({ client: await superuser(), query: { search: email } }));
  assert.deepEqual([all.count, all.data[0]?.id], [1, path.course_id]);
});

test("courses are imported and exported", async () => {
  const { client } = await person();
  const file = new File(["::Sum:: 2 + 2? {=4 ~5}\n"], "questions.gift");
  const settled = async (job_id: string) => {
    for (let tries = 0; tries < 200; tries++) {
      const job = await ok(kurso.coursesImportJob({ client, path: { job_id }, query: { limit: 10 } }));
      if (job.state !== "waiting" && job.state !== "running") return job;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error("the import does not end");
  };
  const begun = await ok(kurso.coursesImportCourse({ client, body: { file } }));
  const ready = await settled(begun.id);
  assert.deepEqual([ready.state, ready.found?.questions], ["ready", 1]);
  const body = { mode: "new" as const };
  await ok(kurso.coursesConfirmImport({ client, path: { job_id: begun.id }, body }));
  const { state, course_id } = await settled(begun.id);
  assert.equal(state, "done");
  assert.ok(course_id);
  const gift = await ok(
    kurso.coursesExportCourse({ client, path: { course_id }, query: { format: "gift" }, parseAs: "blob" }),
  );
  assert.match(await gift.text(), /2 \+ 2/);
  const lost = await ok(
    kurso.coursesExportReport({ client, path: { course_id }, query: { format: "html" } }),
  );
  assert.equal(lost.data.length, lost.count);
  const again = await ok(kurso.coursesImportCourse({ client, body: { course_id, file } }));
  await settled(again.id);
  assert.equal(
    (await ok(kurso.coursesCancelImport({ client, path: { job_id: again.id } }))).state,
    "cancelled",
  );
  await refused(kurso.coursesCancelImport({ client, path: { job_id: again.id } }), 409);

  // An update is previewed first.
  const zip = await ok(kurso.coursesExportCourse({ client, path: { course_id }, parseAs: "blob" }));
  const same = new File([zip], "course.zip");
  const update = await ok(
    kurso.coursesImportCourse({ client, body: { course_id, mode: "update", file: same } }),
  );
  const { changes, mode } = await settled(update.id);
  assert.deepEqual([mode, changes?.stays, changes?.goes, changes?.visits], ["update", 1, 0, 0]);
  assert.equal(changes?.pages[0]?.change, "stays");
  await ok(kurso.coursesConfirmImport({ client, path: { job_id: update.id }, body: {} }));
  assert.equal((await settled(update.id)).state, "done");
  assert.equal((await ok(kurso.coursesMyImports({ client }))).count, 3);
});

/** Two digits. */
const two = (number: number) => String(number).padStart(2, "0");

test("ical.js reads the same events as the API, after 50 changes of dates and zones", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id, page_id } = await course(owner);
  const { share_code } = await ok(kurso.coursesGenerateShareCode({ client: owner, path: { course_id } }));
  assert.ok(share_code);
  const { client } = await person();
  await ok(kurso.coursesEnroll({ client, body: { share_code } }));
  const page = await ok(kurso.coursesGetPage({ client: owner, path: { page_id } }));
  assert.equal((await ok(kurso.calendarReadFeedState({ client }))).is_active, false);
  const { feed, url } = await ok(kurso.calendarCreateFeed({ client }));
  assert.ok(feed.is_active && feed.created_at);
  const token = url.split("/").at(-2) ?? "";
  const read = async () =>
    readFeed(
      await ok(kurso.calendarReadFeed({ client: anonymous, path: { token }, parseAs: "text" }) as never),
    );
  const zones = [
    "Europe/Moscow",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "America/St_Johns",
    "Pacific/Apia",
  ];
  let last = 0;
  for (let round = 0; round < 50; round++) {
    const day = (add: number) =>
      `2026-${two(((round + add) % 12) + 1)}-${two(((round * 7 + add) % 28) + 1)}T02:30`;
    const time_zone = zones[round % zones.length];
    const dates = { time_zone, starts_at: "2026-01-01", ends_at: day(11) };
    await ok(kurso.coursesUpdateCourse({ client: owner, path: { course_id }, body: dates }));
    const title = `${round}; "Буря", \\ мглою ${"небо кроет, ".repeat(round % 9)}`.trim();
    const lesson = { title, available_from: round % 3 === 0 ? null : day(0) };
    await ok(kurso.coursesUpdateLesson({ client: owner, path: { lesson_id }, body: lesson }));
    const due = { due_at: day(5), version: page.version };
    await ok(kurso.coursesUpdatePage({ client: owner, path: { page_id }, body: due }));
    const { count, data } = await ok(kurso.calendarReadEvents({ client, query: { limit: 1000 } }));
    assert.equal(count, data.length);
    const words = { starts: "Starts", opens: "Opens", due: "Due", closes: "Closes", ends: "Ends" };
    const expected = data.map(({ uid, at, kind, title }) => [uid, at, `${words[kind]}: ${title}`]);
    const { events, sequence } = await read();
    assert.deepEqual(events, expected.sort(), `round ${round}`);
    assert.ok(sequence > last);
    last = sequence;
  }
  assert.ok((await ok(kurso.calendarReadUpcoming({ client, query: { limit: 3 } }))).overdue_count <= 1);
  assert.ok((await ok(kurso.calendarReadFeedState({ client }))).last_read_at);
  await ok(kurso.calendarRevokeFeed({ client }));
  await refused(kurso.calendarReadFeed({ client: anonymous, path: { token } }), 404);
  await refused(kurso.calendarRevokeFeed({ client }), 404);
});

test("files", async () => {
  const { client } = await person();
  const uploaded = await ok(kurso.coursesUploadFile({ client, body: { file: picture } }));
  assert.deepEqual([uploaded.filename, uploaded.content_type], ["dot.png", "image/png"]);
  assert.equal(uploaded.size, picture.size);
  const [key = "", filename = ""] = KURSO_FILE.split("/");
  const file = await ok(kurso.filesReadFile({ client: anonymous, path: { key, filename }, parseAs: "blob" }));
  assert.ok(file.size > 0);
  const part = await ok(
    kurso.filesReadFile({
      client: anonymous,
      path: { key, filename },
      headers: { Range: "bytes=0-3" },
      parseAs: "blob",
    }),
  );
  assert.equal(part.size, 4);
  await refused(kurso.filesReadFile({ client: anonymous, path: { key: nowhere, filename } }), 404);
});
