import { useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { emptyDocument } from "../../quiz-builder/model";
import { RichField } from "../../quiz-builder/RichField";
import { lengthProblem, wordsOf } from "../words";
import type { EssayProps } from "./Essay";
import classes from "./Essay.module.css";
import { boundsText } from "./essayBounds";

/** The field of an essay, with the number of its words. */
export default function EssayInput({
  question,
  answer,
  onAnswer,
  disabled,
  labelledBy,
  isPart = false,
}: EssayProps) {
  const { t } = useTranslation();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [hasLeft, setLeft] = useState(false);
  const content = answer?.content;
  const words = useMemo(() => wordsOf(content), [content]);
  const problem = lengthProblem(content, question);
  // A new answer is always too short, so this problem is shown only after the learner has left the field.
  const isTold = problem === "long" || (problem === "short" && hasLeft);
  const bounds = boundsText(question, t);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for the focus leaving the field
    <div
      ref={root}
      className={classes.essay}
      data-unreadable={problem ? "" : undefined}
      onBlur={(event) => {
        if (!root.current?.contains(event.relatedTarget)) setLeft(true);
      }}
    >
      <RichField
        isEssay
        label={t("quiz.essay.label")}
        labelledBy={labelledBy}
        describedBy={`${id}-count`}
        disabled={disabled}
        value={content ?? emptyDocument()}
        onChange={(document) => onAnswer({ content: document })}
      />
      <div className={classes.about}>
        <p id={`${id}-count`} className={classes.count} data-problem={isTold || undefined}>
          {t("quiz.essay.words", { count: words })}
          {bounds && ` · ${bounds}`}
        </p>
        {!isPart && <p className={classes.count}>{t("quiz.essay.byPerson")}</p>}
        <p role="status" className={classes.problem}>
          {isTold &&
            (problem === "long"
              ? t("quiz.essay.long", { count: words - (question.maxWords ?? 0) })
              : t("quiz.essay.short", { count: (question.minWords ?? 0) - words }))}
        </p>
      </div>
    </div>
  );
}
