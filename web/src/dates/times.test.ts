import { beforeAll, describe, expect, test } from "vitest";
import { i18n } from "../i18n";
import { openTimes } from "../testing/openTimes";
import { startI18n } from "../testing/startI18n";
import { courseText, courseTime, factsOf, factText, nextOpening, type Times } from "./times";

beforeAll(startI18n);

const NOW = new Date("2026-12-01T09:00:00Z");
const [PAST, FUTURE, LATER] = ["2026-11-20T09:00:00Z", "2026-12-10T09:00:00Z", "2026-12-20T09:00:00Z"];
const open: Times = openTimes;
const plain = (text: string | null) => text?.replaceAll("\u00a0", " ") ?? null;

describe("what is said of a part", () => {
  test("is nothing without dates", () => {
    expect(factsOf(open, null, false, NOW)).toEqual([]);
    expect(factsOf(open, open, true, NOW)).toEqual([]);
  });

  test("is when a locked part opens, or that no day is known", () => {
    const locked: Times = { ...open, state: "LOCKED", opensAt: FUTURE };
    expect(factsOf(locked, open, false, NOW)).toEqual([{ told: "opens", at: FUTURE }]);
    expect(factsOf({ ...locked, opensAt: null }, open, false, NOW)).toEqual([{ told: "never", at: null }]);
  });

  test("is what must be completed first, beside the day", () => {
    const locked: Times = { ...open, state: "LOCKED", needs: ["Типы"] };
    const needs = { told: "needs" as const, at: null, titles: ["Типы"] };
    expect(factsOf(locked, open, false, NOW)).toEqual([needs]);
    expect(factsOf({ ...locked, opensAt: FUTURE }, open, false, NOW)).toEqual([
      { told: "opens", at: FUTURE },
      needs,
    ]);
    expect(factsOf(locked, locked, false, NOW)).toEqual([]);
    expect(factsOf({ ...locked, needs: ["Типы", "Циклы"] }, locked, false, NOW)).toMatchObject([
      { told: "needs" },
    ]);
    expect(plain(factText(needs, NOW, "ru", i18n.t))).toBe("Сначала пройдите: «Типы».");
  });

  test("does not repeat the part above", () => {
    const above: Times = { ...open, state: "LOCKED", opensAt: FUTURE, dueAt: LATER };
    expect(factsOf(above, above, false, NOW)).toEqual([]);
    const later = { ...above, opensAt: LATER };
    expect(factsOf(later, above, false, NOW)).toEqual([{ told: "opens", at: LATER }]);
  });

  test("is overdue after the due date unless the part is done", () => {
    const late = { ...open, dueAt: PAST };
    expect(factsOf(late, null, false, NOW)).toEqual([{ told: "overdue", at: PAST }]);
    expect(factsOf(late, null, true, NOW)).toEqual([{ told: "due", at: PAST }]);
    expect(factsOf({ ...open, dueAt: FUTURE }, null, false, NOW)).toEqual([{ told: "due", at: FUTURE }]);
  });

  test("is the close of a closed part instead of its due date", () => {
    const closed: Times = { ...open, state: "CLOSED", closesAt: PAST, dueAt: PAST };
    expect(factsOf(closed, open, false, NOW)).toEqual([{ told: "closed", at: PAST }]);
  });
});

describe("the sentence", () => {
  const due = (at: string) => plain(factText({ told: "due", at }, NOW, "ru", i18n.t));
  const local = (day: number, hour: number, minute: number) =>
    new Date(NOW.getFullYear(), NOW.getMonth(), NOW.getDate() + day, hour, minute).toISOString();

  test("names the day and the time, and the year of another year", () => {
    expect(due(local(4, 23, 59))).toBe("До 5 декабря, 23:59");
    expect(due(local(35, 23, 59))).toBe("До 5 января 2027 г., 23:59");
  });

  test("names today and tomorrow", () => {
    expect(due(local(0, 23, 59))).toBe("Сегодня до 23:59");
    expect(due(local(1, 8, 0))).toBe("Завтра до 08:00");
  });

  test("says that a part is overdue, opens, or is closed", () => {
    const say = (told: "overdue" | "opens" | "closed") =>
      plain(factText({ told, at: local(5, 10, 0) }, NOW, "ru", i18n.t));
    expect(say("overdue")).toBe("Просрочено: до 6 декабря, 10:00");
    expect(say("opens")).toBe("Откроется 6 декабря в 10:00");
    expect(say("closed")).toBe("Закрыто 6 декабря в 10:00");
    expect(factText({ told: "never", at: null }, NOW, "ru", i18n.t)).toBe("Пока закрыто");
  });
});

describe("the time of the course", () => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  test("is told where its clock differs from the learner's", () => {
    expect(plain(courseTime(FUTURE, "Asia/Yekaterinburg", NOW, "ru", i18n.t))).toBe(
      "10 декабря, 14:00 по времени курса, GMT+5",
    );
    expect(courseTime(FUTURE, here, NOW, "ru", i18n.t)).toBeNull();
    expect(courseTime(FUTURE, null, NOW, "ru", i18n.t)).toBeNull();
    expect(courseTime(null, "Asia/Yekaterinburg", NOW, "ru", i18n.t)).toBeNull();
  });

  test("is left out when the browser does not know the zone", () => {
    expect(courseTime(FUTURE, "Mars/Olympus", NOW, "ru", i18n.t)).toBeNull();
  });

  test("follows the daylight saving of the zone", () => {
    expect(courseTime("2026-07-01T12:00:00Z", "Australia/Lord_Howe", NOW, "ru", i18n.t)).toContain("22:30");
    expect(courseTime("2026-12-01T12:00:00Z", "Australia/Lord_Howe", NOW, "ru", i18n.t)).toContain("23:00");
  });
});

test("a course that is not open says when it opens, or that it has ended", () => {
  const text = (times: Partial<Times>) => plain(courseText({ ...open, ...times }, null, NOW, "ru", i18n.t));
  expect(text({ state: "LOCKED", opensAt: FUTURE })).toMatch(/^Курс откроется 10 декабря в /);
  expect(text({ state: "LOCKED" })).toBe("Курс пока закрыт.");
  expect(text({ state: "CLOSED", closesAt: PAST })).toMatch(/^Курс закончился 20 ноября в /);
});

test("the next opening is the nearest one ahead", () => {
  const at = (opensAt: string | null, state: Times["state"] = "LOCKED"): Times => ({
    ...open,
    state,
    opensAt,
  });
  expect(nextOpening([at(LATER), at(null), at(PAST, "OPEN"), at(FUTURE)])).toBe(FUTURE);
  expect(nextOpening([at(PAST, "OPEN"), at(PAST, "CLOSED")])).toBeNull();
});
