import { useMutation } from "@apollo/client/react";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useId } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import { Dialog } from "../ui/Dialog";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { CreateItemDocument, type Item_ItemFragment, UpdateItemDocument } from "./Items.generated";
import classes from "./Items.module.css";
import { descriptionProblem, titleProblem } from "./rules";

interface Props {
  /** Left out: a new one. */
  item: Item_ItemFragment | undefined;
  onClose: () => void;
  /** There is a new one. */
  onMade: () => void;
}

/** Makes an item or changes one. */
export function ItemDialog({ item, onClose, onMade }: Props) {
  const { t } = useTranslation();
  const formId = useId();
  const [create] = useMutation(CreateItemDocument);
  const [update] = useMutation(UpdateItemDocument);
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { title: item?.title ?? "", description: item?.description ?? "" },
    mode: "onBlur",
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
        <TextInput
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
        <Textarea
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
