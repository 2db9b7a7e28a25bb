import { describe, expect, test } from "vitest";
import { changesSince, keptAnswers, printsOf } from "./changes";
import { all, questions, said } from "./testing";

describe("an author's change during an attempt", () => {
  const before = printsOf(all);

  test("is not reported when only the order of parts differs", () => {
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

  test("lists changed and new questions, and counts removed ones", () => {
    const changed = all
      .filter((one) => one.id !== "q1")
      .map((one) => (one.id === "q3" ? { ...one, prompt: said("??") } : one));
    const added = { ...questions.number, id: "q0" };
    expect(changesSince(before, [...changed, added])).toEqual({ changed: ["q3"], added: ["q0"], removed: 1 });
  });

  test("is not reported for hints, nor for fields that say nothing yet", () => {
    const { hints: _, allOrNothing: __, ...older } = questions.multiple;
    const kept = printsOf([older as never]);
    expect(changesSince(kept, [{ ...questions.multiple, hints: [said("!")] }])).toBeNull();
    expect(changesSince(kept, [{ ...questions.multiple, allOrNothing: true }])?.changed).toEqual(["q2"]);
    const { units: ___, ...number } = questions.number;
    const plain = printsOf([number as never]);
    expect(changesSince(plain, [questions.number])).toBeNull();
    expect(changesSince(plain, [{ ...questions.number, units: ["м"] }])?.changed).toEqual(["q4"]);
  });

  test("keeps the answers to remaining questions", () => {
    const answers = { q1: { optionIds: ["a"] }, q3: { text: "x" }, gone: { text: "y" } };
    expect(keptAnswers(all.slice(1), answers)).toEqual({ q3: { text: "x" } });
  });
});
