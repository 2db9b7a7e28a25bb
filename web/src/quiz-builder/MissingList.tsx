import type { ReactNode } from "react";
import { useTranslation } from "../i18n/useTranslation";
import type { MissingPart } from "./completeness";
import classes from "./MissingList.module.css";

interface MissingListProps {
  missing: readonly MissingPart[];
  /** Whether the one question is the work of an assignment, which has no number. */
  isAssignment?: boolean;
  /** The link or button that leads to a question, by its index. */
  leadTo: (question: number, content: ReactNode) => ReactNode;
  /** What a quiz lacks as a whole; without it, that is text. */
  leadToQuiz?: (content: ReactNode) => ReactNode;
}

/** What a quiz lacks before it can be published, by question. */
export function MissingList({ missing, isAssignment = false, leadTo, leadToQuiz }: MissingListProps) {
  const { t } = useTranslation();
  const questions = [...new Set(missing.map(({ question }) => question))];
  const lacks = (question: number | null) =>
    [
      ...new Set(
        missing
          .filter((part) => part.question === question)
          .map(({ lack }) => t(`quizBuilder.lacks.${lack}`)),
      ),
    ].join(". ");
  return (
    <ul className={classes.list}>
      {questions.map((question) => (
        <li key={question}>
          {question === null
            ? (leadToQuiz?.(lacks(null)) ?? lacks(null))
            : leadTo(
                question,
                <>
                  {!isAssignment && <b>{t("quizBuilder.unfinished.question", { number: question + 1 })}</b>}
                  {lacks(question)}
                </>,
              )}
        </li>
      ))}
    </ul>
  );
}
