import { describe, expect, test } from "vitest";
import { said } from "../quiz/testing";
import { type AuthorQuestion, type BlanksQuestion, type ChoiceQuestion, newQuestion } from "./model";
import { newCriterion } from "./rubric";
import { asksTheSame, takenFrom, updatedFrom } from "./source";

const choice: ChoiceQuestion = {
  id: "q",
  type: "single_choice",
  prompt: said("2 + 2"),
  points: 1,
  explanation: null,
  options: [
    { id: "a", content: said("4"), correct: true },
    { id: "b", content: said("5"), correct: false, feedback: said("Нет") },
  ],
};
const blanks = (id: string): BlanksQuestion => ({
  id,
  type: "fill_blank",
  prompt: said(""),
  points: 1,
  explanation: null,
  text: {
    type: "doc",
    content: [{ type: "paragraph", content: [{ type: "blank", attrs: { blank_id: id } }] }],
  },
  blanks: [{ id, accepted: ["да"] }],
});
const versionOf = (question: AuthorQuestion, version = 3) => ({ questionId: "bank", version, question });

describe("a question that is taken from a bank", () => {
  test("is a copy with ids of its own, and says where it comes from", () => {
    const taken = takenFrom(versionOf(choice)) as ChoiceQuestion;
    expect(taken.source).toEqual({ question_id: "bank", version: 3 });
    expect(taken.id).not.toBe("q");
    expect(taken.options.map(({ id }) => id)).not.toContain("a");
    expect(asksTheSame(taken, choice)).toBe(true);
  });

  test("keeps its id and its points when it is updated", () => {
    const old: AuthorQuestion = { ...takenFrom(versionOf(choice)), points: 4 };
    const updated = updatedFrom(old, versionOf({ ...choice, prompt: said("2 × 2") }, 5));
    expect(updated).toMatchObject({ id: old.id, points: 4, source: { version: 5 }, prompt: said("2 × 2") });
  });

  test("takes the points of a rubric, which belong to it", () => {
    const rubric = { is_shown: false, criteria: [newCriterion(6, ["", "", ""])] };
    const essay = { ...newQuestion("essay"), points: 6, rubric } as AuthorQuestion;
    const old: AuthorQuestion = { ...takenFrom(versionOf(newQuestion("essay"))), points: 4 };
    expect(updatedFrom(old, versionOf(essay)).points).toBe(6);
  });
});

describe("two questions ask the same", () => {
  test("whatever their ids, points and sources, and with fields in another order or empty lists", () => {
    const { type, prompt, ...rest } = choice;
    const { explanation: _, ...other } = { ...rest, prompt, type };
    expect(asksTheSame({ ...choice, points: 7 }, other as AuthorQuestion)).toBe(true);
    expect(asksTheSame(choice, { ...choice, hints: [] })).toBe(true);
    expect(asksTheSame(blanks("one"), blanks("other"))).toBe(true);
  });

  test.each<[string, AuthorQuestion]>([
    ["the prompt", { ...choice, prompt: said("2 + 3") }],
    [
      "the right option",
      { ...choice, options: choice.options.map((one) => ({ ...one, correct: !one.correct })) },
    ],
    ["the order of the options", { ...choice, options: choice.options.toReversed() }],
    ["feedback", { ...choice, options: choice.options.map(({ feedback: _, ...one }) => one) }],
    ["the type", { ...choice, type: "multiple_choice" }],
    ["a hint", { ...choice, hints: [said("!")] }],
    ["an explanation", { ...choice, explanation: said("!") }],
  ])("not with another value of %s", (_, other) => {
    expect(asksTheSame(choice, other)).toBe(false);
  });
});
