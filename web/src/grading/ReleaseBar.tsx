import { useMutation } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { toastSuccess } from "../ui/toasts";
import { ReleaseAssessmentsDocument } from "./Grading.generated";
import classes from "./GradingTab.module.css";
import { type QueuedQuestion, unreleasedPages } from "./queue";

interface Props {
  questions: readonly QueuedQuestion[];
  /** The selected page; null for all. */
  pageId: string | null;
  onReleased: () => void;
}

/** Points that learners do not see yet, and the button that shows them. */
export function ReleaseBar({ questions, pageId, onReleased }: Props) {
  const { t } = useTranslation();
  const [release] = useMutation(ReleaseAssessmentsDocument);
  /** The pages listed in the confirmation. Answers graded on them in the meantime are released as well. */
  const [asked, setAsked] = useState<ReturnType<typeof unreleasedPages> | null>(null);
  const pages = unreleasedPages(questions, pageId);
  const bar = useRef<HTMLDivElement>(null);
  const hasReleased = useRef(false);
  const isEmpty = pages.length === 0;
  // The focused button was removed.
  useEffect(() => {
    if (isEmpty && hasReleased.current) bar.current?.focus();
    hasReleased.current = false;
  }, [isEmpty]);
  const sum = (all: typeof pages) => all.reduce((total, { count }) => total + count, 0);
  return (
    <div ref={bar} tabIndex={-1} className={classes.bar}>
      {!isEmpty && (
        <div className={classes.release}>
          <p>{t("grading.release.unreleased", { count: sum(pages) })}</p>
          <Button onClick={() => setAsked(pages)}>{t("grading.release.open")}</Button>
        </div>
      )}
      <ConfirmDialog
        open={asked !== null}
        title={t("grading.release.title", { count: sum(asked ?? []) })}
        confirm={t("grading.release.confirm")}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          try {
            let released = 0;
            for (const page of asked ?? []) {
              const { data } = await release({ variables: { input: { pageId: page.pageId } } });
              released += data?.releaseAssessments.released ?? 0;
            }
            hasReleased.current = true;
            toastSuccess(t("grading.release.done", { count: released }));
          } finally {
            onReleased();
          }
        }}
      >
        <p>{t("grading.release.text")}</p>
        <ul className={classes.pages}>
          {asked?.map(({ pageId, title, count }) => (
            <li key={pageId}>{t("grading.release.page", { page: title ?? t("grading.untitled"), count })}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </div>
  );
}
