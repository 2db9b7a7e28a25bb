import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { IconPencil, IconTrash } from "../ui/authorIcons";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";

import { IconReturn } from "../ui/laterIcons";
import { Menu } from "../ui/Menu";
import { toastSuccess } from "../ui/toasts";
import { NameDialog } from "./NameDialog";
import { DeleteSnapshotDocument } from "./Snapshots.generated";
import { type Snapshot, snapshotName } from "./snapshot";

interface Props {
  snapshot: Snapshot;
  isOnline: boolean;
  /** The snapshot is alone on its screen, where restoring is the main action. */
  isMain?: boolean;
  onRestore: () => void;
  onRenamed: () => void;
  onDeleted: () => Promise<unknown>;
}

/** What can be done with a snapshot: restore the course from it, rename and delete it. */
export function SnapshotActions({ snapshot, isOnline, isMain, onRestore, onRenamed, onDeleted }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [open, setOpen] = useState<"name" | "delete" | null>(null);
  const name = snapshotName(snapshot, t);
  const close = () => setOpen(null);
  const remove = async () => {
    try {
      await client.mutate({
        mutation: DeleteSnapshotDocument,
        variables: { input: { snapshotId: snapshot.id } },
      });
    } catch (error) {
      // Another editor has deleted it, or its time was over.
      if (ApiError.from(error).status !== 404) throw error;
    }
    toastSuccess(t("snapshots.delete.done", { name }));
    await onDeleted();
  };
  return (
    <>
      <Button
        variant={isMain ? "filled" : "default"}
        icon={<IconReturn size={18} />}
        disabled={!isOnline}
        onClick={onRestore}
        aria-label={isMain ? undefined : t("snapshots.restoreOf", { name })}
      >
        {t("snapshots.restore.button")}
      </Button>
      <Menu
        label={t("snapshots.actions", { name })}
        items={() => [
          {
            label: t("snapshots.rename.action"),
            icon: <IconPencil size={18} />,
            onSelect: () => setOpen("name"),
          },
          {
            label: t("snapshots.delete.action"),
            icon: <IconTrash size={18} />,
            danger: true,
            onSelect: () => setOpen("delete"),
          },
        ]}
      />
      {open === "name" && <NameDialog snapshot={snapshot} onRenamed={onRenamed} onClose={close} />}
      <ConfirmDialog
        open={open === "delete"}
        danger
        onClose={close}
        title={t("snapshots.delete.title", { name })}
        confirm={t("snapshots.delete.confirm")}
        onConfirm={remove}
      >
        <p>{t("snapshots.delete.text")}</p>
      </ConfirmDialog>
    </>
  );
}
