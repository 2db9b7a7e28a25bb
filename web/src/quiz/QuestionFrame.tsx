import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Document } from "../content/Document";
import type { Question } from "./model";
import classes from "./QuestionFrame.module.css";
import { wordsOf } from "./words";

interface QuestionFrameProps {
  question: Question;
  /** From 1, in the order shown. */
  number: number;
  count: number;
  /** Beside the number: what it is worth, or what it brought. */
  aside: ReactNode;
  /** What the author did to it meanwhile. */
  note?: string | null;
  children: ReactNode;
}

/** A question's number, worth and prompt, around the place for its answer. */
export function QuestionFrame({ question, number, count, aside, note, children }: QuestionFrameProps) {
  const { t } = useTranslation();
  const hasPrompt = question.__typename !== "FillBlankQuestion" || wordsOf(question.prompt) !== "";
  return (
    <section id={`question-${question.id}`} tabIndex={-1} className={classes.question}>
      <header className={classes.head}>
        <h3 className={classes.number}>{t("quiz.questionOf", { number, count })}</h3>
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

/** Of the element that asks, which names the fields of the answer. */
export function promptId(questionId: string): string {
  return `prompt-${questionId}`;
}
