import type { ReactNode } from "react";
import { Document } from "../content/Document";
import { useTranslation } from "../i18n/useTranslation";
import type { Question } from "./model";
import classes from "./QuestionFrame.module.css";
import { shortText } from "./shortText";

interface QuestionFrameProps {
  question: Question;
  /** Position in the shown order, from 1. */
  number: number;
  count: number;
  /** Shown beside the number: the question's points, or the points earned. */
  aside: ReactNode;
  /** Shown after the number. */
  fact?: string | null;
  /** The author's change of the question since it was answered. */
  note?: string | null;
  children: ReactNode;
}

/** A question's number, points and prompt, around the input for its answer. */
export function QuestionFrame(props: QuestionFrameProps) {
  const { question, number, count, aside, fact, note, children } = props;
  const { t } = useTranslation();
  const isWork = question.__typename === "HandInQuestion";
  const mayHaveNoPrompt = isWork || question.__typename === "FillBlankQuestion";
  const hasPrompt = !mayHaveNoPrompt || shortText(question.prompt) !== "";
  return (
    <section id={`question-${question.id}`} tabIndex={-1} className={classes.question}>
      <header className={classes.head}>
        <h3 className={classes.number}>
          {isWork ? t("quiz.handIn.work") : t("quiz.questionOf", { number, count })}
        </h3>
        {fact && <span className={classes.fact}>{fact}</span>}
        <span className={classes.aside}>{aside}</span>
      </header>
      {note && <p className={classes.note}>{note}</p>}
      {hasPrompt && (
        <div id={promptId(question.id)} className={classes.prompt}>
          <Document content={question.prompt} />
        </div>
      )}
      <div className={classes.answer}>{children}</div>
    </section>
  );
}

/** Id of the element with the prompt, which labels the inputs. */
export function promptId(questionId: string): string {
  return `prompt-${questionId}`;
}
