import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { toastSuccess } from "../ui/toasts";
import type { ChangedPage } from "./changedPages";
import { publishChanges } from "./publishChanges";
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

/** How many titles the question lists. */
const SHOWN = 8;
/** The most pages of one call. */
const PAGES_MAX = 500;

/** Publishes the changes of several pages after a question; incomplete ones are left out. */
export function PublishSome({ courseId, pages, isAll, isOnline, onPublished, read }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const complete = pages.filter(({ isIncomplete }) => !isIncomplete).slice(0, PAGES_MAX);
  const left = pages.filter(({ isIncomplete }) => isIncomplete).length;

  const ask = () => {
    setProblem(complete.length === 0 ? t("unpublished.list.allIncomplete") : null);
    setOpen(complete.length > 0);
  };
  const publish = async () => {
    const shown = complete.map((page) => page.shown);
    // A refusal is shown in the dialog.
    const { conflicts } = await publishChanges(client, courseId, shown);
    await read();
    if (conflicts.length > 0) {
      const ids = new Set(conflicts.map(({ id }) => id));
      const titles = complete.filter(({ id }) => ids.has(id)).map(({ name }) => `«${name}»`);
      setProblem(t("unpublished.list.conflict", { titles: titles.join(", ") }));
    } else {
      toastSuccess(t("unpublished.list.done", { count: shown.length }));
      onPublished();
    }
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
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t("unpublished.list.confirmTitle", { count: complete.length })}
        confirm={t("unpublished.publish")}
        onConfirm={publish}
      >
        <p>{t("unpublished.list.confirmText")}</p>
        <ul className={classes.titles}>
          {complete.slice(0, SHOWN).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {complete.length > SHOWN && (
            <li>{t("unpublished.list.more", { count: complete.length - SHOWN })}</li>
          )}
        </ul>
        {left > 0 && <p>{t("unpublished.list.left", { count: left })}</p>}
      </ConfirmDialog>
    </>
  );
}
