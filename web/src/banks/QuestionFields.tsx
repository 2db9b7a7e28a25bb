import { type ReactNode, useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { missingInQuestion } from "../quiz-builder/completeness";
import type { AuthorQuestion } from "../quiz-builder/model";
import { nextQuestionKey } from "../quiz-builder/nextQuestionKey";
import { problemsOf } from "../quiz-builder/problems";
import { QuestionEditor } from "../quiz-builder/QuestionEditor";
import type { Refusal } from "../quiz-builder/refusal";
import { Button } from "../ui/Button";
import { mayLeave } from "../ui/unsaved";
import { FieldMenus } from "./FieldMenus";
import classes from "./QuestionFields.module.css";
import { TagsField, type TagsFieldHandle } from "./TagsField";
import type { Draft } from "./useDraft";

interface QuestionFieldsProps {
  draft: Draft<AuthorQuestion>;
  /** A new question takes the focus, and does not yet tell what it lacks. */
  isNew: boolean;
  refusal: Refusal | null;
  /** Takes a text with whole questions that is pasted into the empty prompt. */
  onQuestions: (text: string) => void;
  tags: readonly string[];
  /** The tags of the bank. */
  known: readonly string[];
  onAddTags: (names: string[]) => void;
  onRemoveTag: (name: string) => void;
  /** What the author has to know, above the actions. */
  notes?: ReactNode;
  onSave: () => void;
  /** Saves, and begins another question of the kind. */
  onNext: () => void;
  isSaving: boolean;
  /** Whether there is something to save. */
  canSave: boolean;
  /** The state of saving, and the actions beside the button that saves. */
  children: ReactNode;
}

/** The editor of the quiz builder for a question of a bank, with its tags. Ctrl+S saves, Ctrl+Shift+Enter leads to the next question. */
export function QuestionFields(props: QuestionFieldsProps) {
  const { draft, isNew, refusal, onQuestions, tags, known, onAddTags, onRemoveTag, notes } = props;
  const { onSave, onNext, isSaving, canSave, children } = props;
  const { t } = useTranslation();
  const body = useRef<HTMLDivElement>(null);
  const tagsField = useRef<TagsFieldHandle>(null);
  const isFinishing = useRef(false);
  /** Saves with everything that is typed: a tag that is being typed is added, and a number that cannot be read is asked about. */
  const finish = async (save: () => void) => {
    // Concurrent calls would share one dialog, and each would save after its answer.
    if (isFinishing.current || tagsField.current?.addTyped() === false) return;
    isFinishing.current = true;
    try {
      if (await mayLeave(body.current ?? undefined)) save();
    } finally {
      isFinishing.current = false;
    }
  };
  const lacks = isNew ? [] : missingInQuestion(draft.value).map(([at, lack]) => ({ question: 0, at, lack }));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its descendants
    <div
      ref={body}
      className={classes.body}
      onKeyDownCapture={nextQuestionKey(() => void finish(onNext))}
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyS") return;
        event.preventDefault();
        if (!event.repeat) void finish(onSave);
      }}
    >
      {refusal && (
        <p role="alert" className={classes.refusal}>
          {refusal.message}
        </p>
      )}
      {/* Starts over with the fields: the menus must not act on an editor that is gone. */}
      <FieldMenus key={draft.revision}>
        <QuestionEditor
          question={draft.value}
          isNew={isNew}
          pageId={null}
          onChange={draft.change}
          onEdit={draft.edit}
          onQuestions={onQuestions}
          problemAt={problemsOf(lacks, refusal, (lack) => t(`quizBuilder.lacks.${lack}`))}
        />
      </FieldMenus>
      <TagsField
        ref={tagsField}
        label={t("banks.tags.label")}
        tags={tags}
        known={known}
        onAdd={onAddTags}
        onRemove={onRemoveTag}
      />
      {notes}
      <div className={classes.foot}>
        {children}
        <Button loading={isSaving} disabled={!canSave} onClick={() => void finish(onSave)}>
          {t("banks.question.save")}
        </Button>
      </div>
    </div>
  );
}
