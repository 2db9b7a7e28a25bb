import { useMutation } from "@apollo/client/react";
import { FormDialog } from "../forms/FormDialog";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { TextField } from "../ui/TextField";
import { RenameSnapshotDocument } from "./Snapshots.generated";
import { nameProblem, type Snapshot } from "./snapshot";

interface Props {
  snapshot: Snapshot;
  onRenamed: () => void;
  onClose: () => void;
}

/** The dialog that gives a snapshot a name. An automatic one is kept with it. */
export function NameDialog({ snapshot, onRenamed, onClose }: Props) {
  const { t } = useTranslation();
  const [rename] = useMutation(RenameSnapshotDocument);
  const form = useGuardedForm({
    name: "snapshot-name",
    subject: snapshot.id,
    defaultValues: { name: snapshot.name ?? "" },
    save: ({ name }) => rename({ variables: { input: { snapshotId: snapshot.id, name: name.trim() } } }),
    refusalAt: "name",
    onSaved: onRenamed,
    close: onClose,
  });
  return (
    <FormDialog
      title={t("snapshots.rename.title")}
      form={form}
      submit={t("snapshots.rename.save")}
      onClose={onClose}
    >
      <TextField
        label={t("snapshots.nameLabel")}
        description={snapshot.expiresAt === null ? undefined : t("snapshots.rename.keeps")}
        autoComplete="off"
        data-autofocus
        {...form.field("name", nameProblem)}
      />
    </FormDialog>
  );
}
