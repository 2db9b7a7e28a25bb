import type { ReactNode } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { missingInQuestion } from "../quiz-builder/completeness";
import { problemsOf } from "../quiz-builder/problems";
import { QuestionEditor } from "../quiz-builder/QuestionEditor";
import type { Refusal } from "../quiz-builder/refusal";
import { FieldMenus } from "./FieldMenus";
import classes from "./QuestionFields.module.css";
import type { Draft } from "./useDraft";

interface QuestionFieldsProps {
  draft: Draft;
  /** A new question takes the focus, and does not yet tell what it lacks. */
  isNew: boolean;
  refusal: Refusal | null;
  /** Takes a text with whole questions that is pasted into the empty prompt. */
  onQuestions: (text: string) => void;
  onSave: () => void;
  /** Saves, and begins another question of the kind. */
  onNext: () => void;
  /** The tags, and the actions below. */
  children: ReactNode;
}

/** The editor of the quiz builder for a question of a bank. Ctrl+S saves, Ctrl+Shift+Enter leads to the next question. */
export function QuestionFields(props: QuestionFieldsProps) {
  const { draft, isNew, refusal, onQuestions, onSave, onNext, children } = props;
  const { t } = useTranslation();
  const lacks = isNew
    ? []
    : missingInQuestion(draft.question).map(([at, lack]) => ({ question: 0, at, lack }));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its descendants
    <div
      className={classes.body}
      // Before the field, in which Ctrl+Enter means something else.
      onKeyDownCapture={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) onNext();
      }}
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyS") return;
        event.preventDefault();
        onSave();
      }}
    >
      {refusal && (
        <p role="alert" className={classes.refusal}>
          {refusal.message}
        </p>
      )}
      {/* With the fields, because their editors do not outlive them. */}
      <FieldMenus key={draft.revision}>
        <QuestionEditor
          question={draft.question}
          isNew={isNew}
          pageId={null}
          onChange={draft.change}
          onEdit={draft.edit}
          onQuestions={onQuestions}
          problemAt={problemsOf(lacks, refusal, (lack) => t(`quizBuilder.lacks.${lack}`))}
        />
      </FieldMenus>
      {children}
    </div>
  );
}
