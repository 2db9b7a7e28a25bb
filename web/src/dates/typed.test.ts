import { describe, expect, test } from "vitest";
import { daysBetween, instantOf, parseTyped, shifted, shownLocal, typedOf } from "./typed";

const NOW = new Date(2026, 10, 25, 12);

describe("a typed date", () => {
  test.each([
    ["5.12.2026 23:59", "2026-12-05T23:59"],
    ["05.12.2026, 9:30", "2026-12-05T09:30"],
    ["5.12.26", "2026-12-05"],
    ["5/12/2026 9.05", "2026-12-05T09:05"],
    ["2026-12-05T23:59", "2026-12-05T23:59"],
    [" 2026-12-5  0:00 ", "2026-12-05T00:00"],
    ["29.02.2028", "2028-02-29"],
  ])("%s is %s", (text, local) => expect(parseTyped(text, NOW)).toBe(local));

  test("without a year is the next such day", () => {
    expect(parseTyped("5.12", NOW)).toBe("2026-12-05");
    expect(parseTyped("25.11", NOW)).toBe("2026-11-25");
    expect(parseTyped("24.11 10:00", NOW)).toBe("2027-11-24T10:00");
  });

  test.each([
    "",
    "завтра",
    "31.02.2026",
    "5.13.2026",
    "5.12.2026 24:00",
    "5.12.2026 9",
    "5.12.1999",
    "5.12.2100 1:00",
    "5.12.2026 9:00 x",
  ])("«%s» is none", (text) => expect(parseTyped(text, NOW)).toBeNull());

  test("shows a moment in the zone of the course, and reads it back", () => {
    const iso = "2026-12-05T20:59:00Z";
    expect(typedOf(iso, "Europe/Moscow", "ru")).toBe("05.12.2026 23:59");
    expect(typedOf(iso, "Europe/Moscow", "en")).toBe("2026-12-05 23:59");
    expect(typedOf("2026-12-05T21:00:00Z", "Europe/Moscow", "en")).toBe("2026-12-06 00:00");
    for (const language of ["ru", "en"])
      expect(parseTyped(typedOf(iso, "Australia/Lord_Howe", language), NOW)).toBe("2026-12-06T07:59");
    expect(typedOf(null, "UTC", "ru")).toBe("");
    expect(shownLocal("2026-12-05", "ru")).toBe("05.12.2026");
  });
});

test("shifting keeps the time of day over months, years and changes of clocks", () => {
  expect(shifted("2026-12-28T23:59", 7)).toBe("2027-01-04T23:59");
  expect(shifted("2026-03-28T02:30", 1)).toBe("2026-03-29T02:30");
  expect(shifted("2028-03-01", -1)).toBe("2028-02-29");
  expect(daysBetween("2026-12-28T23:59", "2027-01-04T00:00")).toBe(7);
  expect(daysBetween("2027-01-04", "2026-12-28")).toBe(-7);
});

// The same cases as in `core/base/src/schedule.rs` for an opening.
test.each([
  ["Europe/Moscow", "2026-12-05T23:59", "2026-12-05T20:59:00.000Z"],
  ["Europe/Moscow", "2026-12-05", "2026-12-04T21:00:00.000Z"],
  ["UTC", "2028-02-29T00:00", "2028-02-29T00:00:00.000Z"],
  // Clocks are set back: this local time occurs twice.
  ["Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
  ["Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45:00.000Z"],
  // Clocks are set forward: this local time does not exist.
  ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
  ["America/New_York", "2026-03-08T02:30", "2026-03-08T07:30:00.000Z"],
  ["Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00:00.000Z"],
])("in %s the local time %s is the instant %s", (zone, local, instant) => {
  expect(instantOf(local, zone).toISOString()).toBe(instant);
});
