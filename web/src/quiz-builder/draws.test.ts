import { describe, expect, test } from "vitest";
import { QUESTIONS_MAX } from "../limits.generated";
import { missingParts } from "./completeness";
import { isTooSmall, newDraw, totalPoints } from "./draws";
import {
  type AuthorQuestion,
  copyOf,
  type DrawQuestion,
  defaultQuiz,
  hasOpenQuestion,
  newQuestion,
  questionCount,
  withPasted,
} from "./model";

const draw = (over: Partial<DrawQuestion> = {}): DrawQuestion => ({
  ...newDraw({ bankId: "b", tags: ["easy"], count: 5, points: 0.5 }),
  ...over,
});
const fixed: AuthorQuestion = { ...newQuestion("numeric"), points: 2 };
const quizOf = (...questions: AuthorQuestion[]) => ({ ...defaultQuiz, questions });

describe("a draw", () => {
  test("counts as its questions, with the points of each", () => {
    expect(questionCount([fixed, draw()])).toBe(6);
    expect(totalPoints([fixed, draw(), draw({ count: 3, points: 0.1 })])).toBe(4.8);
  });

  test("fills the quiz like its questions", () => {
    const full = [...Array.from({ length: QUESTIONS_MAX - 6 }, () => newQuestion("numeric")), draw()];
    expect(questionCount(withPasted(full, [fixed, copyOf(fixed)], null))).toBe(QUESTIONS_MAX);
  });

  test("may bring open questions", () => {
    expect(hasOpenQuestion(quizOf(draw()))).toBe(true);
  });

  test("is copied with another id", () => {
    const original = draw();
    expect(copyOf(original)).toEqual({ ...original, id: expect.not.stringMatching(original.id) });
  });

  test("needs a bank and a number of questions, and neither a prompt nor an answer", () => {
    const lacks = (over: Partial<DrawQuestion>) => missingParts(quizOf(draw(over))).map(({ at }) => at);
    expect(lacks({})).toEqual([]);
    expect(lacks({ bank_id: "" })).toEqual(["bank_id"]);
    expect(lacks({ count: 0 })).toEqual(["count"]);
    expect(missingParts(quizOf(draw({ points: 0 })))).toEqual([{ question: null, at: "", lack: "points" }]);
  });
});

describe("a bank is too small", () => {
  const countOf = ({ bank_id }: DrawQuestion) => ({ b: 8, unknown: null })[bank_id] ?? null;

  test.each<[string, DrawQuestion[], boolean[]]>([
    ["one draw that fits", [draw({ count: 8 })], [false]],
    ["one draw of more questions", [draw({ count: 9 })], [true]],
    [
      "draws that fit alone and not together, whatever the order of their tags",
      [draw({ tags: ["easy", "new"] }), draw({ tags: ["new", "easy"] })],
      [true, true],
    ],
    ["draws by other tags, which may take other questions", [draw(), draw({ tags: [] })], [false, false]],
    ["a bank of unknown size", [draw({ bank_id: "unknown", count: 99 })], [false]],
  ])("%s", (_, draws, expected) => {
    expect(draws.map((one) => isTooSmall([fixed, ...draws], one, countOf))).toEqual(expected);
    const found = missingParts(quizOf(...draws), countOf).filter(({ lack }) => lack === "bankTooSmall");
    expect(found.map(({ question }) => question)).toEqual(
      expected.flatMap((isSmall, index) => (isSmall ? index : [])),
    );
  });
});
