import { describe, expect, test } from "vitest";
import { codeOfSearch, formatShareCode, shareCodeProblem } from "./shareCode";

describe("typing a share code", () => {
  test.each([
    ["", ""],
    ["7k3m", "7K3M"],
    ["7k3m9", "7K3M-9"],
    ["7k3m-9qxw", "7K3M-9QXW"],
    [" 7k3m 9qxw ", "7K3M-9QXW"],
    ["7K3M—9QXW", "7K3M-9QXW"],
    ["7K3M-9QXW-and more", "7K3M-9QXW"],
  ])("%j becomes %j", (typed, shown) => expect(formatShareCode(typed)).toBe(shown));

  test("does not change a formatted code", () => {
    const once = formatShareCode("il0o-abcd");
    expect(formatShareCode(once)).toBe(once);
  });
});

describe("problems of a share code", () => {
  test.each([
    ["", "required"],
    [" - ", "required"],
    ["7K3M", "length"],
    ["7K3M-9QXW1", "length"],
    ["7К3М-9QXW", "characters"],
    ["7K3M-9QX!", "characters"],
    ["7k3m 9qxw", null],
    ["ILOO-7K3M", null],
  ])("%j: %j", (typed, problem) => expect(shareCodeProblem(typed)).toBe(problem));
});

test("a code of digits in the address is read as text", () => {
  expect(codeOfSearch({ code: "7K3M-9QXW", other: 1 })).toEqual({ code: "7K3M-9QXW" });
  expect(codeOfSearch({ code: 12345678 })).toEqual({ code: "12345678" });
  expect(codeOfSearch({ code: ["7K3M"] })).toEqual({});
  expect(codeOfSearch({ code: Number.POSITIVE_INFINITY })).toEqual({});
  expect(codeOfSearch({})).toEqual({});
});
