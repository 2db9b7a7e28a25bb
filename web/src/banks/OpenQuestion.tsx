import { useApolloClient } from "@apollo/client/react";
import { lazy, Suspense, useRef, useState } from "react";
import { conflictError } from "../api/apiError";
import { dateAndTime } from "../editor/dateAndTime";
import { useLeaveQuestion } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { copyOf } from "../quiz-builder/model";
import { IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { IconCopy } from "../ui/icons";
import { IconHistory } from "../ui/laterIcons";
import { SaveState } from "../ui/SaveState";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { mayLeave } from "../ui/unsaved";
import { TagBankQuestionsDocument } from "./Bank.generated";
import type { BankQuestion } from "./bank";
import { ConflictDialog } from "./ConflictDialog";
import { QuestionFields } from "./QuestionFields";
import classes from "./QuestionFields.module.css";
import { useAddQuestions, useQuestionEdit } from "./useQuestionEdit";
import { useReturned } from "./useReturned";

const HistoryDialog = lazy(() =>
  import("./HistoryDialog").then((module) => ({ default: module.HistoryDialog })),
);

interface OpenQuestionProps {
  /** The question as the server has it. */
  stored: BankQuestion;
  /** The tags of the bank. */
  known: readonly string[];
  /** Called after a question was added, or the tags of this one were changed. */
  onChanged: () => void;
  onDelete: () => void;
  onClose: () => void;
  onQuestions: (text: string) => void;
  /** Begins a question of the same kind. */
  onNext: () => void;
}

/** A question of the bank that is being edited. Its text is saved on demand, its tags at once. */
export function OpenQuestion(props: OpenQuestionProps) {
  const { stored, known, onChanged, onDelete, onClose, onQuestions, onNext } = props;
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const element = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<"conflict" | "history" | null>(null);
  const edit = useQuestionEdit(stored);
  const { base, draft } = edit;
  const add = useAddQuestions(stored.bankId);

  useLeaveQuestion({ element, isUnsaved: draft.isChanged, discard: edit.discard });
  useReturned(edit.isReturned);

  const save = async () => {
    if (edit.theirs) setOpen("conflict");
    else await edit.save();
  };
  const tag = async (names: { add?: string[]; remove?: string[] }) => {
    const { bankId, id } = stored;
    const isGone = (name: string) => names.remove?.includes(name) ?? false;
    const next = [...stored.tags.filter((name) => !isGone(name)), ...(names.add ?? [])];
    try {
      await client.mutate({
        mutation: TagBankQuestionsDocument,
        variables: { input: { bankId, questionIds: [id], ...names } },
        update: (cache) => {
          const place = cache.identify({ __typename: "BankQuestion", id });
          if (place) cache.modify({ id: place, fields: { tags: () => next } });
        },
      });
      onChanged();
    } catch (error) {
      toastFailure(error);
    }
  };
  /** Adds a copy of the question as it is typed. Resolves to whether it was added. */
  const addCopy = async (text: string) => {
    try {
      await add([copyOf(draft.latest() ?? draft.value)], stored.tags);
    } catch (error) {
      toastFailure(error);
      return false;
    }
    toastSuccess(text);
    onChanged();
    return true;
  };
  const when = dateAndTime(base.changedAt, i18n.language, t);
  const untouched = base.changedBy?.fullName
    ? t("banks.question.state.untouchedBy", { name: base.changedBy.fullName, when })
    : t("banks.question.state.untouched", { when });
  const stateText = {
    saved: untouched,
    offline: t("banks.question.state.offline"),
    conflict: t("banks.question.state.conflict"),
  }[edit.state as string];
  return (
    <div ref={element} data-open-question>
      <QuestionFields
        draft={draft}
        isNew={false}
        refusal={edit.refusal}
        onQuestions={onQuestions}
        tags={stored.tags}
        known={known}
        onAddTags={(names) => void tag({ add: names })}
        onRemoveTag={(name) => void tag({ remove: [name] })}
        notes={
          <>
            {edit.theirs && (
              <div role="alert" className={classes.note}>
                <p>{t("banks.conflict.title")}</p>
                <Button variant="default" onClick={() => setOpen("conflict")}>
                  {t("banks.conflict.show")}
                </Button>
              </div>
            )}
            {edit.isDeleted && (
              <div role="alert" className={classes.note}>
                <p>{t("banks.bank.deleted")}</p>
                <Button
                  variant="default"
                  onClick={async () => {
                    if (!(await addCopy(t("banks.question.added")))) return;
                    edit.discard();
                    onClose();
                  }}
                >
                  {t("banks.conflict.both")}
                </Button>
              </div>
            )}
          </>
        }
        onSave={() => void save()}
        onNext={async () => {
          if (await edit.save()) onNext();
        }}
        isSaving={edit.isSaving}
        canSave={draft.isChanged}
      >
        <div className={classes.state}>
          <SaveState state={edit.state} {...(stateText && { text: stateText })} />
        </div>
        <div className={classes.more}>
          <Button
            variant="subtle"
            icon={<IconCopy size={18} />}
            onClick={() => void addCopy(t("banks.question.duplicated"))}
          >
            {t("banks.question.duplicate")}
          </Button>
          <Button
            variant="subtle"
            icon={<IconHistory size={18} />}
            disabled={edit.isSaving}
            onClick={() =>
              draft.isChanged ? toastFailure(conflictError(t("banks.history.settle"))) : setOpen("history")
            }
          >
            {t("banks.question.history")}
          </Button>
          <Button
            variant="subtle"
            className={classes.removing}
            icon={<IconTrash size={18} />}
            onClick={onDelete}
          >
            {t("banks.question.delete")}
          </Button>
        </div>
        <Button
          variant="default"
          onClick={async () => {
            if (await mayLeave(element.current ?? undefined)) onClose();
          }}
        >
          {t("banks.question.close")}
        </Button>
      </QuestionFields>
      {open === "conflict" && edit.theirs && (
        <ConflictDialog
          mine={draft.value}
          theirs={edit.theirs}
          onClose={() => setOpen(null)}
          onKeepMine={async () => {
            setOpen(null);
            await edit.keepMine();
          }}
          onTakeTheirs={() => {
            setOpen(null);
            edit.takeTheirs();
          }}
          onBoth={async () => {
            if (!(await addCopy(t("banks.conflict.bothDone")))) return;
            setOpen(null);
            edit.takeTheirs();
          }}
        />
      )}
      {open === "history" && (
        <Suspense fallback={null}>
          <HistoryDialog questionId={stored.id} onClose={() => setOpen(null)} onRestored={edit.show} />
        </Suspense>
      )}
    </div>
  );
}
