import { describe, expect, test } from "vitest";
import { PER_PAGE } from "../ui/pageNumber";
import { paginate, searchAndSort } from "./courseLists";
import { parseSort } from "./sorts";

const course = (title: string, at: string, percent = 0) => ({ id: title, title, at, percent });
const courses = [
  course("Язык Rust", "2026-11-01T00:00:00Z", 40),
  course("Алгебра 10", "2026-11-03T00:00:00Z", 0),
  course("Алгебра 9", "2026-11-02T00:00:00Z", 90),
  course("Ёлочные игрушки", "2026-10-01T00:00:00Z", 40),
];
const titles = (words: string, sort: Parameters<typeof searchAndSort>[2]) =>
  searchAndSort(courses, words, sort, "ru").map(({ title }) => title);

describe("sorting", () => {
  test("puts the most recent activity first", () =>
    expect(titles("", "recent")).toEqual(["Алгебра 10", "Алгебра 9", "Язык Rust", "Ёлочные игрушки"]));
  test("compares numbers in titles by value", () =>
    expect(titles("", "title")).toEqual(["Алгебра 9", "Алгебра 10", "Ёлочные игрушки", "Язык Rust"]));
  test("puts the highest progress first, then the most recent activity", () =>
    expect(titles("", "progress")).toEqual(["Алгебра 9", "Язык Rust", "Ёлочные игрушки", "Алгебра 10"]));
});

describe("searching", () => {
  test("matches every word in any case and position", () =>
    expect(titles("9 АЛГ", "recent")).toEqual(["Алгебра 9"]));
  test("treats ё as е", () => expect(titles("елочн", "recent")).toEqual(["Ёлочные игрушки"]));
  test("returns nothing without a match", () => expect(titles("химия", "recent")).toEqual([]));
});

test("a page has 20 rows, and a number beyond the end is the last page", () => {
  const many = Array.from({ length: PER_PAGE + 1 }, (_, number) => number);
  expect(paginate(many, 1).items).toHaveLength(PER_PAGE);
  expect(paginate(many, 2)).toEqual({ pages: 2, shown: 2, items: [PER_PAGE] });
  expect(paginate(many, 99).shown).toBe(2);
  expect(paginate([], 3)).toEqual({ pages: 1, shown: 1, items: [] });
});

test("an unknown sort order is ignored", () => {
  expect(parseSort("title")).toBe("title");
  expect(parseSort("price")).toBeUndefined();
  expect(parseSort(1)).toBeUndefined();
});
