import { useMutation } from "@apollo/client/react";
import { useId } from "react";
import { useForm } from "react-hook-form";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextArea } from "../ui/TextArea";
import { TextField } from "../ui/TextField";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { CreateItemDocument, type Item_ItemFragment, UpdateItemDocument } from "./Items.generated";
import classes from "./Items.module.css";
import { descriptionProblem, titleProblem } from "./rules";

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
  const formId = useId();
  const [create] = useMutation(CreateItemDocument);
  const [update] = useMutation(UpdateItemDocument);
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { title: item?.title ?? "", description: item?.description ?? "" },
    mode: "onTouched",
  });
  const submit = handleSubmit(async (values) => {
    const input = { title: values.title.trim(), description: values.description.trim() || null };
    try {
      if (item) await update({ variables: { input: { itemId: item.id, ...input } } });
      else await create({ variables: { input } });
      toastSuccess(t(item ? "items.saved" : "items.created", { title: input.title }));
      if (!item) onMade();
      onClose();
    } catch (error) {
      toastFailure(error);
      for (const [field, message] of ApiError.from(error).fields) {
        if (field === "title" || field === "description") setError(field, { message });
      }
    }
  });
  const { errors } = formState;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(item ? "items.editTitle" : "items.createTitle")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId} loading={formState.isSubmitting}>
            {t(item ? "items.save" : "items.make")}
          </Button>
        </>
      }
    >
      <form id={formId} className={classes.form} onSubmit={submit} noValidate>
        <TextField
          label={t("items.fields.title")}
          error={errors.title?.message}
          aria-required
          autoComplete="off"
          data-autofocus
          {...register("title", {
            validate: (title) => {
              const problem = titleProblem(title);
              return problem === null || t(`items.${problem}`);
            },
          })}
        />
        <TextArea
          label={t("items.fields.description")}
          error={errors.description?.message}
          rows={3}
          {...register("description", {
            validate: (description) => {
              const problem = descriptionProblem(description);
              return problem === null || t(`items.${problem}`);
            },
          })}
        />
      </form>
    </Dialog>
  );
}
