import { shortText } from "../quiz/shortText";
import type { AuthorQuestion } from "../quiz-builder/model";
import type { Bank_QuestionFragment } from "./Bank.generated";
import type { Banks_BankFragment } from "./Banks.generated";

export type BankSummary = Banks_BankFragment;
/** A question as the server has it. */
export type BankQuestion = Bank_QuestionFragment;

/** The most questions that one request adds, tags or deletes. */
const BATCH_MAX = 500;

/** The question in its author's form, which the server has checked. */
export const authorQuestion = ({ question }: Pick<BankQuestion, "question">): AuthorQuestion =>
  question as AuthorQuestion;

/** What a question asks, as a document. */
export function askedIn(question: AuthorQuestion): unknown {
  return question.type === "fill_blank" && shortText(question.prompt) === ""
    ? question.text
    : question.prompt;
}

/** The words of a question, for its row and its name; "" without any. */
export const wordsOf = (question: AuthorQuestion): string => shortText(askedIn(question), 160);

export function inBatches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH_MAX) }, (_, at) =>
    all.slice(at * BATCH_MAX, (at + 1) * BATCH_MAX),
  );
}

/** The names of the tags that the questions have, in the order of the alphabet. */
export const tagsIn = (questions: Iterable<Pick<BankQuestion, "tags">>, language: string): string[] =>
  [...new Set([...questions].flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b, language));
