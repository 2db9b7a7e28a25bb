import { describe, expect, test } from "vitest";
import { changesSince, keptAnswers, printsOf } from "./changes";
import { all, questions, said } from "./testing";

describe("what an author's change means to who is in the middle of a quiz", () => {
  const before = printsOf(all);

  test("nothing, when only the order of things is another", () => {
    const { matching, ordering } = questions;
    const shuffled = all
      .toReversed()
      .map((one) =>
        one === ordering
          ? { ...ordering, items: ordering.items.toReversed() }
          : one === matching
            ? { ...matching, right: matching.right.toReversed() }
            : one,
      );
    expect(changesSince(before, shuffled)).toBeNull();
  });

  test("names what is changed and new, and counts what is gone", () => {
    const changed = all
      .filter((one) => one.id !== "q1")
      .map((one) => (one.id === "q3" ? { ...one, prompt: said("??") } : one));
    const added = { ...questions.number, id: "q8" };
    expect(changesSince(before, [...changed, added])).toEqual({ changed: ["q3"], added: ["q8"], removed: 1 });
  });

  test("keeps the answers to what is still there", () => {
    const answers = { q1: { optionIds: ["a"] }, q3: { text: "x" }, gone: { text: "y" } };
    expect(keptAnswers(all.slice(1), answers)).toEqual({ q3: { text: "x" } });
  });
});
