import { describe, expect, test } from "vitest";
import type { Override } from "../overrides/overrides";
import { course } from "./course.fixture";
import { COLUMNS, dateOf, fieldOf, partsOf, typedChanges } from "./parts";
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
});

describe("a shift", () => {
  test("a shift sends the parts and overrides that have dates, and the server computes the new dates", () => {
    const override = { id: "o", availableFrom: null, availableUntil: null, dueAt: null, lateUntil: null };
    const overrides = [override, { ...override, id: "due", dueAt: "2026-10-25T10:00:00Z" }] as Override[];
    const shifts = shiftsOf(parts, overrides);
    expect(shifts.map(({ part: { kind, id }, changes }) => [kind, id, changes])).toEqual([
      ["course", "c", {}],
      ["module", "m", {}],
      ["lesson", "l", {}],
      ["page", "q", {}],
      ["override", "due", {}],
    ]);
    expect(shifts[0]?.read).toBe(course);
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

test("typing the same time in another format changes nothing, so a stored date keeps its seconds", () => {
  const before = { dueAt: "20.10.2026 23:59" };
  expect(typedChanges(["dueAt"], { dueAt: "20.10.26 23:59" }, before, new Date(), "UTC")).toEqual({});
});

test("a series sets the due dates of the parts that have one, step by step over the change of clocks", () => {
  const series = seriesOf([part("c"), part("m"), part("p"), part("q")], "2026-10-20T12:00", 7, "UTC");
  expect(series.map(({ part, changes }) => [part.id, changes.dueAt])).toEqual([
    ["m", "2026-10-20T12:00"],
    ["p", "2026-10-27T12:00"],
    ["q", "2026-11-03T12:00"],
  ]);
});
