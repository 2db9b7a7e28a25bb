import { describe, expect, test } from "vitest";
import {
  gradedOf,
  mayCount,
  type OwnCategory,
  type OwnGrade,
  type OwnGradebook,
  partsOf,
  weightsOf,
} from "./ownGrades";

const category = (categoryId: string, weight = "50") =>
  ({ categoryId, title: categoryId, weight, dropLowest: 0, percent: null }) as OwnCategory;

const grade = (pageId: string, rest: Partial<OwnGrade> = {}) =>
  ({ pageId, categoryId: null, source: "NONE", isExcluded: false, ...rest }) as OwnGrade;

const book = (categories: OwnCategory[], grades: OwnGrade[]) => ({ categories, grades }) as OwnGradebook;

describe("partsOf", () => {
  const shape = (given: OwnGradebook) =>
    partsOf(given).map(({ category, grades }) => [
      category?.categoryId ?? null,
      grades.map(({ pageId }) => pageId).join(),
    ]);

  test("has one part without categories", () => {
    expect(shape(book([], [grade("a"), grade("b")]))).toEqual([[null, "a,b"]]);
  });

  test("keeps the order of the categories, and puts pages without one last", () => {
    const grades = [grade("a"), grade("b", { categoryId: "two" }), grade("c", { categoryId: "one" })];
    expect(shape(book([category("one"), category("two")], grades))).toEqual([
      ["one", "c"],
      ["two", "b"],
      [null, "a"],
    ]);
  });

  test("leaves out a category without pages", () => {
    expect(shape(book([category("one"), category("two")], [grade("a", { categoryId: "two" })]))).toEqual([
      ["two", "a"],
    ]);
  });
});

test("excused and excluded pages are not among those that wait for a grade", () => {
  const grades = [
    grade("a", { source: "AUTOMATIC" }),
    grade("b", { source: "OVERRIDE" }),
    grade("c", { source: "MISSING" }),
    grade("d"),
    grade("e", { source: "EXCUSED" }),
    grade("f", { isExcluded: true, source: "AUTOMATIC" }),
  ];
  expect(gradedOf(book([], grades))).toEqual({ graded: 2, all: 4 });
});

test("pages outside of the categories do not count, unless there are no categories", () => {
  const loose = grade("a", { source: "AUTOMATIC" });
  const within = grade("b", { source: "MISSING", categoryId: "one" });
  expect(gradedOf(book([category("one")], [loose, within]))).toEqual({ graded: 0, all: 1 });
  expect(gradedOf(book([], [loose]))).toEqual({ graded: 1, all: 1 });
  expect(mayCount(book([category("one")], []), loose)).toBe(false);
  expect(mayCount(book([category("one")], []), within)).toBe(true);
});

test("weights are summed exactly", () => {
  expect(weightsOf([category("a", "33.3"), category("b", "0.1"), category("c", "66.6")])).toBe("100");
});
