import { expect, test } from "vitest";
import { pageNumber, pagesOf } from "./pageNumber";

test.each([
  [3, 3],
  ["3", 3],
  [2.9, 2],
  [0, 1],
  [-4, 1],
  ["abc", 1],
  ["", 1],
  [" ", 1],
  [undefined, 1],
  [null, 1],
  [true, 1],
  [[2], 1],
  [Number.NaN, 1],
  [Number.POSITIVE_INFINITY, 1],
])("%j is page %j", (value, page) => expect(pageNumber(value)).toBe(page));

test.each([
  [0, 1],
  [1, 1],
  [20, 1],
  [21, 2],
  [400, 20],
])("%i rows are %i pages", (rows, pages) => expect(pagesOf(rows)).toBe(pages));
