import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeQuizzes, quizChoices, resolvedQuiz } from "./mergeQuizzes";

interface Quiz {
  pass_percent: number;
  questions: { id: string; prompt: string }[];
}

/** A quiz by letters, each the id of a question; a digit behind it stands for another prompt. */
const quiz = (text: string, pass_percent = 70): Quiz => ({
  pass_percent,
  questions: (text.match(/\p{L}\d?/gu) ?? []).map((question) => ({
    id: question.slice(0, 1),
    prompt: question.slice(1),
  })),
});
const shown = (merged: unknown) =>
  (merged as Quiz).questions.map(({ id, prompt }) => id + prompt).join("") +
  ((merged as Quiz).pass_percent === 70 ? "" : ` ${(merged as Quiz).pass_percent}`);
const merge = (base: Quiz, mine: Quiz, theirs: Quiz) => {
  const merged = mergeQuizzes(base, mine, theirs);
  const sides = [false, true].map((isTheirs) => shown(resolvedQuiz(merged, () => isTheirs)));
  return quizChoices(merged) === 0 ? sides[0] : `${sides[0]}|${sides[1]}`;
};

describe("merging quizzes", () => {
  test.each([
    ["changes of different questions are both taken", "абв", "а1бв", "абв2", "а1бв2"],
    [
      "a question that both changed is left to choose, the others are not",
      "абв",
      "а1б2в",
      "аб3в4",
      "а1б2в4|а1б3в4",
    ],
    ["a question that one changed and the other removed is left to choose", "абв", "аб1в", "ав", "аб1в|ав"],
    ["a question that one removed and nobody changed is gone", "абв", "ав", "абв1", "ав1"],
    ["questions that both added are kept, each behind the one before it", "аб", "агб", "абд", "агбд"],
    ["questions that one moved stand where they were moved", "абв", "вба", "абв1", "в1ба"],
    ["of two orders, theirs stays", "абв", "вба", "бав", "бав"],
    ["the same change is taken once", "аб", "а1б", "а1б", "а1б"],
  ])("%s", (_, base, mine, theirs, merged) => {
    expect(merge(quiz(base), quiz(mine), quiz(theirs))).toBe(merged);
  });

  test("settings that only one changed are taken, and a setting that both changed is left to choose", () => {
    expect(merge(quiz("а"), quiz("а", 50), quiz("а1"))).toBe("а1 50");
    expect(merge(quiz("а"), quiz("а", 50), quiz("а", 90))).toBe("а 50|а 90");
  });

  test("fields in another order are not a change", () => {
    const [question] = quiz("а").questions;
    const other = { questions: [{ prompt: question?.prompt, id: question?.id }], pass_percent: 70 };
    expect(quizChoices(mergeQuizzes(quiz("а"), other, quiz("а1")))).toBe(0);
  });

  test("what is not a quiz with ids is chosen as a whole", () => {
    const twice = quiz("аа");
    const merged = mergeQuizzes(quiz("а"), twice, quiz("а1"));
    expect([merged.kind, quizChoices(merged)]).toEqual(["whole", 1]);
    expect(resolvedQuiz(merged, () => false)).toBe(twice);
    expect(resolvedQuiz(mergeQuizzes(null, null, null), () => false)).toBeNull();
  });

  const questions = fc
    .uniqueArray(fc.constantFrom("а", "б", "в", "г", "д"), { maxLength: 5 })
    .chain((ids) => fc.tuple(fc.constant(ids), fc.array(fc.nat(2), { minLength: 5, maxLength: 5 })))
    .map(([ids, prompts]) => quiz(ids.map((id, at) => `${id}${prompts[at]}`).join("")));

  test("a quiz that only one side changed is taken whole", () => {
    fc.assert(
      fc.property(questions, questions, (base, changed) => {
        for (const [mine, theirs] of [
          [changed, base],
          [base, changed],
          [changed, changed],
        ] as const)
          expect(merge(base, mine, theirs)).toBe(shown(changed));
      }),
    );
  });

  test("no question is lost or doubled, whatever is chosen", () => {
    fc.assert(
      fc.property(questions, questions, questions, fc.boolean(), (base, mine, theirs, isTheirs) => {
        const merged = resolvedQuiz(mergeQuizzes(base, mine, theirs), () => isTheirs) as Quiz;
        const ids = merged.questions.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const has = (of: Quiz, id: string) => of.questions.some((question) => question.id === id);
        for (const { id } of [...mine.questions, ...theirs.questions])
          if (!has(base, id) || (has(mine, id) && has(theirs, id))) expect(ids).toContain(id);
      }),
    );
  });
});
