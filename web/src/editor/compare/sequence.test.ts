import fc from "fast-check";
import { expect, test } from "vitest";
import { commonPairs } from "./sequence";

const elements = fc.array(fc.constantFrom("а", "б", "в", "г"), { maxLength: 30 });

test("returns increasing pairs of equal elements for any sequences and bound", () => {
  fc.assert(
    fc.property(elements, elements, fc.integer({ min: 0, max: 40 }), (a, b, most) => {
      let [lastA, lastB] = [-1, -1];
      for (const [i, j] of commonPairs(a, b, most)) {
        expect(i).toBeGreaterThan(lastA);
        expect(j).toBeGreaterThan(lastB);
        expect(a[i]).toBe(b[j]);
        [lastA, lastB] = [i, j];
      }
    }),
  );
});

test("finds as many pairs as a longest common subsequence has", () => {
  fc.assert(
    fc.property(elements, elements, (a, b) => {
      expect(commonPairs(a, b)).toHaveLength(longest(a, b));
      expect(commonPairs(b, a)).toHaveLength(longest(a, b));
    }),
  );
});

test("pairs every element of equal sequences", () => {
  fc.assert(
    fc.property(elements, (a) => {
      expect(commonPairs(a, a)).toEqual(a.map((_, at) => [at, at]));
    }),
  );
});

test("finds what long sequences share around many differences, in bounded time", () => {
  const shared = Array.from({ length: 20_000 }, (_, at) => `s${at}`);
  const mixed = (side: string) => shared.flatMap((element, at) => [element, `${side}${at}`]);
  const begun = performance.now();
  expect(commonPairs(mixed("a"), mixed("b"))).toHaveLength(shared.length);
  expect(commonPairs([...shared].reverse(), shared).length).toBeGreaterThan(0);
  expect(performance.now() - begun).toBeLessThan(3000);
});

function longest(a: readonly string[], b: readonly string[]): number {
  let above = Array<number>(b.length + 1).fill(0);
  for (const element of a) {
    const row = [0];
    for (const [j, other] of b.entries())
      row.push(element === other ? (above[j] ?? 0) + 1 : Math.max(row[j] ?? 0, above[j + 1] ?? 0));
    above = row;
  }
  return above.at(-1) ?? 0;
}
