// Calls every operation through the generated TypeScript client (run.mjs generates it). walk*.py do the same in Python, step by step. A new operation needs a call in
// both: run.mjs fails while one of them has not called it successfully.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as kurso from "../../target/clients/sdk/index.js";
import {
  address,
  anonymous,
  course,
  mailedToken,
  nowhere,
  ok,
  password,
  person,
  picture,
  refused,
  signedIn,
  superuser,
  text,
} from "./client.js";
import { commentOn } from "./walk-comments.js";
import { discuss } from "./walk-discussions.js";
import { keep } from "./walk-notes.js";
import { show } from "./walk-public-pages.js";
import "./walk-calendar.js";
import "./walk-certificates.js";
import "./walk-hotspots.js";
import "./walk-notices.js";
import "./walk-quizzes.js";

const { KURSO_FILE = "" } = process.env;

test("the server is up", async () => {
  assert.equal(await ok(kurso.utilsHealthCheck({ client: anonymous })), true);
});

test("an account: signup, login, changes, sessions, deletion", async () => {
  const { client, email, id } = await person();
  assert.equal((await ok(kurso.loginTestToken({ client }))).email, email);
  assert.equal((await ok(kurso.usersReadUserMe({ client }))).id, id);
  assert.equal((await ok(kurso.usersTextsOfMe({ client }))).count, 0);
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
  const query = { text: "unders", course_id };
  const [match] = (await ok(kurso.coursesSearchContent({ client, query }))).data;
  assert.deepEqual([match?.page_id, match?.fragments[0]?.block], [page_id, 0]);
  const stranger = { client: (await person()).client, query };
  await refused(kurso.coursesSearchContent(stranger), 404);
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
  const restored = await ok(
    kurso.coursesRestorePageVersion({ client, path: { page_id, version: oldest.version } }),
  );

  for (const title of ["Later", "Much later"]) {
    const body = { title, draft: true };
    const { draft, version } = await ok(kurso.coursesUpdatePage({ client, path: { page_id }, body }));
    const read = await ok(kurso.coursesPageDraft({ client, path: { page_id } }));
    assert.deepEqual([draft, version, read.title], [true, read.version, title]);
    if (title === "Later") {
      await ok(kurso.coursesDiscardPageDraft({ client, path: { page_id }, query: { version } }));
    }
  }
  const [change] = (await ok(kurso.coursesUnpublishedChanges({ client, path: { course_id } }))).data;
  assert.ok(change);
  const shown = { page_id, version: change.version, page_version: restored.version };
  const told = await ok(kurso.coursesConsequences({ client, path: { course_id }, body: { pages: [shown] } }));
  assert.deepEqual([told.affected, told.learners], [0, []]);
  const publish = { pages: [shown], past_attempts: "regrade" as const, digest: told.digest };
  const published = await ok(kurso.coursesPublishPageDrafts({ client, path: { course_id }, body: publish }));
  assert.equal((await ok(kurso.coursesRegrades({ client, path: { course_id } }))).count, 0);
  await refused(kurso.coursesUndoRegrade({ client, path: { regrade_id: page_id } }), 404);
  assert.equal(published.pages[0]?.page_version, change.version);

  await commentOn(client, course_id, page_id);
  await show(client, course_id);
  await discuss(client, course_id, page_id);
  await keep(client, course_id, page_id);
  const name = { name: "Before" };
  const taken = await ok(kurso.coursesTakeSnapshot({ client, path: { course_id }, body: name }));
  const of = { client, path: { snapshot_id: taken.id } };
  assert.equal((await ok(kurso.coursesSnapshots({ client, path: { course_id } }))).data[0]?.id, taken.id);
  assert.equal(
    (await ok(kurso.coursesRenameSnapshot({ ...of, body: { name: "Before all" } }))).name,
    "Before all",
  );
  await ok(kurso.coursesUpdatePage({ client, path: { page_id }, body: { title: "Spoilt" } }));
  const differences = await ok(kurso.coursesSnapshotChanges(of));
  assert.deepEqual([differences.changed[0]?.part, differences.changed[0]?.fields], ["page", ["title"]]);
  assert.equal((await ok(kurso.coursesSnapshot(of))).snapshot.page_count, taken.page_count);
  const old = await ok(kurso.coursesSnapshotPage({ client, path: { snapshot_id: taken.id, page_id } }));
  await refused(kurso.coursesRestoreSnapshot({ ...of, body: { digest: "x" } }), 409);
  const back = await ok(kurso.coursesRestoreSnapshot({ ...of, body: { digest: differences.digest ?? "" } }));
  assert.deepEqual([back.before.reason, back.unpublished_page_ids], ["before_restore", []]);
  assert.equal((await ok(kurso.coursesGetPage({ client, path: { page_id } }))).title, old.title);
  await ok(kurso.coursesDeleteSnapshot(of));

  const copies = {
    page: await ok(kurso.coursesDuplicatePage({ client, path: { page_id } })),
    lesson: await ok(kurso.coursesDuplicateLesson({ client, path: { lesson_id } })),
    module: await ok(kurso.coursesDuplicateModule({ client, path: { module_id } })),
    course: await ok(kurso.coursesDuplicateCourse({ client, path: { course_id } })),
  };
  await ok(kurso.coursesDeletePage({ client, path: { page_id: copies.page.id } }));
  const deleted = async () => (await ok(kurso.coursesTrash({ client, path: { course_id } }))).data[0];
  const entry = await deleted();
  assert.deepEqual([entry?.kind, entry?.parent_is_gone], ["page", false]);
  await ok(kurso.coursesRestoreFromTrash({ client, path: { entry_id: entry?.id ?? "" }, body: {} }));
  await ok(kurso.coursesDeletePage({ client, path: { page_id: copies.page.id } }));
  await ok(kurso.coursesDeleteForever({ client, path: { entry_id: (await deleted())?.id ?? "" } }));
  await ok(kurso.coursesDeleteLesson({ client, path: { lesson_id: copies.lesson.id } }));
  await ok(kurso.coursesDeleteModule({ client, path: { module_id: copies.module.id } }));
  await ok(kurso.coursesDeleteCourse({ client, path: { course_id: copies.course.id } }));
  const gone = await refused(kurso.coursesGetCourse({ client, path: { course_id: copies.course.id } }), 404);
  assert.equal(typeof gone.detail, "string");
  const courses = await ok(kurso.coursesDeletedCourses({ client }));
  assert.ok(courses.data.some((entry) => entry.course_id === copies.course.id));
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
  const reread = await ok(
    kurso.coursesMarkReread({ client, path: { page_id }, body: { version: page.version } }),
  );
  assert.equal(reread.change_since_read, null);
  assert.equal((await ok(kurso.coursesImportantChanges({ client }))).count, 0);
  const place = { version: page.version, block: 1, part: 250 };
  const kept = await ok(kurso.coursesKeepReadingPlace({ client, path: { page_id }, body: place }));
  const resumed = await ok(kurso.coursesEnrolledCourse({ client, path: { course_id } }));
  assert.deepEqual(resumed.reading_place, kept);
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
