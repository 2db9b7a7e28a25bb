// The part of walk.ts about author comments.
import assert from "node:assert/strict";
import type { Client } from "../../target/clients/sdk/client/index.js";
import * as kurso from "../../target/clients/sdk/index.js";
import { ok, refused } from "./client.js";

/** Discusses a page, and accepts and rejects suggestions for its first block. */
export async function commentOn(client: Client, course_id: string, page_id: string) {
  assert.equal((await ok(kurso.coursesCommenters({ client, path: { course_id } }))).data.length, 1);
  const { version } = await ok(kurso.coursesGetPage({ client, path: { page_id } }));
  const start = { client, path: { page_id }, body: { text: "Why?", version, block: 0, suggestion: [] } };
  const thread = await ok(kurso.coursesStartThread(start));
  assert.deepEqual([thread.anchor?.block, thread.suggestion?.state], [0, "pending"]);
  const path = { thread_id: thread.id };
  const other = await ok(kurso.coursesStartThread(start));
  const rejected = await ok(kurso.coursesRejectSuggestion({ client, path: { thread_id: other.id } }));
  assert.equal(rejected.state, "resolved");
  const added = await ok(kurso.coursesAddComment({ client, path, body: { text: "So?" } }));
  const comment_id = added.comments.at(-1)?.id ?? "";
  await ok(kurso.coursesEditComment({ client, path: { comment_id }, body: { text: "So." } }));
  await ok(kurso.coursesMarkThreadRead({ client, path, body: { comment_id } }));
  assert.equal((await ok(kurso.coursesResolveThread({ client, path }))).state, "resolved");
  assert.equal((await ok(kurso.coursesReopenThread({ client, path }))).resolved_at, null);
  const open = await ok(kurso.coursesPageThreads({ client, path: { page_id }, query: { state: "open" } }));
  assert.equal(open.data.length, 1);
  const resolved = { client, path: { course_id }, query: { state: "resolved" } };
  assert.equal((await ok(kurso.coursesCourseThreads(resolved))).count, 1);
  const left = await ok(kurso.coursesDeleteComment({ client, path: { comment_id } }));
  assert.equal(left.thread?.comments.length, 1);
  await refused(kurso.coursesAcceptSuggestion({ client, path, body: { version: version + 1 } }), 409);
  const accepted = await ok(kurso.coursesAcceptSuggestion({ client, path, body: { version } }));
  assert.equal(accepted.suggestion?.state, "accepted");
  const draft = await ok(kurso.coursesPageDraft({ client, path: { page_id } }));
  await ok(kurso.coursesDiscardPageDraft({ client, path: { page_id }, query: { version: draft.version } }));
}
