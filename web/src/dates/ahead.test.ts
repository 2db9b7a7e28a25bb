import { expect, test } from "vitest";
import { firstAhead, nextMidnight, nextWording } from "./ahead";

const NOW = new Date(2026, 11, 5, 20, 0);
const at = (day: number, hour: number) => new Date(2026, 11, day, hour).toISOString();

test("the next moment is the nearest one after now", () => {
  expect(firstAhead([at(9, 1), null, at(5, 19), at(5, 21), undefined], NOW)).toBe(at(5, 21));
  expect(firstAhead([NOW.toISOString()], NOW)).toBeNull();
  expect(firstAhead([], NOW)).toBeNull();
});

test("the wording of a due date changes at each midnight before it, and when it passes", () => {
  expect(nextMidnight(NOW)).toBe(at(6, 0));
  expect(nextWording([at(7, 12)], NOW)).toBe(at(6, 0));
  expect(nextWording([at(7, 12), at(5, 23)], NOW)).toBe(at(5, 23));
  expect(nextWording([at(5, 19), null], NOW)).toBeNull();
});
