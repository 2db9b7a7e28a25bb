import { describe, expect, test } from "vitest";
import { addMonths, byDay, dayOf, parseMonth, startOfDay, weeksOf } from "./days";

describe("days", () => {
  test("a day begins at midnight of the reader", () => {
    expect(dayOf(startOfDay("2026-12-01"))).toBe("2026-12-01");
    expect(startOfDay("2026-12-01").getHours()).toBe(0);
  });

  test("a month has whole weeks from Monday", () => {
    const weeks = weeksOf("2026-11");
    expect(weeks.length).toBe(6);
    expect(weeks[0]).toEqual([
      "2026-10-26",
      "2026-10-27",
      "2026-10-28",
      "2026-10-29",
      "2026-10-30",
      "2026-10-31",
      "2026-11-01",
    ]);
    expect(weeks.at(-1)?.[0]).toBe("2026-11-30");
    expect(weeksOf("2027-02")).toHaveLength(4);
    for (let month = "2020-01"; month < "2031-01"; month = addMonths(month, 1)) {
      const days = weeksOf(month).flat();
      expect(new Set(days).size).toBe(days.length);
      expect(days).toEqual(days.toSorted());
    }
  });

  test("months follow each other over the years", () => {
    expect([addMonths("2026-12", 1), addMonths("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
  });

  test("only months of this century are read from an address", () => {
    expect(parseMonth("2026-12")).toBe("2026-12");
    for (const wrong of ["2026-13", "2026-00", "1999-01", "2026-1", "2026-12-01", 202612, undefined, null])
      expect(parseMonth(wrong)).toBeUndefined();
  });

  test("events keep their order within a day", () => {
    const at = (time: string) => ({ at: new Date(`2026-12-01T${time}`).toISOString() });
    const next = { at: new Date("2026-12-02T00:00").toISOString() };
    const events = [at("00:00"), at("23:59"), next];
    expect(byDay(events)).toEqual([
      ["2026-12-01", events.slice(0, 2)],
      ["2026-12-02", [next]],
    ]);
  });
});
