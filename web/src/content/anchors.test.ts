import { describe, expect, it } from "vitest";
import { Anchors } from "./anchors";

describe("a heading's anchor", () => {
  it.each([
    ["Стек и куча", "стек-и-куча"],
    ["Hello, Cargo!", "hello-cargo"],
    ["snake_case и kebab-case", "snake_case-и-kebab-case"],
    ["Что такое «владение»?", "что-такое-владение"],
    ["A  B", "a--b"],
    ["Tab\there", "tab-here"],
    ["`match` x 2", "match-x-2"],
    ["Ёлка №5", "ёлка-5"],
    ["!?", null],
  ])("%s → %s", (text, anchor) => {
    expect(new Anchors().next(text)).toBe(anchor);
  });

  it("is numbered when it repeats", () => {
    const anchors = new Anchors();
    const given = ["Итоги", "Другое", "итоги!", "!", "Итоги"].map((text) => anchors.next(text));
    expect(given).toEqual(["итоги", "другое", "итоги-1", null, "итоги-2"]);
  });
});
