import { useMutation } from "@apollo/client/react";
import { useId } from "react";
import { titleProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/TextField";
import { UpdateGroupDocument } from "./Groups.generated";
import type { Group } from "./useGroups";

/** The dialog that renames a group. */
export default function TitleDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation();
  const formId = useId();
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
    <Dialog
      open
      onClose={onClose}
      title={t("students.groups.renameTitle", { group: group.title })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId} loading={form.isBusy}>
            {t("students.groups.save")}
          </Button>
        </>
      }
    >
      <form id={formId} {...form.props}>
        <TextField
          label={t("students.groups.title")}
          autoComplete="off"
          data-autofocus
          {...form.field("title", titleProblem)}
        />
      </form>
    </Dialog>
  );
}
