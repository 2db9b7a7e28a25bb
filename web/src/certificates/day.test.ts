import { expect, test } from "vitest";
import { dayOf, lastDayOf } from "./day";

test("a day is that of the zone", () => {
  expect(dayOf("2025-03-05T20:00:00Z", "ru", "Pacific/Auckland")).toBe("6 марта 2025 г.");
  expect(dayOf("2025-03-05T20:00:00Z", "en", "America/New_York")).toBe("March 5, 2025");
});

test("the last day is the one before the end, also when clocks change", () => {
  expect(lastDayOf("2027-03-05T21:00:00Z", "ru", "Europe/Moscow")).toBe("5 марта 2027 г.");
  // Midnight of 29 March, an hour after the clocks have changed on the 28th.
  expect(lastDayOf("2027-03-28T22:00:00Z", "ru", "Europe/Berlin")).toBe("28 марта 2027 г.");
});
