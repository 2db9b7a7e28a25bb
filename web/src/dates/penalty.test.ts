import { expect, test } from "vitest";
import { begunDays, nextPenaltyDay } from "./penalty";

const DUE = "2026-12-01T20:59:00.000Z";

test.each([
  ["2026-12-01T20:58:59Z", 0, DUE],
  [DUE, 0, DUE],
  ["2026-12-01T20:59:01Z", 1, "2026-12-02T20:59:00.000Z"],
  ["2026-12-02T20:59:01Z", 2, "2026-12-03T20:59:00.000Z"],
])("at %s %i days have begun since the due date, the next at %s", (now, days, next) => {
  expect(begunDays(DUE, new Date(now))).toBe(days);
  expect(nextPenaltyDay(DUE, new Date(now))).toBe(next);
});

test("without a due date no day begins", () => {
  expect(begunDays(null, new Date())).toBe(0);
  expect(nextPenaltyDay(null, new Date())).toBeNull();
});
