import type { TFunction } from "i18next";
import { formatDuration } from "../i18n/formatDuration";
import type { QuizAnalysisQuery } from "./QuizAnalysis.generated";

export type Analysis = QuizAnalysisQuery["quizAnalysis"];
export type Question = Analysis["questions"][number];

export const COLUMNS = ["question", "facility", "discrimination", "efficiency", "medianSeconds"] as const;
export type Column = (typeof COLUMNS)[number];

export interface Order {
  column: Column;
  isDescending: boolean;
}

/** Returns the order after a press on a heading: the lowest figures come first, because these need attention. */
export function pressed(order: Order, column: Column): Order {
  return { column, isDescending: order.column === column && !order.isDescending };
}

/** Returns the questions in this order; those without the figure come last, and equal ones in the order of the quiz. */
export function sorted(questions: readonly Question[], { column, isDescending }: Order): Question[] {
  const figure = (question: Question) => (column === "question" ? question.number : question[column]);
  const compare = (one: Question, other: Question) => {
    const [a, b] = [figure(one), figure(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return isDescending ? b - a : a - b;
  };
  return [...questions].sort(compare);
}

/** The numbers of draws: the questions that attempts have drawn there share one. */
export function drawNumbers(questions: readonly Question[]): ReadonlySet<number> {
  const numbers = questions.map(({ number }) => number);
  return new Set(numbers.filter((number, index) => numbers.indexOf(number) !== index));
}

/** The number of attempts that the server has not read, because there are too many. */
export function unread({ tried, attempts, waiting, outdated }: Analysis): number {
  return tried - attempts - waiting - outdated;
}

/** Returns the whole percents where a bar of the histogram begins and ends; full marks are in the last one. */
export function rangeOf(bar: number): { from: number; to: number } {
  return { from: bar * 10, to: bar * 10 + (bar === 9 ? 10 : 9) };
}

/** A share of 0 to 1 in whole percent, and a dash without one. */
export function percent(share: number | null, t: TFunction): string {
  if (share === null) return t("analysis.undefined");
  return withMinus(t("analysis.percent", { value: Math.round(share * 100) || 0 }));
}

/** A number with at most two decimals, and a dash without one. */
export function decimal(value: number | null, t: TFunction): string {
  if (value === null) return t("analysis.undefined");
  // `|| 0` turns -0, to which a small negative number is rounded, into 0.
  return withMinus(t("analysis.number", { value: Math.round(value * 100) / 100 || 0 }));
}

/** A time in words, and a dash without one. */
export function duration(seconds: number | null, t: TFunction, language: string): string {
  return seconds === null ? t("analysis.undefined") : formatDuration(seconds, language);
}

/** The text with the minus sign of typography. */
const withMinus = (text: string) => text.replace("-", "−");

/** The name of a question: its prompt, or its number when it has only pictures. */
export function nameOf({ prompt, number }: Question, t: TFunction): string {
  return prompt || t("analysis.questions.named", { number });
}
