import { describe, expect, test } from "vitest";
import { PER_PAGE } from "../ui/pageNumber";
import { arranged, paged, sortOf } from "./lists";

const course = (title: string, at: string, percent = 0) => ({ id: title, title, at, percent });
const courses = [
  course("Язык Rust", "2026-11-01T00:00:00Z", 40),
  course("Алгебра 10", "2026-11-03T00:00:00Z", 0),
  course("Алгебра 9", "2026-11-02T00:00:00Z", 90),
  course("Ёлочные игрушки", "2026-10-01T00:00:00Z", 40),
];
const titles = (words: string, sort: Parameters<typeof arranged>[2]) =>
  arranged(courses, words, sort, "ru").map(({ title }) => title);

describe("the order", () => {
  test("is by what happened last", () =>
    expect(titles("", "recent")).toEqual(["Алгебра 10", "Алгебра 9", "Язык Rust", "Ёлочные игрушки"]));
  test("is by title as people count", () =>
    expect(titles("", "title")).toEqual(["Алгебра 9", "Алгебра 10", "Ёлочные игрушки", "Язык Rust"]));
  test("is by progress, then by what happened last", () =>
    expect(titles("", "progress")).toEqual(["Алгебра 9", "Язык Rust", "Ёлочные игрушки", "Алгебра 10"]));
});

describe("searching", () => {
  test("wants every word, in any case and place", () =>
    expect(titles("9 АЛГ", "recent")).toEqual(["Алгебра 9"]));
  test("takes е for ё", () => expect(titles("елочн", "recent")).toEqual(["Ёлочные игрушки"]));
  test("finds nothing where nothing is", () => expect(titles("химия", "recent")).toEqual([]));
});

test("pages are of twenty, and a number beyond the end is the last", () => {
  const many = Array.from({ length: PER_PAGE + 1 }, (_, number) => number);
  expect(paged(many, 1).items).toHaveLength(PER_PAGE);
  expect(paged(many, 2)).toEqual({ pages: 2, shown: 2, items: [PER_PAGE] });
  expect(paged(many, 99).shown).toBe(2);
  expect(paged([], 3)).toEqual({ pages: 1, shown: 1, items: [] });
});

test("an order nobody knows is none", () => {
  expect(sortOf("title")).toBe("title");
  expect(sortOf("price")).toBeUndefined();
  expect(sortOf(1)).toBeUndefined();
});
