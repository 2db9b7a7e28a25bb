import { describe, expect, test } from "vitest";
import { cellAt, moved, namesOf, parsePoints, type Row, shownDecimal } from "./grades";

const row = {
  enrollmentId: "e",
  cells: [
    { source: "automatic", percent: "80", points: "8" },
    { source: "excused", version: 1 },
  ],
  total: { source: "OVERRIDE", percent: "90.5", automatic: "80", label: "5", version: 2 },
} as unknown as Row;

describe("cellAt", () => {
  test("puts the grade of the course before the items", () => {
    expect(cellAt(row, 0)).toEqual({
      source: "override",
      percent: "90.5",
      points: "90.5",
      automatic: "80",
      version: 2,
    });
    expect(cellAt(row, 2).source).toBe("excused");
  });

  test("has an empty cell for an item that the row does not know yet", () => {
    expect(cellAt(row, 3)).toEqual({ source: "none" });
  });
});

test("pages with the same title are named with their lesson, and then by number", () => {
  const page = (pageId: string, title: string | null, lessonTitle: string) => ({
    pageId,
    title,
    lessonTitle,
  });
  const names = namesOf([
    page("a", "Тест", "Урок 1"),
    page("b", "Тест", "Урок 2"),
    page("c", "Тест", "Урок 2"),
    page("d", "Экзамен", "Урок 2"),
    page("e", null, "Урок 3"),
    page("f", null, "Урок 3"),
  ]);
  expect([...names]).toEqual([
    ["a", "Урок 1: Тест"],
    ["b", "Урок 2: Тест (1)"],
    ["c", "Урок 2: Тест (2)"],
    ["d", "Экзамен"],
    ["e", "Урок 3 (1)"],
    ["f", "Урок 3 (2)"],
  ]);
});

test.each([
  ["8", "8"],
  [" 8,5 ", "8.5"],
  ["0.25", "0.25"],
  ["", null],
  ["-1", null],
  ["8,555", null],
  ["1e3", null],
])("the typed points %j are read as %j", (typed, read) => {
  expect(parsePoints(typed)).toBe(read);
});

test("a decimal has a comma in Russian and a point in English", () => {
  expect([shownDecimal("87.5", "ru"), shownDecimal("87.5", "en")]).toEqual(["87,5", "87.5"]);
});

describe("moved", () => {
  const size = { rows: 3, columns: 4 };
  const at = { row: 1, column: 1 };
  test.each([
    ["ArrowDown", false, { row: 2, column: 1 }],
    ["ArrowUp", true, { row: 0, column: 1 }],
    ["End", false, { row: 1, column: 3 }],
    ["End", true, { row: 2, column: 3 }],
    ["Home", true, { row: 0, column: 0 }],
    ["PageDown", false, { row: 2, column: 1 }],
    ["PageUp", false, { row: 0, column: 1 }],
  ])("takes %s (with Control: %s) to %j", (key, isControl, to) => {
    expect(moved(at, { key, isControl }, size)).toEqual(to);
  });

  test("stays in the table", () => {
    expect(moved({ row: 2, column: 3 }, { key: "ArrowRight", isControl: false }, size)).toEqual({
      row: 2,
      column: 3,
    });
  });

  test("leaves other keys alone", () => {
    expect(moved(at, { key: "a", isControl: false }, size)).toBeNull();
  });
});
