import { useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { POINTS_MAX } from "../limits.generated";
import { AnswerEditor, NumberField } from "./AnswerEditor";
import { type AuthorQuestion, emptyDocument } from "./model";
import { AddButton, type ProblemAt } from "./parts";
import classes from "./QuestionEditor.module.css";
import { RichField } from "./RichField";

interface QuestionEditorProps {
  question: AuthorQuestion;
  /** A new question takes the focus. */
  isNew: boolean;
  onChange: (question: AuthorQuestion) => void;
  problemAt: ProblemAt;
}

/** Edits one question: prompt, answer, points and explanation. */
export function QuestionEditor({ question, isNew, onChange, problemAt }: QuestionEditorProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [isExplaining, setExplaining] = useState(false);
  return (
    <div ref={root} className={classes.question}>
      <RichField
        label={t(question.type === "fill_blank" ? "quizBuilder.promptOptional" : "quizBuilder.prompt")}
        isLabelSeen
        autoFocus={isNew}
        onMark={() => {
          // Ctrl+Enter leads on, as Enter does between the parts of the answer; here Enter adds a paragraph.
          const fields = root.current?.querySelectorAll<HTMLElement>("[role=textbox], input[type=text]");
          fields?.[1]?.focus();
        }}
        value={question.prompt}
        onChange={(prompt) => onChange({ ...question, prompt })}
        problem={problemAt("prompt")}
      />
      <AnswerEditor question={question} onChange={onChange} problemAt={problemAt} />
      {question.explanation === null || question.explanation === undefined ? (
        <AddButton
          onClick={() => {
            setExplaining(true);
            onChange({ ...question, explanation: emptyDocument() });
          }}
        >
          {t("quizBuilder.addExplanation")}
        </AddButton>
      ) : (
        <RichField
          autoFocus={isExplaining}
          label={t("quizBuilder.explanation")}
          isLabelSeen
          value={question.explanation}
          onChange={(explanation) => onChange({ ...question, explanation })}
          problem={problemAt("explanation")}
        />
      )}
      <div className={classes.points}>
        <NumberField
          label={t("quizBuilder.points")}
          value={question.points}
          min={0}
          max={POINTS_MAX}
          problem={problemAt("points")}
          onChange={(points) =>
            onChange({ ...question, points: Math.round((points ?? 0) * 10_000) / 10_000 })
          }
        />
      </div>
    </div>
  );
}
