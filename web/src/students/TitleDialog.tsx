import { useMutation } from "@apollo/client/react";
import { FormDialog } from "../forms/FormDialog";
import { titleProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { TextField } from "../ui/TextField";
import { UpdateGroupDocument } from "./Groups.generated";
import type { Group } from "./useGroups";

/** The dialog that renames a group. */
export default function TitleDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation();
  const [update] = useMutation(UpdateGroupDocument);
  const form = useGuardedForm({
    name: "group-title",
    subject: group.id,
    defaultValues: { title: group.title },
    save: ({ title }) => update({ variables: { input: { groupId: group.id, title: title.trim() } } }),
    refusalAt: "title",
    close: onClose,
  });
  return (
    <FormDialog
      title={t("students.groups.renameTitle", { group: group.title })}
      form={form}
      submit={t("students.groups.save")}
      onClose={onClose}
    >
      <TextField
        label={t("students.groups.title")}
        autoComplete="off"
        data-autofocus
        {...form.field("title", titleProblem)}
      />
    </FormDialog>
  );
}
