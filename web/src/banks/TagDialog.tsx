import { type SubmitEvent, useId, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { TagFilter } from "./Filters";
import { TagsField } from "./TagsField";
import classes from "./TagsField.module.css";

interface TagDialogProps {
  way: "add" | "remove";
  /** Number of the questions. */
  count: number;
  /** The tags of the bank, or those that can be removed. */
  known: readonly string[];
  onTag: (names: string[]) => Promise<void>;
  onClose: () => void;
}

/** Chooses tags to give to questions, or to take from them. */
export function TagDialog({ way, count, known, onTag, onClose }: TagDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  const [names, setNames] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (names.length === 0 || isBusy) return;
    setBusy(true);
    try {
      await onTag(names);
      toastSuccess(t("banks.selection.tagged"));
      onClose();
    } catch (error) {
      toastFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`banks.selection.${way}Title`, { count })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId} loading={isBusy} disabled={names.length === 0}>
            {t(`banks.selection.${way}Tags`)}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className={way === "add" ? classes.roomy : undefined}>
        {way === "add" ? (
          <TagsField
            label={t("banks.tags.label")}
            tags={names}
            known={known}
            data-autofocus
            onAdd={(added) => setNames((before) => [...before, ...added])}
            onRemove={(name) => setNames((before) => before.filter((one) => one !== name))}
          />
        ) : known.length === 0 ? (
          <p>{t("banks.selection.noTags")}</p>
        ) : (
          <TagFilter
            label={t("banks.tags.label")}
            tags={known.map((name) => ({ name }))}
            chosen={names}
            onChange={setNames}
          />
        )}
      </form>
    </Dialog>
  );
}
