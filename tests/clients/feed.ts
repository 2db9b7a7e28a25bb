// Reads an iCalendar feed with ical.js. feed.py does the same with the package icalendar.
import assert from "node:assert/strict";
import ICAL from "ical.js";

/** The events of a feed as [UID, time, title], by UID, and the SEQUENCE of its events. */
export function readFeed(text: string): { events: [string, string, string][]; sequence: number } {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const found = calendar.getAllSubcomponents("vevent").map((entry) => new ICAL.Event(entry));
  const sequences = new Set(found.map(({ sequence }) => Number(sequence)));
  assert.ok(sequences.size <= 1);
  const events = found.map(({ uid, startDate, endDate, summary }): [string, string, string] => {
    assert.equal(endDate.compare(startDate), 0, "an event is an instant");
    return [uid, startDate.toJSDate().toISOString().replace(".000Z", "Z"), summary];
  });
  return { events: events.sort(), sequence: Math.max(0, ...sequences) };
}
