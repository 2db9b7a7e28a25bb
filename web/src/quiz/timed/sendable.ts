import { fromGiven, isNumber, toInput } from "../answers";
import type { Answer, Attempt, Question } from "../model";
import type { GivenAnswers } from "./queue";

/** Whether the server can take an answer. A half typed number stays in its field: the server would refuse it. */
export function isSendableTo(question: Question | undefined, { number = "" }: Answer): boolean {
  return question?.__typename !== "NumericQuestion" || number.trim() === "" || isNumber(number);
}

/** How many of the lost answers do not count. A save without a response may have arrived, so the attempt is compared. */
export function countLost(lost: GivenAnswers, attempt: Attempt, questions: readonly Question[]): number {
  return questions.filter((question) => {
    const mine = lost[question.id];
    if (!mine) return false;
    const graded = attempt.answers.find(({ questionId }) => questionId === question.id);
    return textOf(question, mine.answer) !== textOf(question, graded && fromGiven(graded));
  }).length;
}

function textOf(question: Question, answer: Answer | undefined): string {
  return JSON.stringify(toInput([question], answer ? { [question.id]: answer } : {}));
}
