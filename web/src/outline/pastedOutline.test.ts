import { describe, expect, test } from "vitest";
import { type PlannedItem, readOutline } from "./pastedOutline";

const shown = (items: PlannedItem[] | null, indent = ""): string[] =>
  (items ?? []).flatMap(({ kind, title, children }) => [
    `${indent}${kind} ${title}`,
    ...shown(children, `${indent}  `),
  ]);
const COURSE = [
  "module Начало",
  "  lesson Установка",
  "    page Windows",
  "  lesson Привет",
  "module Основы",
];

describe("a pasted outline", () => {
  test.each([
    ["tabs", "Начало\n\tУстановка\n\t\tWindows\n\tПривет\nОсновы"],
    ["spaces and empty lines", "Начало\r\n  Установка\r\n    Windows\r\n\r\n  Привет\r\nОсновы\r\n"],
    ["bullets", "- Начало\n  - Установка\n    * Windows\n  - Привет\n- Основы"],
    ["Markdown headings", "# Начало\n## Установка\n### Windows\n## Привет\n# Основы"],
    ["numbers of several parts", "1. Начало\n1.1. Установка\n1.1.1 Windows\n1.2. Привет\n2. Основы"],
    ["indented numbers", "1. Начало\n   1. Установка\n      1. Windows\n   2. Привет\n2. Основы"],
  ])("takes its levels from %s", (_, pasted) => {
    expect(shown(readOutline(pasted, "module"))).toEqual(COURSE);
  });

  test("begins with the kind of the field, and puts everything below a lesson on pages", () => {
    expect(shown(readOutline("Установка\n  Windows\n    Версия 11\n  Linux", "lesson"))).toEqual([
      "lesson Установка",
      "  page Windows",
      "  page Версия 11",
      "  page Linux",
    ]);
    expect(shown(readOutline("Итог\n  Экзамен", "quiz"))).toEqual(["quiz Итог", "quiz Экзамен"]);
  });

  test("keeps numbers that are part of a title", () => {
    expect(shown(readOutline("1917 год\n1945 год", "page"))).toEqual(["page 1917 год", "page 1945 год"]);
  });

  test("is more than one line", () => expect(readOutline("  Начало \n\n", "module")).toBeNull());
});
