import { describe, expect, test } from "vitest";
import { course } from "./course.fixture";
import { COLUMNS, dateOf, fieldOf, inherited, partsOf, typedChanges } from "./parts";
import { daysToStart, seriesOf, shiftsOf } from "./shifts";

const parts = partsOf(course);
const part = (id: string) => parts.find((one) => one.id === id) ?? parts[0]!;

describe("the parts of a course", () => {
  test("are the course and everything in it, in order, with what is above", () => {
    expect(parts.map(({ id, above }) => [id, above.map((one) => one.id).join(" ")])).toEqual([
      ["c", ""],
      ["m", "c"],
      ["l", "c m"],
      ["p", "c m l"],
      ["q", "c m l"],
    ]);
  });

  test("have the dates of their kind", () => {
    expect(COLUMNS.map((column) => fieldOf(part("c"), column))).toEqual(["startsAt", null, null, "endsAt"]);
    expect(COLUMNS.map((column) => fieldOf(part("p"), column))).toEqual([
      "availableFrom",
      "dueAt",
      null,
      "availableUntil",
    ]);
    expect(fieldOf(part("q"), "late")).toBe("lateUntil");
    expect(dateOf(part("q"), "late")).toBe("2026-10-22T10:00:00Z");
    expect(dateOf(part("c"), "due")).toBeNull();
  });

  test("inherit the latest opening and the nearest due date", () => {
    expect(inherited(part("p"), "opens")).toBe("2026-10-01T08:00:00Z");
    expect(inherited(part("p"), "due")).toBe("2026-10-20T21:59:00Z");
    expect(inherited(part("p"), "closes")).toBeNull();
    expect(inherited(part("c"), "opens")).toBeNull();
  });
});

describe("a shift", () => {
  const shifts = shiftsOf(parts, 7, "Europe/Berlin");

  test("moves every own date and keeps its local time over the change of clocks", () => {
    expect(shifts.map(({ part: { id }, changes }) => [id, changes])).toEqual([
      ["c", { startsAt: "2026-09-08T10:00", enrollUntil: "2026-09-22T23:59" }],
      ["m", { dueAt: "2026-10-27T23:59" }],
      ["l", { availableFrom: "2026-10-08T10:00" }],
      ["q", { lateUntil: "2026-10-29T12:00" }],
    ]);
  });

  test("knows the exact moments before", () => {
    expect(shifts[0]?.before).toEqual({ startsAt: course.startsAt, enrollUntil: course.enrollUntil });
  });

  test("to a new start is counted from the first date of the parts", () => {
    expect(daysToStart(parts, "2026-09-11", "Europe/Berlin")).toBe(10);
    expect(daysToStart([part("m"), part("q")], "2026-10-01", "Europe/Berlin")).toBe(-19);
    expect(daysToStart([part("p")], "2026-10-01", "Europe/Berlin")).toBeNull();
  });
});

test("only changed texts are sent, and an empty one clears", () => {
  const before = { dueAt: "20.10.2026 23:59", availableFrom: "", availableUntil: "01.12.2026 10:00" };
  const typed = { dueAt: "20.10.2026 23:59 ", availableFrom: "1.10.2026", availableUntil: " " };
  const names = ["dueAt", "availableFrom", "availableUntil"] as const;
  expect(typedChanges(names, typed, before, new Date(), "UTC")).toEqual({
    availableFrom: "2026-10-01",
    availableUntil: null,
  });
});

test("a series sets the due dates of the parts that have one, step by step over the change of clocks", () => {
  const series = seriesOf([part("c"), part("m"), part("p"), part("q")], "2026-10-20T12:00", 7, "UTC");
  expect(series.map(({ part, changes, before }) => [part.id, changes.dueAt, before.dueAt])).toEqual([
    ["m", "2026-10-20T12:00", "2026-10-20T21:59:00Z"],
    ["p", "2026-10-27T12:00", null],
    ["q", "2026-11-03T12:00", null],
  ]);
});
