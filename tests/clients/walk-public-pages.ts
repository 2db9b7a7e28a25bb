// The part of walk.ts about public pages of courses.
import assert from "node:assert/strict";
import type { Client } from "../../target/clients/sdk/client/index.js";
import * as kurso from "../../target/clients/sdk/index.js";
import { anonymous, ok, person, picture, refused } from "./client.js";

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
  await ok(kurso.coursesSetVisibility({ client, path, body: { visibility: "private" } }));
  await refused(kurso.coursesPublicCourse(visited), 404);
}
