import { expect, test } from "vitest";
import { attended } from "./attention";

const questions = [
  { id: "a", top: -300, bottom: -50 },
  { id: "b", top: -50, bottom: 300 },
  { id: "c", top: 300, bottom: 500 },
  { id: "d", top: 500, bottom: 900 },
  { id: "e", top: 900, bottom: 1200 },
];

test("the focus comes first, then the last use, then the middle of the window", () => {
  expect(attended(questions, ["d", "b"], 800)).toBe("d");
  expect(attended(questions, [null, "b"], 800)).toBe("b");
  expect(attended(questions, [null, null], 800)).toBe("c");
});

test("a question that was scrolled away has no attention", () => {
  expect(attended(questions, ["a", "e"], 800)).toBe("c");
  expect(attended(questions, ["a", "d"], 800)).toBe("d");
  expect(attended(questions.slice(0, 1), ["a"], 800)).toBeNull();
  expect(attended([], [null], 800)).toBeNull();
});
