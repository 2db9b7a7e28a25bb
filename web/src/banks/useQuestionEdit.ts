import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import type { AuthorQuestion } from "../quiz-builder/model";
import type { Refusal } from "../quiz-builder/refusal";
import type { SaveStateKind } from "../ui/SaveState";
import { failureText } from "../ui/toasts";
import { AddBankQuestionsDocument, UpdateBankQuestionDocument } from "./Bank.generated";
import { authorQuestion, type BankQuestion } from "./bank";
import { type DraftKey, dropDraft, keepDraft, readDraft, useDraftOwner } from "./drafts";
import { useDraft } from "./useDraft";

/** Why the last save did not succeed. */
type Problem =
  | { kind: "offline" }
  | { kind: "deleted" }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "conflict"; theirs: BankQuestion };

/** The refusal of a question, with its path as the quiz builder expects it. */
export function refusalOf(error: unknown): Refusal {
  const fields = [...ApiError.from(error).fields.keys()];
  const at = fields.flatMap((field) => /^(?:questions\[\d+\]\.)?question\.(.+)$/.exec(field)?.[1] ?? [])[0];
  return { message: failureText(error), path: at === undefined ? null : `quiz.questions[0].${at}` };
}

/** Edits a stored question: what is typed is saved on demand, against the version that it is based on. */
export function useQuestionEdit(stored: BankQuestion) {
  const client = useApolloClient();
  const userId = useDraftOwner();
  const key: DraftKey = { userId, bankId: stored.bankId, of: { questionId: stored.id } };
  const [kept] = useState(() => readDraft(key));
  // A change that an earlier visit left still belongs to the version that it was made of.
  const [base, setBase] = useState(kept ? { ...stored, version: kept.version ?? stored.version } : stored);
  const draft = useDraft(authorQuestion(base), {
    initial: kept?.question ?? null,
    keep: (question) => {
      if (question) keepDraft(key, { question, version: base.version });
      else dropDraft(key);
    },
  });
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  // Without a change, the editor follows what others save.
  if (!draft.isChanged && !isSaving && stored.version > base.version) {
    setBase(stored);
    draft.startOver();
  }

  const send = async (version: number): Promise<boolean> => {
    const sent = draft.latest();
    if (sent === null) return true;
    if (isSaving) return false;
    setSaving(true);
    try {
      const { data } = await client.mutate({
        mutation: UpdateBankQuestionDocument,
        variables: { input: { questionId: base.id, version, question: sent } },
      });
      if (!data) return false;
      const { question, isConflict } = data.updateBankQuestion;
      if (isConflict) {
        setProblem({ kind: "conflict", theirs: question });
        return false;
      }
      setBase(question);
      setProblem(null);
      draft.settle(sent);
      const typed = draft.latest();
      if (typed) keepDraft(key, { question: typed, version: question.version });
      return true;
    } catch (error) {
      const failure = ApiError.from(error);
      if (failure.isUnreachable) setProblem({ kind: "offline" });
      else if (failure.status === 404) setProblem({ kind: "deleted" });
      else setProblem({ kind: "refused", refusal: refusalOf(error) });
      return false;
    } finally {
      setSaving(false);
    }
  };
  const theirs = problem?.kind === "conflict" ? problem.theirs : null;
  /** Shows a stored version of the question in place of what is typed. */
  const show = (question: BankQuestion) => {
    setBase(question);
    setProblem(null);
    draft.startOver();
  };
  const state: SaveStateKind = isSaving
    ? "saving"
    : !draft.isChanged
      ? "saved"
      : problem?.kind === "offline" || problem?.kind === "conflict"
        ? problem.kind
        : problem
          ? "failed"
          : "unsaved";

  return {
    /** Whether a change of an earlier visit is back. */
    isReturned: kept !== null,
    /** The version that the change is based on. */
    base,
    draft,
    state,
    isSaving,
    /** The version that was saved elsewhere in the meantime; null without a conflict. */
    theirs,
    isDeleted: problem?.kind === "deleted",
    refusal: problem?.kind === "refused" ? problem.refusal : null,
    /** Resolves to whether everything is saved. */
    save: () => send(base.version),
    keepMine: () => (theirs ? send(theirs.version) : Promise.resolve(false)),
    takeTheirs: () => {
      if (theirs) show(theirs);
    },
    /** Forgets what was typed. */
    discard: () => {
      setProblem(null);
      draft.startOver();
    },
    show,
  };
}

/** Adds questions to a bank. Resolves to the added ones. */
export function useAddQuestions(bankId: string) {
  const client = useApolloClient();
  return async (questions: readonly AuthorQuestion[], tags: readonly string[]): Promise<BankQuestion[]> => {
    const input = { bankId, questions: questions.map((question) => ({ question, tags: [...tags] })) };
    const { data } = await client.mutate({ mutation: AddBankQuestionsDocument, variables: { input } });
    return data?.addBankQuestions.questions ?? [];
  };
}
