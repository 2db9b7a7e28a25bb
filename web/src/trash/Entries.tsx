import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import type { Module } from "../outline/tree";
import { IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { EmptyState } from "../ui/EmptyState";
import { showItems } from "../ui/hiddenItems";
import { IconButton } from "../ui/IconButton";
import { IconBooks } from "../ui/icons";
import { IconLesson, IconList, IconPage, IconReturn } from "../ui/laterIcons";
import { Row, Rows, Tag } from "../ui/Rows";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { daysLeft } from "./daysLeft";
import { RestoreDialog, type Target } from "./RestoreDialog";
import { DeleteForeverDocument, RestoreFromTrashDocument, type TrashEntryFragment } from "./Trash.generated";
import classes from "./Trash.module.css";

export type Entry = TrashEntryFragment;

interface Props {
  entries: readonly Entry[];
  /** Where parts can be restored to whose own place is gone. */
  modules: readonly Module[];
  /** The title of the empty trash. */
  empty: string;
  /** Loads what has changed: the trash, and the screen that shows the restored part. */
  reload: () => Promise<void>;
}

/** The entries of a trash. One is restored at once, or deleted forever after a question. */
export function Entries({ entries, modules, empty, reload }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [open, setOpen] = useState<{ entry: Entry; dialog: "restore" | "delete" } | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const names = useNames();

  const restore = async (entry: Entry, target: Target = {}) => {
    setBusy(entry.id);
    try {
      const input = { entryId: entry.id, ...target };
      const { data } = await client.mutate({ mutation: RestoreFromTrashDocument, variables: { input } });
      if (entry.kind === "COURSE" && data) showItems([data.restoreFromTrash.course.id]);
      await reload();
      toastSuccess(t(`trash.restored.${entry.kind}`, { title: names.titleOf(entry) }));
    } finally {
      setBusy(null);
    }
  };
  const close = () => setOpen(null);
  if (entries.length === 0)
    return (
      <EmptyState title={empty} icon={<IconTrash size={28} />} heading="h2">
        {t("trash.emptyText")}
      </EmptyState>
    );
  return (
    <>
      <p className={classes.lead}>{t("trash.lead")}</p>
      <Rows label={t("trash.title")}>
        {entries.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            isBusy={busy === entry.id}
            onRestore={() =>
              entry.parentIsGone
                ? setOpen({ entry, dialog: "restore" })
                : void restore(entry).catch(toastFailure)
            }
            onDelete={() => setOpen({ entry, dialog: "delete" })}
          />
        ))}
      </Rows>
      {open?.dialog === "restore" && (
        <RestoreDialog
          entry={open.entry}
          modules={modules}
          onClose={close}
          onRestore={(target) => restore(open.entry, target)}
        />
      )}
      {open?.dialog === "delete" && (
        <ConfirmDialog
          open
          danger
          onClose={close}
          title={t(`trash.forever.title.${open.entry.kind}`, { title: names.titleOf(open.entry) })}
          confirm={t("trash.forever.confirm")}
          onConfirm={async () => {
            await client.mutate({
              mutation: DeleteForeverDocument,
              variables: { input: { entryId: open.entry.id } },
            });
            await reload();
            toastSuccess(t(`trash.forever.done.${open.entry.kind}`, { title: names.titleOf(open.entry) }));
          }}
        >
          <p>
            {open.entry.attemptCount > 0
              ? t("trash.forever.withAttempts", { what: names.countsOf(open.entry) })
              : t("trash.forever.text")}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const ICONS = { COURSE: IconBooks, MODULE: IconList, LESSON: IconLesson, PAGE: IconPage };

interface EntryRowProps {
  entry: Entry;
  isBusy: boolean;
  onRestore: () => void;
  onDelete: () => void;
}

function EntryRow({ entry, isBusy, onRestore, onDelete }: EntryRowProps) {
  const { t, i18n } = useTranslation();
  const { titleOf, countsOf } = useNames();
  const now = new Date();
  const days = daysLeft(entry.expiresAt, now);
  const title = titleOf(entry);
  const Icon = ICONS[entry.kind];
  const who = entry.deletedBy ? (entry.deletedBy.fullName ?? t("trash.someone")) : t("trash.nobody");
  const counts = countsOf(entry);
  return (
    <Row
      name={
        <span className={classes.name}>
          <span className={classes.icon}>
            <Icon size={18} />
          </span>
          {title}
        </span>
      }
      tags={
        <Tag warn={days <= 3} quiet>
          {t("trash.days", { count: days })}
        </Tag>
      }
      facts={
        <>
          {entry.place.length > 0 && <span>{entry.place.join(" › ")}</span>}
          {counts && <span>{counts}</span>}
          <span>
            {t("trash.deleted", { when: formatDateTime(entry.deletedAt, now, i18n.language, t), who })}
          </span>
        </>
      }
      tools={
        <>
          <Button
            variant="default"
            icon={<IconReturn size={18} />}
            loading={isBusy}
            onClick={onRestore}
            aria-label={t("trash.restoreOf", { title })}
          >
            {t("trash.restore")}
          </Button>
          <IconButton aria-label={t("trash.forever.of", { title })} onClick={onDelete}>
            <IconTrash size={18} />
          </IconButton>
        </>
      }
    />
  );
}

/** How an entry is named, and what it holds. */
function useNames() {
  const { t } = useTranslation();
  return {
    titleOf: ({ title }: Entry) => title ?? t("trash.untitled"),
    countsOf: ({ kind, pageCount, attemptCount }: Entry) =>
      [
        ...(kind === "PAGE" ? [] : [t("common.pages", { count: pageCount })]),
        ...(attemptCount > 0 ? [t("trash.attempts", { count: attemptCount })] : []),
      ].join(", "),
  };
}
