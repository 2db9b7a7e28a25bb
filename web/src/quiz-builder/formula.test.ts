import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { exampleOf, faultOf, gridOf, isParameterName, parse, resultOf } from "./formula";

interface Case {
  expression: string;
  values?: Record<string, string>;
  result?: number;
  error?: string;
  at?: number;
}

/** The cases of the server's tests. */
const cases = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../../core/formats/src/quiz/formula/cases.json"), "utf8"),
) as Record<"results" | "failures" | "unreadable", Case[]>;

const found = ({ expression, values = {} }: Case) => {
  const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
  return resultOf(parse(expression, Object.keys(values)).value, numbers);
};

test.each(cases.results)("$expression has the server's result", (one) => {
  expect(found(one)).toBeCloseTo(one.result ?? Number.NaN, 9);
});

test.each(cases.failures)("$expression has no result", (one) => {
  expect(found(one)).toBe(one.error);
});

test.each(cases.unreadable)("$expression cannot be read", ({ expression, error, at }) => {
  const fault = faultOf(expression, ["a", "b"]);
  expect([fault?.fault, fault?.at]).toEqual([error, at]);
});

test("deep nesting is refused", () => {
  for (const deep of ["(".repeat(400), "-".repeat(400), "2^".repeat(400)]) {
    expect(faultOf(deep, [])?.fault).toBe("complex");
  }
});

test("an example has values of the grids and the result for them", () => {
  const parameters = [
    { name: "a", min: 0.25, max: 0.49, decimals: 1 },
    { name: "b", min: 2, max: 4, decimals: 0 },
  ];
  expect(parameters.map(gridOf)).toEqual([
    [3, 4],
    [2, 4],
  ]);
  const values = [
    ["a", "0.3"],
    ["b", "2"],
  ];
  expect(exampleOf(parameters, "a * b", () => 0)).toEqual({ values, result: 0.6 });
  expect(exampleOf(parameters, "a / (b - 2)", () => 0)?.result).toBe("division");
  expect(exampleOf(parameters, "a +")).toBeNull();
  expect(exampleOf([{ name: "a", min: 0.1, max: 0.9, decimals: 0 }], "a")).toBeNull();
});

test("names of the language are no names of parameters", () => {
  expect(["a", "V_1", "toString"].every(isParameterName)).toBe(true);
  expect(["", "1a", "а", "pi", "sqrt", "a b", "a".repeat(33)].some(isParameterName)).toBe(false);
});
