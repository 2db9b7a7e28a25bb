import type { ReactNode } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { nextQuestionKey } from "./nextQuestionKey";
import classes from "./QuizBuilder.module.css";

interface OpenQuestionProps {
  /** The server's message about the question. */
  refusal: string | null;
  /** Adds a question below. */
  onNext: () => void;
  onDuplicate: () => void;
  /** Null for a draw, which is in a bank already. */
  onSaveToBank: (() => void) | null;
  onRemove: () => void;
  children: ReactNode;
}

/** An expanded question with its actions. */
export function OpenQuestion({
  refusal,
  onNext,
  onDuplicate,
  onSaveToBank,
  onRemove,
  children,
}: OpenQuestionProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.body} data-open-question onKeyDownCapture={nextQuestionKey(onNext)}>
      {refusal && (
        <p role="alert" className={classes.refusal}>
          {refusal}
        </p>
      )}
      {children}
      <div className={classes.actions}>
        <button type="button" onClick={onDuplicate}>
          {t("quizBuilder.duplicate")}
        </button>
        {onSaveToBank && (
          <button type="button" onClick={onSaveToBank}>
            {t("quizBuilder.toBank.open")}
          </button>
        )}
        <button type="button" className={classes.removing} onClick={onRemove}>
          {t(onSaveToBank ? "quizBuilder.removeQuestion" : "quizBuilder.draw.remove")}
        </button>
      </div>
    </div>
  );
}
