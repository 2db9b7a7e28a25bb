import { useRef, useState } from "react";
import { ApiError } from "../api/apiError";
import { useLeaveQuestion } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { type AuthorQuestion, type Kind, newQuestion } from "../quiz-builder/model";
import type { Refusal } from "../quiz-builder/refusal";
import { Button } from "../ui/Button";
import { SaveState } from "../ui/SaveState";
import { toastSuccess } from "../ui/toasts";
import { mayLeave } from "../ui/unsaved";
import { type DraftKey, dropDraft, keepDraft, readDraft, useDraftOwner } from "./drafts";
import { QuestionFields } from "./QuestionFields";
import fieldClasses from "./QuestionFields.module.css";
import { type Draft, useDraft } from "./useDraft";
import { refusalOf, useAddQuestions } from "./useQuestionEdit";
import { useReturned } from "./useReturned";

interface NewQuestionProps {
  bankId: string;
  kind: Kind;
  /** The tags of the bank. */
  known: readonly string[];
  /** The tags that the question has at first: those that the list is narrowed to. */
  initialTags: readonly string[];
  /** Takes whether another question follows. */
  onAdded: (isNextWanted: boolean) => void;
  onClose: () => void;
  onQuestions: (text: string) => void;
}

/** A question that is not in the bank yet. */
export function NewQuestion(props: NewQuestionProps) {
  const { bankId, kind, known, onAdded, onClose, onQuestions } = props;
  const { t } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  const [initial] = useState(() => newQuestion(kind));
  const userId = useDraftOwner();
  const key: DraftKey = { userId, bankId, of: { kind } };
  const [kept] = useState(() => readDraft(key));
  const keep = (question: AuthorQuestion | null, tags: readonly string[] | null) => {
    if (question || tags) keepDraft(key, { question, tags });
    else dropDraft(key);
  };
  const draft: Draft<AuthorQuestion> = useDraft(initial, {
    initial: kept?.question ?? null,
    keep: (question) => keep(question, tags.latest()),
  });
  const [initialTags] = useState(props.initialTags);
  const tags = useDraft(initialTags, {
    initial: kept?.tags ?? null,
    keep: (tags) => keep(draft.latest(), tags),
  });
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Refusal | "offline" | null>(null);
  const add = useAddQuestions(bankId);

  const startOver = () => {
    draft.startOver();
    tags.startOver();
  };
  useLeaveQuestion({ element, isUnsaved: draft.isChanged || tags.isChanged, discard: startOver });
  useReturned(kept !== null);

  const save = async (isNextWanted = false) => {
    if (isSaving) return;
    setSaving(true);
    try {
      await add([draft.latest() ?? initial], tags.latest() ?? initialTags);
      startOver();
      toastSuccess(t("banks.question.added"));
      onAdded(isNextWanted);
    } catch (error) {
      setProblem(ApiError.from(error).isUnreachable ? "offline" : refusalOf(error));
    } finally {
      setSaving(false);
    }
  };
  const state = isSaving ? "saving" : problem === "offline" ? "offline" : problem ? "failed" : "unsaved";
  return (
    <div ref={element} data-open-question>
      {/* While the question is being added nothing can be typed, because that would not be added with it. */}
      <div inert={isSaving}>
        <QuestionFields
          draft={draft}
          isNew
          refusal={problem === "offline" ? null : problem}
          onQuestions={onQuestions}
          tags={tags.value}
          known={known}
          onAddTags={(names) => tags.edit((before) => [...before, ...names])}
          onRemoveTag={(name) => tags.edit((before) => before.filter((one) => one !== name))}
          onSave={() => void save()}
          onNext={() => void save(true)}
          isSaving={isSaving}
          canSave
        >
          <div className={fieldClasses.state}>
            {(draft.isChanged || problem) && (
              <SaveState
                state={state}
                {...(state === "offline" && { text: t("banks.question.state.offline") })}
              />
            )}
          </div>
          <Button
            variant="default"
            onClick={async () => {
              if (await mayLeave(element.current ?? undefined)) onClose();
            }}
          >
            {t("banks.question.cancel")}
          </Button>
        </QuestionFields>
      </div>
    </div>
  );
}
