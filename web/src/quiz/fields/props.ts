import type { Answer, QuestionKind, QuestionOf } from "../model";

/** What every kind of question is given to be answered with. */
export interface FieldProps<K extends QuestionKind> {
  question: QuestionOf<K>;
  answer: Answer | undefined;
  onAnswer: (answer: Answer) => void;
  /** Answers that are on their way stay as they are. */
  disabled: boolean;
  /** The id of the element that asks. */
  labelledBy: string;
}
