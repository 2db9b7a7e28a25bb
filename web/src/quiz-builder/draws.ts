import { newId } from "../ui/newId";
import { type AuthorQuestion, type AuthorQuiz, type DrawQuestion, questionCount } from "./model";

/** How many questions a draw can choose from now; null when that is unknown. */
export type CountOf = (draw: DrawQuestion) => number | null;

export const isDraw = (question: AuthorQuestion): question is DrawQuestion => question.type === "draw";

/** Whether each attempt draws questions. */
export const hasDraws = ({ questions }: AuthorQuiz): boolean => questions.some(isDraw);

interface Drawn extends Pick<DrawQuestion, "tags" | "count" | "points"> {
  bankId: string;
}

export function newDraw({ bankId, tags, count, points }: Drawn): DrawQuestion {
  return { id: newId(), type: "draw", prompt: null, explanation: null, points, bank_id: bankId, tags, count };
}

/** The points that an attempt can bring. */
export function totalPoints(questions: readonly AuthorQuestion[]): number {
  const pointsOf = (question: AuthorQuestion) =>
    Math.round(question.points * 10_000) * (isDraw(question) ? question.count : 1);
  return questions.reduce((total, question) => total + pointsOf(question), 0) / 10_000;
}

/** What distinguishes the questions that a draw can choose from: equal draws choose from the same ones. */
export function poolOf({ bank_id, tags }: Pick<DrawQuestion, "bank_id" | "tags">): string {
  return JSON.stringify([bank_id, tags.toSorted()]);
}

/** Whether the draws of one pool, taken together, need more questions than it has. An attempt has no question twice. */
export function isTooSmall(questions: readonly AuthorQuestion[], draw: DrawQuestion, countOf: CountOf) {
  const known = countOf(draw);
  if (known === null) return false;
  const pool = poolOf(draw);
  return questionCount(questions.filter((one) => isDraw(one) && poolOf(one) === pool)) > known;
}
