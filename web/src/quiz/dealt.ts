import { forgetJson, keepJson, keysWith, readJson } from "../ui/localJson";
import type { Part, Question } from "./model";

/** The order in which questions and their parts stood, by id: first the question, then its parts. */
type Order = string[][];

const PREFIX = "quiz-order:";
/** Limit on stored orders; those of the oldest attempts are deleted. */
const KEPT = 100;

/** Keeps the order in which an attempt was taken on this device: each attempt of a shuffled quiz has another one. */
export function keepOrder(attemptId: string, questions: readonly Question[]): void {
  const order: Order = questions.map((question) => [
    question.id,
    ...partsOf(question)
      .flat()
      .map(({ id }) => id),
  ]);
  // Without storage, the questions stand in the order of the next attempt.
  keepJson(PREFIX + attemptId, order);
  // The ids of attempts begin with their time.
  for (const key of keysWith(PREFIX).toSorted().slice(0, -KEPT)) forgetJson(key);
}

/** The questions in the order in which an attempt was taken, as far as this device knows it. */
export function inOrderOf(attemptId: string, questions: readonly Question[]): readonly Question[] {
  const order = orderOf(attemptId);
  if (!order) return questions;
  const places = new Map(order.flat().map((id, at) => [id, at]));
  const sorted = <T extends { id: string }>(list: readonly T[]) =>
    list.toSorted((a, b) => (places.get(a.id) ?? places.size) - (places.get(b.id) ?? places.size));
  return sorted(questions).map((question) => {
    switch (question.__typename) {
      case "SingleChoiceQuestion":
      case "MultipleChoiceQuestion":
        return { ...question, options: sorted(question.options) };
      case "MatchingQuestion":
        return { ...question, left: sorted(question.left), right: sorted(question.right) };
      default:
        return question;
    }
  });
}

function partsOf(question: Question): (readonly Part[])[] {
  switch (question.__typename) {
    case "SingleChoiceQuestion":
    case "MultipleChoiceQuestion":
      return [question.options];
    case "MatchingQuestion":
      return [question.left, question.right];
    default:
      return [];
  }
}

function orderOf(attemptId: string): Order | null {
  const stored = readJson(PREFIX + attemptId);
  return Array.isArray(stored) ? (stored as Order) : null;
}
