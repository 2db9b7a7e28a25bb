// The part of walk.ts about public pages of courses.
import assert from "node:assert/strict";
import type { Client } from "../../target/clients/sdk/client/index.js";
import * as kurso from "../../target/clients/sdk/index.js";
import { anonymous, clientOf, ok, person, picture, refused } from "./client.js";

/** Opens a course to visitors, joins it as one, and closes it again. */
export async function show(client: Client, course_id: string) {
  const path = { course_id };
  const visited = { client: anonymous, path };
  await refused(kurso.coursesPublicCourse(visited), 404);
  const opened = await ok(kurso.coursesSetVisibility({ client, path, body: { visibility: "public" } }));
  assert.deepEqual(opened, await ok(kurso.coursesPublicPage({ client, path })));
  const covered = await ok(kurso.coursesUploadCover({ client, path, body: { file: picture } }));
  assert.ok(covered.cover_url);
  const shown = await ok(kurso.coursesPublicCourse(visited));
  assert.deepEqual([shown.visibility, shown.is_enrollment_open], ["public", true]);
  const listed = await ok(kurso.coursesCatalogue({ client: anonymous, query: { limit: 1000 } }));
  assert.ok(listed.data.some((course) => course.id === course_id));
  const learner = (await person()).client;
  const joined = await ok(kurso.coursesJoinCourse({ client: learner, path }));
  assert.equal(joined.course.my_role, "learner");
  assert.equal((await ok(kurso.coursesRemoveCover({ client, path }))).cover_url, null);
  await startAsGuest(client, course_id);
  await ok(kurso.coursesSetVisibility({ client, path, body: { visibility: "private" } }));
  await refused(kurso.coursesPublicCourse(visited), 404);
}

/** Starts the course without an account, and moves the guest to one. */
async function startAsGuest(client: Client, course_id: string) {
  const path = { course_id };
  const { share_code } = await ok(kurso.coursesGenerateShareCode({ client, path }));
  assert.ok(share_code);
  await refused(kurso.loginStartAsGuest({ client: anonymous, body: { course_id } }), 404);
  const opened = { visibility: "public" as const, allows_guests: true };
  assert.ok((await ok(kurso.coursesSetVisibility({ client, path, body: opened }))).allows_guests);
  const found = await ok(kurso.coursesGuestCourse({ client: anonymous, path: { share_code } }));
  assert.equal(found.id, course_id);
  const started = await ok(kurso.loginStartAsGuest({ client: anonymous, body: { share_code } }));
  const guest = clientOf(started.access_token);
  const body = { title: "Not without an account" };
  await refused(kurso.coursesCreateCourse({ client: guest, body }), 403);
  const account = (await person()).client;
  const token = { guest_token: started.access_token };
  const merged = await ok(kurso.usersMergeGuest({ client: account, body: token }));
  assert.deepEqual(merged, { course_ids: [course_id], uncounted_attempts: 0 });
}
