// The part of walk.ts about notes, bookmarks and ticks.
import assert from "node:assert/strict";
import type { Client } from "../../target/clients/sdk/client/index.js";
import * as kurso from "../../target/clients/sdk/index.js";
import { ok, refused } from "./client.js";

/** Notes a page, changes and deletes the note, and sets a bookmark. */
export async function keep(client: Client, course_id: string, page_id: string) {
  const body = { color: "green" as const, body: "Read again" };
  const created = await ok(kurso.coursesCreateNote({ client, path: { page_id }, body }));
  assert.deepEqual([created.state, created.quote, created.version], ["page", null, 1]);
  const change = { client, path: { note_id: created.id }, body: { version: 1, body: "Read once more" } };
  assert.equal((await ok(kurso.coursesUpdateNote(change))).version, 2);
  await refused(kurso.coursesUpdateNote(change), 409);
  const bookmark = { client, path: { page_id }, body: { is_bookmarked: true } };
  assert.equal((await ok(kurso.coursesSetBookmark(bookmark))).is_bookmarked, true);
  const kept = await ok(kurso.coursesPageNotes({ client, path: { page_id } }));
  assert.deepEqual([kept.notes.length, kept.is_bookmarked, kept.ticked_tasks], [1, true, []]);
  const { lesson_id } = await ok(kurso.coursesGetPage({ client, path: { page_id } }));
  const words = [{ type: "paragraph", content: [{ type: "text", text: "Tie it" }] }];
  const tasks = {
    type: "doc",
    content: [{ type: "taskList", content: [{ type: "taskItem", content: words }] }],
  };
  const steps = { title: "Steps", kind: "content" as const, content: tasks };
  const page = await ok(kurso.coursesCreatePage({ client, path: { lesson_id }, body: steps }));
  const tick = { version: page.version, task: 0, is_ticked: true };
  const path = { page_id: page.id };
  assert.deepEqual((await ok(kurso.coursesTickTask({ client, path, body: tick }))).ticked_tasks, [0]);
  await refused(kurso.coursesTickTask({ client, path, body: { ...tick, task: 999 } }), 422);
  await ok(kurso.coursesDeletePage({ client, path }));
  const query = { color: "green", search: "once" };
  const listed = await ok(kurso.coursesCourseNotes({ client, path: { course_id }, query }));
  assert.deepEqual([listed.count, listed.data[0]?.page?.id, listed.bookmarks.length], [1, page_id, 1]);
  const noted = await ok(kurso.coursesNotedCourses({ client }));
  const shown = noted.data.map(({ course_id, notes, has_left }) => [course_id, notes, has_left]);
  assert.deepEqual(shown, [[course_id, 1, false]]);
  await ok(kurso.coursesExportNotes({ client, path: { course_id } }));
  await ok(kurso.coursesDeleteNote({ client, path: { note_id: created.id } }));
}
