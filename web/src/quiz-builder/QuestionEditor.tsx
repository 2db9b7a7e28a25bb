import { useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { AnswerEditor } from "./AnswerEditor";
import { HintsEditor } from "./HintsEditor";
import { type AuthorQuestion, emptyDocument, takesRubric } from "./model";
import { PointsField } from "./PointsField";
import { AddButton, type ProblemAt } from "./parts";
import { holdsQuestions } from "./pastedQuestions";
import classes from "./QuestionEditor.module.css";
import { RichField } from "./RichField";
import { RubricEditor } from "./RubricEditor";

interface QuestionEditorProps {
  question: AuthorQuestion;
  /** A new question takes the focus. */
  isNew: boolean;
  /** The page of the quiz; null for a question outside of courses. */
  pageId: string | null;
  onChange: (question: AuthorQuestion) => void;
  /** Changes the question as it is at that time, for what is undone later. */
  onEdit: (change: (question: AuthorQuestion) => AuthorQuestion) => void;
  /** Takes a text with whole questions that is pasted into the empty prompt. */
  onQuestions: (text: string) => void;
  problemAt: ProblemAt;
}

/** Edits one question: prompt, answer, explanation, hints and points. */
export function QuestionEditor({
  question,
  isNew,
  pageId,
  onChange,
  onEdit,
  onQuestions,
  problemAt,
}: QuestionEditorProps) {
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
        onText={(text) => {
          const isTaken = holdsQuestions(text);
          if (isTaken) onQuestions(text);
          return isTaken;
        }}
        value={question.prompt}
        onChange={(prompt) => onChange({ ...question, prompt })}
        problem={problemAt("prompt")}
      />
      <AnswerEditor question={question} onChange={onChange} onEdit={onEdit} problemAt={problemAt} />
      {takesRubric(question) && (
        <RubricEditor
          pageId={pageId}
          question={question}
          onEdit={(change) => onEdit((now) => (takesRubric(now) ? change(now) : now))}
          problemAt={problemAt}
        />
      )}
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
      <HintsEditor
        hints={question.hints ?? []}
        onEdit={(change) => onEdit((now) => ({ ...now, hints: change(now.hints ?? []) }))}
        problemAt={problemAt}
      />
      <div className={classes.points}>
        <PointsField
          question={question}
          onChange={(points) => onChange({ ...question, points })}
          problemAt={problemAt}
        />
      </div>
    </div>
  );
}
