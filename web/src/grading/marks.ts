import type { MarkInput } from "../api/schema.generated";
import { type Rubric, sumOf } from "../quiz/rubric";

/** What a grader says of one criterion. */
export interface Choice {
  criterionId: string;
  /** Null before a level is chosen. */
  levelId: string | null;
  comment: string;
}

/** A stored mark, or a choice that was kept. */
interface Given {
  criterionId: string;
  levelId: string | null;
  comment: string | null;
}

/** The choices of an assessment, one for each criterion in their order; empty without a rubric. */
export function choicesOf(rubric: Rubric | null, given: readonly Given[]): Choice[] {
  return (rubric?.criteria ?? []).map(({ id, levels }) => {
    const mark = given.find(({ criterionId }) => criterionId === id);
    const level = levels.find((one) => one.id === mark?.levelId);
    return { criterionId: id, levelId: level?.id ?? null, comment: mark?.comment ?? "" };
  });
}

/** Chooses a level, or takes back the choice of that level. */
export function toggled(choices: readonly Choice[], criterionId: string, levelId: string): Choice[] {
  return choices.map((one) =>
    one.criterionId === criterionId ? { ...one, levelId: one.levelId === levelId ? null : levelId } : one,
  );
}

/** Sets the comment on a criterion. */
export function commented(choices: readonly Choice[], criterionId: string, comment: string): Choice[] {
  return choices.map((one) => (one.criterionId === criterionId ? { ...one, comment } : one));
}

/** The choices with those of earlier ones that they do not have. */
export function mergedChoices(choices: readonly Choice[], earlier: readonly Choice[]): Choice[] {
  return choices.map((one) => {
    const before = earlier.find(({ criterionId }) => criterionId === one.criterionId);
    return {
      ...one,
      levelId: one.levelId ?? before?.levelId ?? null,
      comment: one.comment.trim() === "" ? (before?.comment ?? "") : one.comment,
    };
  });
}

/** The chosen level of each criterion that has one. */
function chosenLevels(rubric: Rubric, choices: readonly Choice[]) {
  return rubric.criteria.flatMap(({ id, levels }) => {
    const chosen = choices.find(({ criterionId }) => criterionId === id)?.levelId;
    return levels.find((level) => level.id === chosen) ?? [];
  });
}

/** The points of the chosen levels, and how many criteria have one. */
export function chosenSum(
  rubric: Rubric | null,
  choices: readonly Choice[],
): { count: number; points: number; isComplete: boolean } {
  const levels = rubric ? chosenLevels(rubric, choices) : [];
  return {
    count: levels.length,
    points: sumOf(levels.map(({ points }) => points)),
    isComplete: levels.length > 0 && levels.length === rubric?.criteria.length,
  };
}

/** Whether the grader has chosen or written anything. */
export const isMarking = (choices: readonly Choice[]): boolean =>
  choices.some(({ levelId, comment }) => levelId !== null || comment.trim() !== "");

/** The marks to store; null unless each criterion has its level. */
export function marksOf(choices: readonly Choice[]): MarkInput[] | null {
  const marks = choices.flatMap(({ criterionId, levelId, comment }) =>
    levelId === null ? [] : [{ criterionId, levelId, comment: comment.trim() || null }],
  );
  return marks.length > 0 && marks.length === choices.length ? marks : null;
}

/** The index of the first criterion without a level after `from`, else that of the next one, and the last one stays. */
export function nextCriterion(choices: readonly Choice[], from: number): number {
  const open = choices.findIndex(({ levelId }, index) => index > from && levelId === null);
  return open >= 0 ? open : Math.min(from + 1, choices.length - 1);
}
