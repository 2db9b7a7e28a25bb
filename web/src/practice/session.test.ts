import { describe, expect, test } from "vitest";
import { advanced, begun, type Card, DAILY, hasTyped, type Session, stageOf, tally } from "./session";

const cards = ["a", "b", "c", "d", "e", "f", "g"].map((id) => ({ id }) as Card);
const result = (correct: boolean) => ({ answer: {}, result: { correct }, dueAt: "" }) as never;

/** A session after so many cards, each of which took `time` milliseconds. */
function sessionAfter(count: number, time: number): Session {
  let session = begun(cards);
  for (let n = 0; n < count; n++) session = advanced(session, cards[n]?.id ?? "", time);
  return session;
}

describe("a session of practice", () => {
  test("asks all questions, and ends", () => {
    expect(stageOf(sessionAfter(0, 0))).toBe("question");
    expect(stageOf(sessionAfter(6, 1000))).toBe("question");
    expect(stageOf(sessionAfter(7, 1000))).toBe("end");
    expect(stageOf(begun([]))).toBe("end");
  });

  test("makes a break after the daily time, once", () => {
    const session = sessionAfter(4, DAILY / 4);
    expect(stageOf(session)).toBe("break");
    expect(stageOf(advanced({ ...session, goesOn: true }, "e", DAILY))).toBe("question");
  });

  test("does not count the time of a user who is away", () => {
    expect(stageOf(sessionAfter(3, 60 * 60_000))).toBe("question");
    expect(sessionAfter(1, -5).spent).toBe(0);
  });

  test("ends instead of making a break when no question is left", () => {
    expect(stageOf(sessionAfter(7, DAILY))).toBe("end");
  });

  test("leaves a card once", () => {
    const session = advanced(sessionAfter(1, 1000), "a", 1000);
    expect([session.at, session.spent]).toEqual([1, 1000]);
  });

  test("counts answers, and right ones", () => {
    const session = { ...begun(cards), practised: { a: result(true), b: result(false), c: result(true) } };
    expect(tally(session)).toEqual({ done: 3, right: 2 });
    expect(tally(begun(cards))).toEqual({ done: 0, right: 0 });
  });
});

test("typed text is what would be lost, a choice is not", () => {
  expect(hasTyped(undefined)).toBe(false);
  expect(hasTyped({ optionIds: ["1"], text: " " })).toBe(false);
  expect(hasTyped({ text: "x" })).toBe(true);
  expect(hasTyped({ number: "1" })).toBe(true);
  expect(hasTyped({ blanks: { b: { optionId: "1" } } })).toBe(false);
  expect(hasTyped({ blanks: { b: { text: "x" } } })).toBe(true);
});
