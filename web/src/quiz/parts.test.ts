import { describe, expect, test } from "vitest";
import { moveItem } from "../ui/sorting/moveItem";
import { paired, unpaired } from "./fields/pairing";
import { shortText } from "./shortText";
import { said } from "./testing";
import { hiddenBecause, verdictOf } from "./verdict";

describe("matching sides", () => {
  test("assigns a right side to one left side only", () => {
    expect(paired({ l1: "r1" }, "l2", "r1")).toEqual({ l2: "r1" });
    expect(paired({ l1: "r1" }, "l1", "r2")).toEqual({ l1: "r2" });
    expect(unpaired({ l1: "r1", l2: "r2" }, "l1")).toEqual({ l2: "r2" });
  });
});

describe("moving in a list", () => {
  test.each([
    [0, 2, "bca"],
    [2, 0, "cab"],
    [1, 1, "abc"],
    [0, 3, "abc"],
    [3, 0, "abc"],
    [0, -1, "abc"],
  ])("from %i to %i", (from, to, list) => expect(moveItem([..."abc"], from, to).join("")).toBe(list));
});

describe("the text of a document", () => {
  test("is cut when it is long", () => {
    expect(shortText(said("Два  слова"))).toBe("Два слова");
    expect(shortText(said("абвгд"), 3)).toBe("аб…");
    expect(shortText(null)).toBe("");
  });
  test("shows blanks as gaps, and the alternative text of images", () => {
    const content = [
      { type: "text", text: "Небо " },
      { type: "blank", attrs: { blank_id: "b" } },
    ];
    expect(shortText({ type: "doc", content: [{ type: "paragraph", content }] })).toBe("Небо ___");
    expect(shortText({ type: "doc", content: [{ type: "image", attrs: { alt: "Схема" } }] })).toBe("Схема");
  });
});

describe("a result", () => {
  const result = {
    questionId: "q",
    maxPoints: 2,
    prompt: null,
    explanation: null,
    optionFeedback: [],
    correctAnswer: null,
    zones: [],
    rightPlaces: [],
    isWaiting: false,
    isReturned: false,
    comment: null,
    marks: [],
    pins: [],
  };
  test.each([
    [{ points: 2, correct: true }, "right"],
    [{ points: 1, correct: false }, "partly"],
    [{ points: 0, correct: false }, "wrong"],
    [{ points: null, correct: null }, null],
  ])("%j", (given, verdict) => expect(verdictOf({ ...result, ...given }, true)).toBe(verdict));
  test("distinguishes a missing answer from a wrong one", () => {
    expect(verdictOf({ ...result, points: 0, correct: false }, false)).toBe("unanswered");
  });
  test("has no verdict while it waits for a grader", () => {
    const given = { points: null, correct: null, isWaiting: true };
    expect(verdictOf({ ...result, ...given }, true)).toBeNull();
  });
  test("explains why right answers are hidden", () => {
    const failed = { passed: false };
    const passed = { passed: true };
    expect(hiddenBecause({ reveal: "NEVER" }, [passed])).toBe("never");
    expect(hiddenBecause({ reveal: "AFTER_PASS" }, [failed])).toBe("untilPassed");
    expect(hiddenBecause({ reveal: "AFTER_PASS" }, [failed, passed])).toBeNull();
    expect(hiddenBecause({ reveal: "AFTER_SUBMIT" }, [failed])).toBeNull();
  });
});
