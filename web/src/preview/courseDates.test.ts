import { expect, test } from "vitest";
import type { Part } from "../dates/parts";
import { nextDates } from "./courseDates";

const page = (id: string, dates: object): Part =>
  ({
    kind: "page",
    id,
    above: [],
    number: 1,
    item: { id, title: id, kind: "QUIZ", ...dates },
  }) as unknown as Part;

test("the next dates come in order, rounded up to the minute, one of each moment and kind", () => {
  const parts = [
    page("a", { dueAt: "2026-12-05T20:59:00Z", availableUntil: "2026-12-09T20:59:30.5Z" }),
    page("b", {
      availableFrom: "2026-12-01T09:00:00Z",
      dueAt: "2026-12-05T20:59:00Z",
      lateUntil: "2026-12-05T20:59:00Z",
    }),
    page("past", { availableFrom: "2026-11-30T09:00:00Z" }),
    page("none", {}),
  ];
  const found = nextDates(parts, new Date("2026-11-30T09:00:00Z"), 9);
  expect(found.map(({ part, column, at }) => `${part.id} ${column} ${at.toISOString()}`)).toEqual([
    "b opens 2026-12-01T09:00:00.000Z",
    "a due 2026-12-05T20:59:00.000Z",
    "b late 2026-12-05T20:59:00.000Z",
    "a closes 2026-12-09T21:00:00.000Z",
  ]);
  expect(nextDates(parts, new Date("2026-11-30T09:00:00Z"), 1)).toHaveLength(1);
});
