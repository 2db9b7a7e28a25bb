import { expect, test } from "vitest";
import { course } from "./course.fixture";
import { partsOf } from "./parts";
import { changesOf, spread } from "./paste";

const parts = partsOf(course);
const now = new Date("2026-09-01T00:00:00Z");
const ids = (cells: { part: { id: string }; column: string; text: string }[]) =>
  cells.map(({ part, column, text }) => `${part.id} ${column} ${text}`);

test("a pasted column fills the rows below, and empty lines leave theirs alone", () => {
  const { filled, unreadable, left } = spread("5.10\r\n\r\n7.10.2026 12:00\n", parts.slice(1), "due", now);
  expect(ids(filled)).toEqual(["m due 5.10", "p due 7.10.2026 12:00"]);
  expect([unreadable, left]).toEqual([[], 0]);
});

test("a pasted block fills several columns, as one change per part", () => {
  const { filled } = spread("1.10\t5.10\n2.10\t6.10", parts.slice(1, 3), "opens", now);
  expect(changesOf(filled, now, "UTC").map(({ part, changes }) => [part.id, changes])).toEqual([
    ["m", { availableFrom: "2026-10-01", dueAt: "2026-10-05" }],
    ["l", { availableFrom: "2026-10-02", dueAt: "2026-10-06" }],
  ]);
});

test("a pasted time that a cell shows already changes nothing: the stored date keeps its seconds", () => {
  const module = parts[1]!;
  const part = { ...module, item: { ...module.item, dueAt: "2026-10-20T21:59:59Z" } } as typeof module;
  const { filled } = spread("1.10.2026\t20.10.26 23:59", [part], "opens", now);
  expect(changesOf(filled, now, "Europe/Berlin").map(({ changes }) => changes)).toEqual([
    { availableFrom: "2026-10-01" },
  ]);
});

test("texts that are no dates, and texts without a cell, are told apart", () => {
  // The course has no due date, and only quizzes accept late attempts.
  const { filled, unreadable, left } = spread("1.10\nскоро\n2.10\t3.10\n4.10", parts.slice(0, 3), "due", now);
  expect(ids(filled)).toEqual(["l due 2.10"]);
  expect(ids(unreadable)).toEqual(["m due скоро"]);
  expect(left).toBe(3);
});
