import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Rubric } from "../quiz/rubric";
import {
  choicesOf,
  chosenSum,
  commented,
  isMarking,
  marksOf,
  mergedChoices,
  nextCriterion,
  toggled,
} from "./marks";
import { pinsInput } from "./pinInput";

const level = (id: string, points: number) => ({ id, name: id, description: "", points });
const rubric: Rubric = {
  criteria: [
    { id: "a", name: "A", description: "", maxPoints: 2, levels: [level("a2", 2), level("a0", 0)] },
    { id: "b", name: "B", description: "", maxPoints: 0.3, levels: [level("b3", 0.3), level("b1", 0.1)] },
  ],
};
const none = choicesOf(rubric, []);

describe("the choices of a grader", () => {
  test("follow the criteria, and levels that the rubric has not are none", () => {
    const marks = [
      { criterionId: "b", levelId: "b1", comment: "Почти" },
      { criterionId: "a", levelId: "gone", comment: null },
    ];
    expect(choicesOf(rubric, marks)).toEqual([
      { criterionId: "a", levelId: null, comment: "" },
      { criterionId: "b", levelId: "b1", comment: "Почти" },
    ]);
    expect(choicesOf(null, marks)).toEqual([]);
  });

  test("are complete with a level of each criterion, and add up", () => {
    const one = toggled(none, "a", "a2");
    expect(chosenSum(rubric, none)).toEqual({ count: 0, points: 0, isComplete: false });
    expect(chosenSum(rubric, one)).toEqual({ count: 1, points: 2, isComplete: false });
    expect(marksOf(one)).toBeNull();
    const both = commented(toggled(one, "b", "b1"), "b", " Почти ");
    expect(chosenSum(rubric, both)).toEqual({ count: 2, points: 2.1, isComplete: true });
    expect(marksOf(both)).toEqual([
      { criterionId: "a", levelId: "a2", comment: null },
      { criterionId: "b", levelId: "b1", comment: "Почти" },
    ]);
    expect(marksOf([])).toBeNull();
    expect(chosenSum(null, []).isComplete).toBe(false);
  });

  test("are taken back by choosing the same level again", () => {
    const one = toggled(none, "a", "a2");
    expect(isMarking(one)).toBe(true);
    expect(toggled(one, "a", "a2")).toEqual(none);
    expect(toggled(one, "a", "a0")[0]?.levelId).toBe("a0");
    expect(isMarking(none)).toBe(false);
    expect(isMarking(commented(none, "a", "?"))).toBe(true);
  });

  test("lead to the next criterion without a level, and to the end", () => {
    expect(nextCriterion(none, -1)).toBe(0);
    expect(nextCriterion(toggled(none, "a", "a2"), -1)).toBe(1);
    const both = toggled(toggled(none, "a", "a2"), "b", "b1");
    expect(nextCriterion(both, 0)).toBe(1);
    expect(nextCriterion(both, 1)).toBe(1);
  });

  test("never exceed the points of the rubric, in whatever order they are made", () => {
    const steps = fc.array(fc.constantFrom(["a", "a2"], ["a", "a0"], ["b", "b3"], ["b", "b1"]));
    fc.assert(
      fc.property(steps, (steps) => {
        const choices = steps.reduce((made, [id, of]) => toggled(made, id ?? "", of ?? ""), none);
        const { points, count, isComplete } = chosenSum(rubric, choices);
        expect(points).toBeLessThanOrEqual(2.3);
        expect(isComplete).toBe(count === 2);
        expect(marksOf(choices) !== null).toBe(isComplete);
      }),
    );
  });
});

describe("the comments on places to store", () => {
  const inText = (start: number, comment: string) => ({
    start,
    end: start + 3,
    fileId: null,
    x: null,
    y: null,
    comment,
  });
  const onPicture = (fileId: string, comment: string) => ({
    start: null,
    end: null,
    fileId,
    x: 12.5,
    y: 50,
    comment,
  });

  test("have one kind of place each, in the order of the answer, without empty ones", () => {
    const pins = [onPicture("f2", "в"), inText(7, "б"), onPicture("f1", " "), inText(0, " а ")];
    expect(pinsInput(pins, ["f1", "f2"])).toEqual([
      { start: 0, end: 3, comment: "а" },
      { start: 7, end: 10, comment: "б" },
      { fileId: "f2", x: 12.5, y: 50, comment: "в" },
    ]);
    expect(pinsInput([inText(0, "\n")], [])).toBeUndefined();
  });
});

test("taking back a cleared choice keeps what was chosen since", () => {
  const earlier = [
    { criterionId: "a", levelId: "a1", comment: "Было" },
    { criterionId: "b", levelId: "b1", comment: "" },
  ];
  const now = [
    { criterionId: "a", levelId: null, comment: " " },
    { criterionId: "b", levelId: "b2", comment: "Стало" },
  ];
  expect(mergedChoices(now, earlier)).toEqual([
    { criterionId: "a", levelId: "a1", comment: "Было" },
    { criterionId: "b", levelId: "b2", comment: "Стало" },
  ]);
});
