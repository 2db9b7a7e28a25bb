import type { AttemptShownFragment, QuizStateFragment } from "./QuizState.generated";

export type QuizPageState = QuizStateFragment;
export type Quiz = NonNullable<QuizStateFragment["quiz"]>;
export type Question = Quiz["questions"][number];
export type Attempt = AttemptShownFragment;
export type GivenAnswer = Attempt["answers"][number];
export type Result = Attempt["results"][number];

export type QuestionKind = Question["__typename"];
export type QuestionOf<K extends QuestionKind> = Extract<Question, { __typename: K }>;

/** Something with an id to answer by. */
export interface Part {
  id: string;
  content: unknown;
}

/** What a blank was filled with. */
export type Filling = { text: string } | { optionId: string };

/** An answer while it is worked on, by the question's kind. */
export interface AnswerOf {
  SingleChoiceQuestion: { optionIds: string[] };
  MultipleChoiceQuestion: { optionIds: string[] };
  ShortTextQuestion: { text: string };
  NumericQuestion: { number: string };
  /** Right sides by the ids of left ones. */
  MatchingQuestion: { pairs: Record<string, string> };
  OrderingQuestion: { order: string[] };
  /** By the blanks' ids. */
  FillBlankQuestion: { blanks: Record<string, Filling> };
}

export type Answer = Partial<
  { optionIds: string[]; text: string; number: string; order: string[] } & {
    pairs: Record<string, string>;
    blanks: Record<string, Filling>;
  }
>;

/** By the questions' ids; a question that is not there is not answered. */
export type Answers = Readonly<Record<string, Answer>>;

/** Characters a learner may write into one field; the server's bound. */
export const MAX_TEXT = 1000;
