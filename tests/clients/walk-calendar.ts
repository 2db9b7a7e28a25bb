// The part of walk.ts about the calendar feed, read with ical.js.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as kurso from "../../target/clients/sdk/index.js";
import { anonymous, course, learnerOf, ok, person, refused } from "./client.js";
import { readFeed } from "./feed.js";

/** Two digits. */
const two = (number: number) => String(number).padStart(2, "0");

test("ical.js reads the same events as the API, after 50 changes of dates and zones", async () => {
  const owner = (await person()).client;
  const { course_id, lesson_id, page_id } = await course(owner);
  const { client } = await learnerOf(owner, course_id);
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
