import { useMutation } from "@apollo/client/react";
import { FormDialog } from "../forms/FormDialog";
import { itemDescriptionProblem, titleProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { TextArea } from "../ui/TextArea";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import { CreateItemDocument, type Item_ItemFragment, UpdateItemDocument } from "./Items.generated";
import classes from "./Items.module.css";

interface Props {
  /** The item to edit; without it the dialog creates one. */
  item: Item_ItemFragment | undefined;
  onClose: () => void;
  /** Called after an item is created. */
  onMade: () => void;
}

/** The dialog that creates or edits an item. */
export function ItemDialog({ item, onClose, onMade }: Props) {
  const { t } = useTranslation();
  const [create] = useMutation(CreateItemDocument);
  const [update] = useMutation(UpdateItemDocument);
  const form = useGuardedForm({
    name: "item",
    mode: "onTouched",
    subject: item?.id,
    defaultValues: { title: item?.title ?? "", description: item?.description ?? "" },
    save: async (values) => {
      const input = { title: values.title.trim(), description: values.description.trim() || null };
      if (item) await update({ variables: { input: { itemId: item.id, ...input } } });
      else await create({ variables: { input } });
    },
    onSaved: (_, { title }) => {
      toastSuccess(t(item ? "items.saved" : "items.created", { title: title.trim() }));
      if (!item) onMade();
    },
    close: onClose,
    isOnce: item === undefined,
  });
  return (
    <FormDialog
      title={t(item ? "items.editTitle" : "items.createTitle")}
      form={form}
      submit={t(item ? "items.save" : "items.make")}
      className={classes.form}
      onClose={onClose}
    >
      <TextField
        label={t("items.fields.title")}
        aria-required
        autoComplete="off"
        data-autofocus
        {...form.field("title", titleProblem)}
      />
      <TextArea
        label={t("items.fields.description")}
        rows={3}
        {...form.field("description", itemDescriptionProblem)}
      />
    </FormDialog>
  );
}
