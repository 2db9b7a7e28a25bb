import type { Choice, ChoiceQuestion } from "./model";

/** How the answer to a choice question is graded: in parts, only as a whole, or by the weights of the chosen options. */
export const SCORINGS = ["parts", "whole", "weights"] as const;
export type Scoring = (typeof SCORINGS)[number];

/** The weight of a whole right answer, in percent. */
export const FULL_WEIGHT = 100;

/** The largest weight of a wrong option of a single choice: only the right one is worth everything. */
export const MOST_PARTIAL = 99.99999;

/** A weight as the server stores it: at most five decimal places. */
const roundWeight = (weight: number): number => Math.round(weight * 100_000) / 100_000;

export const isWeighted = (options: readonly Choice[]): boolean =>
  options.some(({ weight }) => typeof weight === "number");

/** What choosing an option is worth in a question with weights. The right one of a single choice needs no weight of its own. */
export const weightOf = ({ weight, correct }: Choice, isSingle: boolean): number =>
  weight ?? (isSingle && correct ? FULL_WEIGHT : 0);

export function scoringOf({ options, all_or_nothing }: ChoiceQuestion): Scoring {
  if (isWeighted(options)) return "weights";
  return all_or_nothing ? "whole" : "parts";
}

/** The question with another scoring. Its right options stay; new weights share the whole equally among them. */
export function withScoring(question: ChoiceQuestion, scoring: Scoring): ChoiceQuestion {
  const { all_or_nothing: _, ...rest } = question;
  const rights = question.options.filter(({ correct }) => correct).length;
  const options = question.options.map(({ weight: _, ...option }) =>
    scoring === "weights"
      ? { ...option, weight: option.correct ? roundWeight(FULL_WEIGHT / rights) : 0 }
      : option,
  );
  return { ...rest, options, ...(scoring === "whole" && { all_or_nothing: true }) };
}

/**
 * The question with the type, the right options and the scoring that it had before. Texts stay as they are now; an option that has been added since is a wrong one.
 */
export function withScoringOf(question: ChoiceQuestion, before: ChoiceQuestion): ChoiceQuestion {
  const known = new Map(before.options.map((option) => [option.id, option]));
  const { all_or_nothing: _, ...rest } = question;
  const scoring = scoringOf(before);
  return {
    ...rest,
    type: before.type,
    ...(scoring === "whole" && { all_or_nothing: true }),
    options: question.options.map(({ weight: _, ...option }) => {
      const old = known.get(option.id);
      const correct = old?.correct ?? false;
      if (scoring !== "weights") return { ...option, correct };
      return { ...option, correct, weight: old ? weightOf(old, before.type === "single_choice") : 0 };
    }),
  };
}

/** Marks an option as right or wrong; its weight, where there are weights, agrees with that. */
export function marked(
  options: readonly Choice[],
  id: string,
  { correct, isSingle }: { correct: boolean; isSingle: boolean },
): Choice[] {
  const hasWeights = isWeighted(options);
  const put = (option: Choice, isRight: boolean, weight: number): Choice => ({
    ...option,
    correct: isRight,
    ...(hasWeights && { weight }),
  });
  const share = isSingle ? FULL_WEIGHT : shareOf(options.filter((option) => option.id !== id));
  return options.map((option) => {
    if (option.id === id) return put(option, correct, correct ? share : 0);
    return isSingle && option.correct ? put(option, false, 0) : option;
  });
}

/**
 * The weight of an option that is marked as right: the rest of 100 percent after the other weights, or an equal share if less than one percent
 * is left. Three weights of 33.33333, for example, leave 0.00001.
 */
function shareOf(others: readonly Choice[]): number {
  const left = others.reduce((rest, { weight }) => rest - Math.max(weight ?? 0, 0), FULL_WEIGHT);
  return roundWeight(left >= 1 ? left : FULL_WEIGHT / (others.filter(({ correct }) => correct).length + 1));
}

/** An option with another weight. In a multiple choice, a positive weight is what makes it right. */
export function weighed(option: Choice, given: number, isSingle: boolean): Choice {
  const weight = roundWeight(given);
  return { ...option, weight, correct: isSingle ? option.correct : weight > 0 };
}
