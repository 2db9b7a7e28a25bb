import type { Answer, QuestionKind, QuestionOf } from "../model";

/** Props of the inputs of every kind of question. */
export interface FieldProps<K extends QuestionKind> {
  question: QuestionOf<K>;
  answer: Answer | undefined;
  onAnswer: (answer: Answer) => void;
  /** Set while a submission is in progress. */
  disabled: boolean;
  /** Id of the element with the prompt. */
  labelledBy: string;
}
