import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import type { ChangedPage } from "./changedPages";
import { PublishSomeDialog } from "./PublishSomeDialog";
import classes from "./UnpublishedList.module.css";

interface Props {
  courseId: string;
  pages: readonly ChangedPage[];
  /** Whether these are all pages of the list. */
  isAll: boolean;
  isOnline: boolean;
  onPublished: () => void;
  /** Reads the list again. */
  read: () => Promise<unknown>;
}

/** The most pages of one call. */
const PAGES_MAX = 500;

/** Publishes the changes of several pages after a question; incomplete ones are left out. */
export function PublishSome({ courseId, pages, isAll, isOnline, onPublished, read }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const complete = pages.filter(({ isIncomplete }) => !isIncomplete).slice(0, PAGES_MAX);
  const left = pages.filter(({ isIncomplete }) => isIncomplete).length;

  const ask = () => {
    setProblem(complete.length === 0 ? t("unpublished.list.allIncomplete") : null);
    setOpen(complete.length > 0);
  };
  return (
    <>
      <Button disabled={!isOnline} onClick={ask}>
        {isAll
          ? t("unpublished.list.publishAll")
          : t("unpublished.list.publishSome", { count: pages.length })}
      </Button>
      {problem !== null && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      {isOpen && (
        <PublishSomeDialog
          courseId={courseId}
          pages={complete}
          left={left}
          onPublished={() => {
            void read();
            onPublished();
          }}
          onConflict={(conflicts) => {
            void read();
            const titles = conflicts.map(({ name }) => `«${name}»`);
            setProblem(t("unpublished.list.conflict", { titles: titles.join(", ") }));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
