import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AuthorQuestion,
  type AuthorQuiz,
  type ChoiceQuestion,
  defaultQuiz,
  documentOf,
  KINDS,
  newQuestion,
} from "../../quiz-builder/model";
import { diffQuiz } from "./diffQuiz";

const option = (id: string, text: string, correct = false) => ({ id, content: documentOf(text), correct });
const choice = (id: string, changes: Partial<ChoiceQuestion> = {}): ChoiceQuestion => ({
  id,
  type: "single_choice",
  prompt: documentOf("Сколько будет 2 + 2?"),
  points: 1,
  explanation: null,
  options: [option("a", "Четыре", true), option("b", "Пять")],
  ...changes,
});
const quiz = (...questions: AuthorQuestion[]): AuthorQuiz => ({ ...defaultQuiz, questions });
const named = (before: AuthorQuiz, after: AuthorQuiz) =>
  diffQuiz(before, after).questions.map(({ id, kind, fields }) => [
    id,
    kind,
    ...(kind === "changed" ? fields.map(({ name, number }) => (number ? `${name} ${number}` : name)) : []),
  ]);

describe("the changes of two quizzes", () => {
  test("name each changed field with its values", () => {
    const after = choice("q", { points: 2, options: [option("a", "Четыре"), option("b", "Пять", true)] });
    expect(diffQuiz(quiz(choice("q")), quiz(after)).questions[0]?.fields).toMatchObject([
      { name: "points", before: { number: 1 }, after: { number: 2 } },
      { name: "optionIsRight", number: 1, before: { flag: true }, after: { flag: false } },
      { name: "optionIsRight", number: 2, before: { flag: false }, after: { flag: true } },
    ]);
  });

  test("match parts by their ids, whatever their place", () => {
    const options = [option("b", "Пять"), option("a", "Четыре", true)];
    expect(named(quiz(choice("q")), quiz(choice("q", { options })))).toEqual([
      ["q", "changed", "optionOrder"],
    ]);
    const more = [option("c", "Три"), option("a", "Четыре", true), option("b", "Пять")];
    expect(named(quiz(choice("q")), quiz(choice("q", { options: more })))).toEqual([
      ["q", "changed", "option 1"],
    ]);
  });

  test("say what was added, removed and moved", () => {
    const [one, two, three] = [choice("1"), choice("2"), choice("3")];
    expect(named(quiz(one, two), quiz(two, three))).toEqual([
      ["1", "removed"],
      ["2", "same"],
      ["3", "added"],
    ]);
    expect(diffQuiz(quiz(one, two, three), quiz(three, one, two)).questions).toMatchObject([
      { id: "3", isMoved: true, before: 3, after: 1 },
      { id: "1", isMoved: false },
      { id: "2", isMoved: false },
    ]);
  });

  test("include the settings, and fields that the app does not know", () => {
    const after = { ...quiz(), pass_percent: 80, time_limit_seconds: 600 };
    expect(diffQuiz(quiz(), after).settings).toEqual([
      {
        key: "settings.pass_percent ",
        name: "settings.pass_percent",
        before: { number: 70 },
        after: { number: 80 },
      },
      {
        key: "settings.time_limit_seconds ",
        name: "settings.time_limit_seconds",
        before: null,
        after: { number: 600 },
      },
    ]);
    const strange = { ...choice("q"), colour: "red" } as AuthorQuestion;
    expect(named(quiz(choice("q")), quiz(strange))).toEqual([["q", "changed", "other"]]);
  });

  test("are none where there is no quiz", () =>
    expect(diffQuiz(null, null)).toEqual({ settings: [], questions: [] }));
});

test("equal quizzes have no changes, and every question of both is named once, for questions of every type", () => {
  const quizzes = fc
    .subarray(["1", "2", "3", "4", "5"])
    .chain((ids) => fc.shuffledSubarray(ids, { minLength: ids.length }))
    .chain((ids) =>
      fc.tuple(...ids.map((id) => fc.constantFrom(...KINDS).map((kind) => ({ ...newQuestion(kind), id })))),
    )
    .map((questions) => quiz(...questions));
  fc.assert(
    fc.property(quizzes, quizzes, (before, after) => {
      const same = diffQuiz(before, structuredClone(before));
      expect(same.settings).toEqual([]);
      expect(same.questions.every(({ kind, isMoved }) => kind === "same" && !isMoved)).toBe(true);
      const { questions } = diffQuiz(before, after);
      const ids = [...before.questions, ...after.questions].map(({ id }) => id);
      expect(questions.map(({ id }) => id).sort()).toEqual([...new Set(ids)].sort());
      expect(questions.filter((one) => one.after !== null).map(({ id }) => id)).toEqual(
        after.questions.map(({ id }) => id),
      );
      const [there, back] = [questions, diffQuiz(after, before).questions];
      for (const kind of ["same", "changed"])
        expect(back.filter((one) => one.kind === kind)).toHaveLength(
          there.filter((one) => one.kind === kind).length,
        );
    }),
  );
});
