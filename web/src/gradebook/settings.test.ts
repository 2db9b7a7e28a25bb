import { describe, expect, test } from "vitest";
import {
  changedOf,
  changedScheme,
  common,
  DEFAULTS,
  dropProblem,
  type GradedPage,
  itemPointsProblem,
  LABELS,
  modeOf,
  restoring,
  SCHEMES,
  thresholdProblem,
  weightProblem,
} from "./settings";

const page = (pageId: string, rest: Partial<GradedPage> = {}) =>
  ({ pageId, categoryId: null, points: "100", extraCredit: false, isExcluded: false, ...rest }) as GradedPage;

test("every scheme has a label more than thresholds", () => {
  for (const scheme of SCHEMES) {
    const steps = DEFAULTS[scheme].length;
    expect(LABELS[scheme].length).toBe(steps === 0 ? 0 : steps + 1);
    DEFAULTS[scheme].forEach((least, at) => {
      expect(thresholdProblem(least, DEFAULTS[scheme][at - 1])).toBeNull();
    });
  }
});

test.each([
  ["85", undefined, null],
  ["84,5", "85", null],
  ["85", "85", "students.grades.settings.thresholdOrder"],
  ["90", "85", "students.grades.settings.thresholdOrder"],
  ["0", "85", "students.grades.settings.thresholdRange"],
  ["101", undefined, "students.grades.settings.thresholdRange"],
  ["", undefined, "students.grades.settings.thresholdRange"],
  // The unreadable one above has its own message.
  ["70", "x", null],
])("the threshold %j below %j has the problem %j", (typed, better, problem) => {
  expect(thresholdProblem(typed, better)).toBe(problem);
});

test("weights, drops and points are read in their bounds only", () => {
  expect(["0", "100", "33,33", "100.01", "-1", ""].map((typed) => weightProblem(typed) === null)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(["0", "50", "51", "1.5", ""].map((typed) => dropProblem(typed) === null)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(["0", "0.01", "10000", "10001"].map((typed) => itemPointsProblem(typed) === null)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

describe("several pages", () => {
  const pages = [
    page("a", { points: "10" }),
    page("b", { points: "20", extraCredit: true }),
    page("c", { points: "10", isExcluded: true, extraCredit: true }),
  ];

  test("share a value or none", () => {
    expect(common(pages, ({ points }) => points)).toBeNull();
    expect(common(pages.slice(0, 1), ({ points }) => points)).toBe("10");
    expect(pages.map(modeOf)).toEqual(["counts", "extra", "excluded"]);
  });

  test("get back what they had, and nothing that was not changed", () => {
    expect(restoring(pages, { points: "5" })).toEqual([
      { points: "10", pageIds: ["a", "c"] },
      { points: "20", pageIds: ["b"] },
    ]);
    expect(restoring(pages, { extraCredit: false, isExcluded: false })).toEqual([
      { extraCredit: false, isExcluded: false, pageIds: ["a"] },
      { extraCredit: true, isExcluded: false, pageIds: ["b"] },
      { extraCredit: true, isExcluded: true, pageIds: ["c"] },
    ]);
  });
});

describe("after a conflict", () => {
  test("only what was changed here is put back", () => {
    expect(changedOf({ weight: "25", title: "Тесты" }, { weight: "40", title: "Тесты" })).toEqual({
      weight: "25",
    });
  });

  test("a scheme and its thresholds are put back together, and apart from what is missing", () => {
    const base = { scheme: "FIVE_POINT", missingCountsAsZero: false, isBlind: false, t0: "85", t1: "70" };
    expect(changedScheme({ ...base, t0: "90" }, base)).toEqual({ scheme: "FIVE_POINT", t0: "90", t1: "70" });
    expect(changedScheme({ ...base, missingCountsAsZero: true }, base)).toEqual({
      missingCountsAsZero: true,
    });
    expect(changedScheme({ ...base, isBlind: true }, base)).toEqual({ isBlind: true });
  });
});
