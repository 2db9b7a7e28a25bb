import type { ChangeImportance, PastAttempts, RemovedQuestions } from "../api/schema.generated";
import { diffQuiz } from "../editor/compare/diffQuiz";

/** How the author publishes changes. */
export interface Choice {
  importance: ChangeImportance;
  pastAttempts: PastAttempts;
  removedQuestions: RemovedQuestions;
}

/** Changes nothing that learners have: what is chosen until the author chooses something else. */
export const USUAL: Choice = { importance: "CORRECTION", pastAttempts: "KEEP", removedQuestions: "EXCLUDE" };

/** What has changed in the quizzes that are published. */
export interface QuizEffect {
  isChanged: boolean;
  /** Whether a question is no longer there. */
  isRemoved: boolean;
}

/** What has changed from one quiz to another, as far as it can concern results. */
export function quizEffect(before: unknown, after: unknown): QuizEffect {
  const { settings, questions } = diffQuiz(before, after);
  return {
    isChanged: settings.length > 0 || questions.some(({ kind }) => kind !== "same"),
    isRemoved: questions.some(({ kind }) => kind === "removed"),
  };
}

/** The effect of several quizzes together. */
export function allEffects(effects: readonly QuizEffect[]): QuizEffect {
  return {
    isChanged: effects.some(({ isChanged }) => isChanged),
    isRemoved: effects.some(({ isRemoved }) => isRemoved),
  };
}

/** The choice without answers to questions that are not asked. */
export function answered(choice: Choice, effect: QuizEffect, hasAttempts: boolean): Choice {
  const regrades = choice.pastAttempts === "REGRADE" && effect.isChanged && hasAttempts;
  return {
    importance: choice.importance,
    pastAttempts: regrades ? "REGRADE" : "KEEP",
    removedQuestions: regrades && effect.isRemoved ? choice.removedQuestions : "EXCLUDE",
  };
}
