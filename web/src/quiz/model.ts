import type { HandedInAnswerFragment } from "../assignment/Assignment.generated";
import type { AnswerFile } from "./files";
import type { Point } from "./hotspot/zones";
import type { AttemptRunningFragment, AttemptShownFragment, QuizStateFragment } from "./QuizState.generated";

export type QuizPageState = QuizStateFragment;
export type Quiz = NonNullable<QuizStateFragment["quiz"]>;
export type Question = Quiz["questions"][number];
export type Attempt = AttemptShownFragment;
/** The screen of a running attempt. */
export type RunningAttempt = AttemptRunningFragment;
export type GivenAnswer = Attempt["answers"][number] | HandedInAnswerFragment;
export type Result = Attempt["results"][number];
export type RightAnswer = NonNullable<Result["correctAnswer"]>;

export type QuestionKind = Question["__typename"];
export type QuestionOf<K extends QuestionKind> = Extract<Question, { __typename: K }>;

/** An option, pair side or item that answers refer to by id. */
export interface Part {
  id: string;
  content: unknown;
}

/** The answer to one blank. */
export type Filling = { text: string } | { optionId: string };

export type Answer = Partial<
  { optionIds: string[]; text: string; number: string; order: string[] } & {
    /** That of the number, where there are units. */
    unit: string;
    pairs: Record<string, string>;
    blanks: Record<string, Filling>;
    /** The document of an essay, or the text of an assignment. */
    content: unknown;
    /** The uploaded files. */
    files: AnswerFile[];
    /** The addresses of an assignment. */
    links: string[];
    /** The marked places of a picture. */
    places: Point[];
  }
>;

/** Answers by question id; unanswered questions are missing. */
export type Answers = Readonly<Record<string, Answer>>;

/** The server's limit on characters in one text answer. */
