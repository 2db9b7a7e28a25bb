import { useApolloClient, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { conflictError } from "../api/apiError";
import { dateAndTime } from "../editor/dateAndTime";
import styles from "../editor/history/HistoryDialog.module.css";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ListSkeleton } from "../ui/Skeletons";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { BankQuestionVersionsDocument, UpdateBankQuestionDocument } from "./Bank.generated";
import { authorQuestion, type BankQuestion } from "./bank";
import { QuestionView } from "./QuestionView";

interface HistoryDialogProps {
  questionId: string;
  onClose: () => void;
  /** Takes the question as it is after an earlier version was restored; without it, versions are only read. */
  onRestored?: (question: BankQuestion) => void;
}

/** The versions of a question, the newest first; one of them can be restored. */
export function HistoryDialog({ questionId, onClose, onRestored }: HistoryDialogProps) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const [chosen, setChosen] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { data, error, refetch } = useQuery(BankQuestionVersionsDocument, {
    variables: { id: questionId },
    fetchPolicy: "network-only",
  });
  const current = data?.bankQuestions[0];
  const versions = current
    ? [current, ...current.versions.filter((one) => one.version !== current.version)]
    : [];
  const shown = versions.find(({ version }) => version === chosen) ?? versions[0];
  const restore = async () => {
    if (!current || !shown) return;
    setBusy(true);
    try {
      const { data } = await client.mutate({
        mutation: UpdateBankQuestionDocument,
        variables: { input: { questionId, version: current.version, question: shown.question } },
      });
      if (!data) return;
      const { question, isConflict } = data.updateBankQuestion;
      if (isConflict) {
        toastFailure(conflictError(t("banks.history.changed")));
        setChosen(null);
        await refetch();
        return;
      }
      onRestored?.(question);
      toastSuccess(t("banks.history.restored"));
      onClose();
    } catch (failure) {
      toastFailure(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("banks.history.title")}
      actions={
        onRestored && (
          <Button loading={isBusy} disabled={!shown || shown === current} onClick={() => void restore()}>
            {t("banks.history.restore")}
          </Button>
        )
      }
    >
      {shown ? (
        <div className={styles.history}>
          <ul className={styles.versions} aria-label={t("banks.history.versions")}>
            {versions.map((one) => (
              <li key={one.version}>
                <button
                  type="button"
                  className={styles.version}
                  aria-current={one === shown || undefined}
                  onClick={() => setChosen(one.version)}
                >
                  <span className={styles.when}>{dateAndTime(one.changedAt, i18n.language, t)}</span>
                  <span className={styles.who}>
                    {one.changedBy?.fullName ?? t("banks.conflict.someone")}
                    {one === current && ` · ${t("banks.history.current")}`}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <div className={styles.text}>
            <QuestionView key={shown.version} question={authorQuestion(shown)} />
          </div>
        </div>
      ) : (
        <QueryState
          error={error ?? (data && new Error(t("banks.bank.deleted")))}
          retry={() => void refetch().catch(() => undefined)}
          heading="p"
          loading={<ListSkeleton rows={5} height="3rem" />}
        />
      )}
    </Dialog>
  );
}
