import { describe, expect, it } from "vitest";
import { newQuestion } from "../quiz-builder/model";
import { quizChanges } from "./quizChanges";

const [first, second, third] = [newQuestion("numeric"), newQuestion("essay"), newQuestion("numeric")];
const quiz = (...questions: object[]) => ({ pass_percent: 60, questions });
const same = { edited: 0, added: 0, removed: 0, order: false, settings: false };

describe("the changes of a quiz", () => {
  it("are none between equal quizzes and between content pages", () => {
    expect(quizChanges(quiz(first, second), quiz(first, second))).toBeNull();
    expect(quizChanges(null, null)).toBeNull();
  });

  it("count questions that were edited, added and deleted", () => {
    const edited = { ...first, points: 7 };
    expect(quizChanges(quiz(first, second), quiz(edited, third))).toEqual({
      ...same,
      edited: 1,
      added: 1,
      removed: 1,
    });
  });

  it("tell a new order from questions that only moved up because others were deleted", () => {
    expect(quizChanges(quiz(first, second), quiz(second, first))).toEqual({ ...same, order: true });
    expect(quizChanges(quiz(first, second), quiz(second))).toEqual({ ...same, removed: 1 });
  });

  it("include settings", () => {
    expect(quizChanges(quiz(first), { ...quiz(first), pass_percent: 90 })).toEqual({
      ...same,
      settings: true,
    });
  });
});
