import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  announcementBetween,
  better,
  clockText,
  elapsedAt,
  nextTick,
  type Reading,
  secondsLeft,
} from "./clock";

describe("the clock", () => {
  test.each([
    [0, "00:00"],
    [0.2, "00:01"],
    [59, "00:59"],
    [60, "01:00"],
    [599.5, "10:00"],
    [3599, "59:59"],
    [3600, "1:00:00"],
    [86_400, "24:00:00"],
  ])("shows %d seconds as %s", (left, text) => expect(clockText(left)).toBe(text));

  test("counts from the response on", () => {
    const reading = { elapsed: 10, at: 5000 };
    expect(elapsedAt(reading, 5000)).toBe(10);
    expect(elapsedAt(reading, 7500)).toBe(12.5);
    expect(secondsLeft(12, elapsedAt(reading, 7500))).toBe(0);
  });

  test("a slow or cached response never gives time back", () => {
    // Each response tells the server's time of some moment before its arrival.
    const response = fc.record({ at: fc.nat(1_000_000), way: fc.nat(20_000) });
    fc.assert(
      fc.property(fc.array(response, { minLength: 1 }), (responses) => {
        let known: Reading | undefined;
        let last = 0;
        for (const { at, way } of responses.toSorted((one, other) => one.at - other.at)) {
          known = better(known, { elapsed: Math.max(0, at - way) / 1000, at });
          const now = elapsedAt(known, at);
          expect(now).toBeGreaterThanOrEqual(last - 1e-6);
          // Nor does the clock run ahead of the server's.
          expect(now).toBeLessThanOrEqual(at / 1000 + 1e-6);
          last = now;
        }
      }),
    );
  });

  test("its text changes exactly at the next tick", () => {
    fc.assert(
      fc.property(fc.double({ min: 1.001, max: 90_000, noNaN: true }), (left) => {
        const tick = nextTick(left) / 1000;
        expect(tick).toBeGreaterThan(0);
        expect(tick).toBeLessThanOrEqual(1);
        expect(clockText(left - tick / 2)).toBe(clockText(left));
        expect(clockText(left - tick - 0.0005)).not.toBe(clockText(left));
      }),
    );
  });

  test("is announced at five minutes, at one minute and at the end, once each", () => {
    expect(announcementBetween(301, 300)).toBe(300);
    expect(announcementBetween(300, 299)).toBeNull();
    expect(announcementBetween(61, 60)).toBe(60);
    expect(announcementBetween(1, 0)).toBe(0);
    expect(announcementBetween(0, 0)).toBeNull();
    // A device that slept says only what counts now.
    expect(announcementBetween(1000, 0)).toBe(0);
    // A quiz of two minutes says nothing at its start.
    expect(announcementBetween(120, 119)).toBeNull();
  });
});
