// The part of walk.ts about questions under pages.
import assert from "node:assert/strict";
import type { Client } from "../../target/clients/sdk/client/index.js";
import * as kurso from "../../target/clients/sdk/index.js";
import { ok, person, refused } from "./client.js";

function post(text: string) {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] };
}

/** Asks and answers under a page, and moderates. */
export async function discuss(client: Client, course_id: string, page_id: string) {
  const words = ["spam"];
  const settings = await ok(
    kurso.coursesSetDiscussions({ client, path: { course_id }, body: { is_on: true, words } }),
  );
  assert.deepEqual(settings, await ok(kurso.coursesDiscussionSettings({ client, path: { course_id } })));
  const off = await ok(
    kurso.coursesSetPageDiscussions({ client, path: { page_id }, body: { is_on: false } }),
  );
  assert.equal(off.is_on, false);
  const start = { client, path: { page_id }, body: { body: post("Why?") } };
  await refused(kurso.coursesStartDiscussion(start), 409);
  await ok(kurso.coursesSetPageDiscussions({ client, path: { page_id }, body: { is_on: true } }));
  const { version } = await ok(kurso.coursesGetPage({ client, path: { page_id } }));
  const asked = await ok(
    kurso.coursesStartDiscussion({ ...start, body: { ...start.body, version, block: 0 } }),
  );
  assert.deepEqual([asked.anchor?.block, asked.question.by_staff], [0, true]);
  const path = { discussion_id: asked.id };
  const answered = await ok(kurso.coursesReplyDiscussion({ client, path, body: { body: post("So.") } }));
  const post_id = answered.post.id;
  await ok(kurso.coursesEditPost({ client, path: { post_id }, body: { body: post("So!") } }));
  await refused(kurso.coursesMarkPost({ client, path: { post_id }, body: { is_useful: true } }), 409);
  const { share_code } = await ok(kurso.coursesGenerateShareCode({ client, path: { course_id } }));
  assert.ok(share_code);
  const learner = (await person()).client;
  await ok(kurso.coursesEnroll({ client: learner, body: { share_code } }));
  const asLearner = { client: learner, path: { post_id } };
  const useful = await ok(kurso.coursesMarkPost({ ...asLearner, body: { is_useful: true } }));
  assert.equal(useful.post.useful_count, 1);
  await ok(kurso.coursesReportPost({ ...asLearner, body: { reason: "Wrong" } }));
  const hide = { action: "hide" as const, reason: "Wrong" };
  const hidden = await ok(kurso.coursesModeratePost({ client, path: { post_id }, body: hide }));
  assert.equal(hidden.post.hidden?.reason, "Wrong");
  await ok(kurso.coursesModeratePost({ client, path: { post_id }, body: { action: "show" } }));
  const noted = await ok(
    kurso.coursesNoteDiscussion({ client, path, body: { read_post_id: post_id, follows: false } }),
  );
  assert.deepEqual([noted.is_unread, noted.follows], [false, false]);
  const change = { accepted_post_id: post_id, is_pinned: true };
  assert.ok((await ok(kurso.coursesChangeDiscussion({ client, path, body: change }))).resolved_at);
  assert.equal((await ok(kurso.coursesDiscussion({ client, path }))).is_pinned, true);
  const answers = { client, path, query: { at: post_id, limit: 10 } };
  const { data, count } = await ok(kurso.coursesDiscussionAnswers(answers));
  assert.deepEqual([count, data[0]?.id, data[0]?.is_accepted], [1, post_id, true]);
  const resolved = { filter: "resolved" };
  assert.equal(
    (await ok(kurso.coursesPageDiscussions({ client, path: { page_id }, query: resolved }))).count,
    1,
  );
  assert.equal(
    (await ok(kurso.coursesCourseDiscussions({ client, path: { course_id }, query: resolved }))).count,
    1,
  );
  assert.deepEqual((await ok(kurso.coursesPageQuestions({ client, path: { page_id } }))).blocks, []);
  const question = asked.question.id;
  assert.equal((await ok(kurso.coursesDeletePost({ client, path: { post_id: question } }))).discussion, null);
}
