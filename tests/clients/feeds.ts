// Uses ical.js to read the feeds of a core test that sets its clock forward and back. run.mjs starts that test; feeds.py reads the same feeds with the
// package icalendar, and run.mjs compares the events of both.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readFeed } from "./feed.js";

const { KURSO_FEEDS = "", KURSO_READ = "" } = process.env;

test("ical.js finds every event in feeds whose server's clock jumps", () => {
  const rounds = readdirSync(KURSO_FEEDS).filter((name) => name.endsWith(".ics"));
  assert.equal(rounds.length, 50);
  let last = 0;
  const found = rounds.sort().map((name) => {
    const { events, sequence } = readFeed(readFileSync(join(KURSO_FEEDS, name), "utf8"));
    const expected = JSON.parse(readFileSync(join(KURSO_FEEDS, name.replace(".ics", ".json")), "utf8"));
    assert.deepEqual(
      events.map(([uid, at]) => [uid, at]),
      expected,
      name,
    );
    assert.ok(sequence > last, `${name} is no revision after the one before`);
    last = sequence;
    return [name, events, sequence];
  });
  writeFileSync(KURSO_READ, JSON.stringify(found));
});
