import { expect, test } from "vitest";
import { daysLeft } from "./daysLeft";

test.each([
  ["2026-12-30T10:00:00Z", 30],
  ["2026-12-01T10:00:00Z", 1],
  ["2026-11-30T10:00:01Z", 1],
  ["2026-11-30T09:59:59Z", 0],
  ["2026-11-01T00:00:00Z", 0],
])("until %s it is %i days", (moment, days) =>
  expect(daysLeft(moment, new Date("2026-11-30T10:00:00Z"))).toBe(days),
);
