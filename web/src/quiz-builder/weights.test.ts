import { describe, expect, test } from "vitest";
import { said } from "../quiz/testing";
import { missingInQuestion } from "./completeness";
import { type Choice, type ChoiceQuestion, switchChoice } from "./model";
import { marked, scoringOf, weighed, withScoring, withScoringOf } from "./weights";

const option = (id: string, correct: boolean, weight?: number): Choice => ({
  id,
  content: said(id),
  correct,
  ...(weight !== undefined && { weight }),
});
const question = (options: Choice[], over: Partial<ChoiceQuestion> = {}): ChoiceQuestion => ({
  id: "q",
  type: "multiple_choice",
  prompt: said("?"),
  points: 1,
  explanation: null,
  options,
  ...over,
});
const weightsOf = ({ options }: Pick<ChoiceQuestion, "options">) => options.map(({ weight }) => weight);
const marksOf = (options: readonly Choice[]) =>
  options.map(({ correct, weight }) => `${correct ? "+" : "-"}${weight ?? ""}`);
const several = question([option("a", true), option("b", true), option("c", true), option("d", false)]);
const single = question([option("a", true), option("b", false)], { type: "single_choice" });

describe("the scoring of a choice question", () => {
  test("becomes weights, which the right options share equally", () => {
    const weighted = withScoring(several, "weights");
    expect(weightsOf(weighted)).toEqual([33.33333, 33.33333, 33.33333, 0]);
    expect(scoringOf(weighted)).toBe("weights");
    expect(weightsOf(withScoring(single, "weights"))).toEqual([100, 0]);
    expect(weightsOf(withScoring(question([option("a", false)]), "weights"))).toEqual([0]);
  });

  test("keeps the right marks without weights, and never has both weights and all or nothing", () => {
    const whole = withScoring(several, "whole");
    expect(scoringOf(whole)).toBe("whole");
    expect(withScoring(whole, "weights")).not.toHaveProperty("all_or_nothing");
    expect(withScoring(withScoring(whole, "weights"), "parts")).toEqual(several);
  });

  test("is dropped when the question becomes a single choice", () => {
    const weighted = question([option("a", false, -50), option("b", true, 40), option("c", true, 60)]);
    expect(marksOf(switchChoice(weighted).options)).toEqual(["-", "+", "-"]);
    expect(switchChoice(withScoring(several, "whole"))).not.toHaveProperty("all_or_nothing");
  });

  test("returns with what was written since", () => {
    const before = question([option("a", false, -50), option("b", true, 40), option("c", true, 60)]);
    const plain = switchChoice(before);
    const now = {
      ...plain,
      options: [...plain.options.slice(1), { ...option("d", true), content: said("D") }],
    };
    const restored = withScoringOf(now, before);
    expect(restored.type).toBe("multiple_choice");
    expect(marksOf(restored.options)).toEqual(["+40", "+60", "-0"]);
    expect(restored.options[2]?.content).toEqual(said("D"));
  });
});

describe("marks and weights of options", () => {
  const weighted = [option("a", true, 70), option("b", false, -20), option("c", false, 0)];

  test("agree: a newly right option gets what the others leave, a wrong one nothing", () => {
    const right = marked(weighted, "b", { correct: true, isSingle: false });
    expect(marksOf(right)).toEqual(["+70", "+30", "-0"]);
    expect(marksOf(marked(right, "a", { correct: false, isSingle: false }))).toEqual(["-0", "+30", "-0"]);
  });

  test("give an equal share to an option for which nothing is left", () => {
    const full = [option("a", true, 50), option("b", true, 50), option("c", false, 0)];
    expect(marked(full, "c", { correct: true, isSingle: false })[2]?.weight).toBe(33.33333);
    for (const weights of [
      [33.33333, 33.33333, 33.33333],
      [33.3, 33.3, 33.4],
    ]) {
      const rights = weights.map((weight, at) => option(String(at), true, weight));
      const options = marked([...rights, option("d", false, 0)], "d", { correct: true, isSingle: false });
      expect(options[3]?.weight).toBe(25);
    }
  });

  test("of a single choice are 100 for the right option alone", () => {
    const partial = [option("a", true, 100), option("b", false, 50), option("c", false, -10)];
    expect(marksOf(marked(partial, "b", { correct: true, isSingle: true }))).toEqual(["-0", "+100", "--10"]);
  });

  test("without weights are marks only", () => {
    expect(marksOf(marked(single.options, "b", { correct: true, isSingle: true }))).toEqual(["-", "+"]);
    expect(marksOf(marked(several.options, "d", { correct: true, isSingle: false }))).toEqual([
      "+",
      "+",
      "+",
      "+",
    ]);
  });

  test("follow a typed weight in a multiple choice only, and keep five decimal places of it", () => {
    expect(weighed(option("a", false, 0), 0.123456, false)).toMatchObject({ weight: 0.12346, correct: true });
    expect(weighed(option("a", true, 50), 0, false).correct).toBe(false);
    expect(weighed(option("a", true, 50), -5, false).correct).toBe(false);
    expect(weighed(option("a", false, 0), 50, true).correct).toBe(false);
  });
});

describe("weights that the server would refuse", () => {
  const lacking = (asked: ChoiceQuestion) => missingInQuestion(asked).map(([at, lack]) => `${at}: ${lack}`);

  test("have another sign than their marks in a multiple choice", () => {
    const asked = question([
      option("a", true, 100),
      option("b", true, 0),
      option("c", false, 5),
      option("d", false),
    ]);
    expect(lacking(asked)).toEqual(["options[1].weight: weightSign", "options[2].weight: weightSign"]);
    expect(lacking(withScoring(several, "weights"))).toEqual([]);
  });

  test("are not 100 for the right option of a single choice, or 100 for another", () => {
    const asked = question([option("a", true, 90), option("b", false, 100), option("c", false)], {
      type: "single_choice",
    });
    expect(lacking(asked)).toEqual(["options[0].weight: weightFull", "options[1].weight: weightFull"]);
    expect(lacking(withScoring(single, "weights"))).toEqual([]);
  });

  test("need none for the right option of a single choice", () => {
    const asked = question([option("a", true), option("b", false, 50)], { type: "single_choice" });
    expect(lacking(asked)).toEqual([]);
    expect(marksOf(withScoringOf(withScoring(asked, "parts"), asked).options)).toEqual(["+100", "-50"]);
  });
});
