import { describe, expect, test } from "vitest";
import type { CourseRole } from "../api/schema.generated";
import { filterOf, filtersOf, isLong, neighbour, waitOf } from "./questions";

const now = new Date("2026-11-30T12:00:00Z");

describe("how long a learner waits", () => {
  test.each([
    ["2026-11-30T11:59:31Z", "now", 0],
    ["2026-11-30T11:59:00Z", "minute", 1],
    ["2026-11-30T11:00:01Z", "minute", 59],
    ["2026-11-30T11:00:00Z", "hour", 1],
    ["2026-11-29T12:00:01Z", "hour", 23],
    ["2026-11-29T12:00:00Z", "day", 1],
    ["2026-11-01T12:00:00Z", "day", 29],
    // The clock of the server may be ahead of the device's.
    ["2026-11-30T12:00:40Z", "now", 0],
  ])("since %s: %s %i", (since, unit, count) => {
    expect(waitOf(since, now)).toEqual({ unit, count });
  });

  test("three days are long", () => {
    expect(isLong(waitOf("2026-11-27T12:00:01Z", now))).toBe(false);
    expect(isLong(waitOf("2026-11-27T12:00:00Z", now))).toBe(true);
    expect(isLong({ unit: "hour", count: 23 })).toBe(false);
  });
});

describe("filters", () => {
  test("editors have neither private questions nor reports", () => {
    expect(filtersOf("EDITOR")).toEqual(["unanswered", "open", "resolved", "all"]);
    expect(filtersOf("TEACHER")).toEqual(["unanswered", "open", "resolved", "private", "reported", "all"]);
    expect(filtersOf("OWNER")).toEqual(filtersOf("TEACHER"));
  });

  test.each<[string | undefined, CourseRole, string]>([
    [undefined, "OWNER", "unanswered"],
    ["resolved", "EDITOR", "resolved"],
    ["reported", "TEACHER", "reported"],
    ["reported", "EDITOR", "unanswered"],
    ["nothing", "OWNER", "unanswered"],
  ])("%s in the address of %s is %s", (view, role, filter) => {
    expect(filterOf(view, role)).toBe(filter);
  });
});

describe("the next question", () => {
  const rows = ["a", "b", "c"].map((id) => ({ id }));
  test.each([
    ["the first, if none is open", undefined, 1, 0, "a"],
    ["the last, backwards", undefined, -1, 0, "c"],
    ["after the open one", "a", 1, 0, "b"],
    ["before the open one", "c", -1, 2, "b"],
    ["none after the last", "c", 1, 2, undefined],
    ["none before the first", "a", -1, 0, undefined],
    ["the one that took the place of the answered one", "gone", 1, 1, "b"],
    ["the one before the answered one", "gone", -1, 1, "a"],
    ["none before the first place", "gone", -1, 0, undefined],
  ] as const)("%s", (_, open, by, last, id) => {
    expect(neighbour(rows, open, by, last)?.id).toBe(id);
  });
});
