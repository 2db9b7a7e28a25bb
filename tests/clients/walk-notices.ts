// The part of walk.ts about notices, announcements and nudges.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as kurso from "../../target/clients/sdk/index.js";
import { anonymous, course, noticeToken, nowhere, ok, person, refused } from "./client.js";

test("notices", async () => {
  const owner = (await person()).client;
  const { course_id } = await course(owner);
  const { client, email } = await person();
  await ok(
    kurso.coursesInviteCollaborator({ client: owner, path: { course_id }, body: { email, role: "editor" } }),
  );
  const { data, has_more, unread } = await ok(
    kurso.noticesList({ client, query: { unread_only: true, limit: 10 } }),
  );
  assert.deepEqual([unread, has_more, data.length], [1, false, 1]);
  const [notice] = data;
  assert.ok(notice);
  assert.deepEqual(
    [notice.kind, notice.is_read, notice.course, notice.subject_id],
    ["invited", false, null, course_id],
  );
  assert.equal((await ok(kurso.noticesMarkRead({ client, body: { ids: [notice.id] } }))).unread, 0);
  assert.equal((await ok(kurso.noticesMarkAllRead({ client, body: { before: notice.id } }))).unread, 0);
});

test("announcements and nudges", async () => {
  const owner = (await person()).client;
  const { course_id } = await course(owner);
  const { share_code } = await ok(kurso.coursesGenerateShareCode({ client: owner, path: { course_id } }));
  const learner = (await person()).client;
  assert.ok(share_code);
  await ok(kurso.coursesEnroll({ client: learner, body: { share_code } }));
  const text = [{ type: "text", text: "On Friday" }];
  const content = { type: "doc", content: [{ type: "paragraph", content: text }] };
  const body = { title: "Exam", content, is_pinned: true };
  const made = await ok(kurso.coursesCreateAnnouncement({ client: owner, path: { course_id }, body }));
  assert.deepEqual([made.version, made.receivers, made.readers, made.publish_at], [1, 1, 0, null]);
  await refused(kurso.coursesCreateAnnouncement({ client: learner, path: { course_id }, body }), 403);
  const listed = await ok(kurso.coursesAnnouncements({ client: learner, path: { course_id } }));
  assert.deepEqual(
    [listed.count, listed.unread, listed.can_write, listed.data[0]?.readers],
    [1, 1, false, null],
  );
  const announcement_id = made.id;
  const read = { announcement_ids: [announcement_id] };
  const left = await ok(
    kurso.coursesMarkAnnouncementsRead({ client: learner, path: { course_id }, body: read }),
  );
  assert.equal(left.unread, 0);
  assert.ok((await ok(kurso.coursesAnnouncement({ client: learner, path: { announcement_id } }))).is_read);
  const change = { client: owner, path: { announcement_id }, body: { version: 1, title: "Exam on Friday" } };
  const changed = await ok(kurso.coursesUpdateAnnouncement(change));
  assert.deepEqual([changed.version, changed.readers], [2, 1]);
  await refused(kurso.coursesUpdateAnnouncement(change), 409);
  const { data } = await ok(
    kurso.coursesCourseStudents({ client: owner, path: { course_id }, query: { state: "not_started" } }),
  );
  const [student] = data;
  assert.ok(student);
  assert.equal(student.last_nudged_at, null);
  const nudge = { enrollment_ids: [student.enrollment_id], text: "Begin!" };
  const first = await ok(kurso.coursesNudgeStudents({ client: owner, path: { course_id }, body: nudge }));
  assert.deepEqual([first.nudged.length, first.skipped.length], [1, 0]);
  const second = await ok(kurso.coursesNudgeStudents({ client: owner, path: { course_id }, body: nudge }));
  assert.deepEqual([second.nudged.length, second.skipped.length], [0, 1]);
  const notices = await ok(kurso.noticesList({ client: learner }));
  assert.equal(notices.data[0]?.text, "Begin!");
  await ok(kurso.coursesDeleteAnnouncement({ client: owner, path: { announcement_id } }));
  await refused(kurso.coursesAnnouncement({ client: learner, path: { announcement_id } }), 404);
});

test("how a user is told of notices, and a link that stops mails", async () => {
  const { client, email, id } = await person();
  const { course_id } = await course(client);
  const first = await ok(kurso.noticesReadPreferences({ client }));
  assert.equal(first.is_stored, false);
  assert.ok(first.choices.every(({ is_default, in_app }) => is_default && in_app));
  const quiet_hours = { from: "22:00", until: "07:00" };
  const body = { language: "en" as const, time_zone: "Europe/Moscow", quiet_hours };
  const set = await ok(kurso.noticesSetSettings({ client, body }));
  assert.deepEqual([set.time_zone, set.quiet_hours], ["Europe/Moscow", quiet_hours]);
  await refused(kurso.noticesSetSettings({ client, body: { ...body, time_zone: "Europe/Kitezh" } }), 422);
  const chosen = { course_id, kind: "graded" as const, in_app: false, mail: "weekly" as const };
  const { courses } = await ok(kurso.noticesChoose({ client, body: chosen }));
  assert.deepEqual(courses[0]?.choices[0]?.mail, "weekly");
  await refused(kurso.noticesChoose({ client, body: { ...chosen, course_id: nowhere } }), 404);
  const reset = await ok(kurso.noticesReset({ client, query: { kind: "graded", course_id } }));
  assert.deepEqual(reset.courses[0]?.choices, []);
  const token = noticeToken(id, email);
  const subscription = await ok(kurso.noticesReadSubscription({ client: anonymous, path: { token } }));
  assert.deepEqual(subscription, {
    email: `${email.slice(0, 1)}***@example.com`,
    kinds: ["graded"],
    course: null,
  });
  const page = await ok(kurso.noticesOpenUnsubscribe({ client: anonymous, path: { token } }));
  assert.ok(page.includes(`/unsubscribe/${token}`));
  await ok(kurso.noticesUnsubscribe({ client: anonymous, path: { token }, body: { kind: "graded" } }));
  const { choices } = await ok(kurso.noticesReadPreferences({ client }));
  assert.equal(choices.find(({ kind }) => kind === "graded")?.mail, "off");
  await refused(kurso.noticesReadSubscription({ client: anonymous, path: { token: `${token}x` } }), 404);
  await refused(kurso.noticesUnsubscribe({ client: anonymous, path: { token: "x" }, body: {} }), 404);
});

test("devices that receive notices", async () => {
  const { client } = await person();
  const found = await ok(kurso.noticesReadDevices({ client }));
  assert.ok(found.public_key);
  assert.deepEqual(found.devices, []);
  // The keys of the example of RFC 8291.
  const keys = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };
  // Nothing listens there.
  const endpoint = `http://127.0.0.1:9/${crypto.randomUUID()}`;
  const device = await ok(kurso.noticesAddDevice({ client, body: { endpoint, ...keys } }));
  assert.equal(device.endpoint, endpoint);
  await refused(kurso.noticesAddDevice({ client, body: { endpoint: "https://localhost/", ...keys } }), 422);
  await ok(kurso.noticesTestDevice({ client, path: { device_id: device.id } }));
  await refused(kurso.noticesTestDevice({ client, path: { device_id: nowhere } }), 404);
  await ok(kurso.noticesRemoveDevice({ client, path: { device_id: device.id } }));
  await refused(kurso.noticesRemoveDevice({ client, path: { device_id: device.id } }), 404);
});
