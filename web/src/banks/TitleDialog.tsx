import { useMutation } from "@apollo/client/react";
import { FormDialog } from "../forms/FormDialog";
import { titleProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { TextField } from "../ui/TextField";
import { CreateBankDocument, UpdateBankDocument } from "./Banks.generated";
import type { BankSummary } from "./bank";

interface TitleDialogProps {
  /** The bank to rename; without it the dialog creates one. */
  bank?: Pick<BankSummary, "id" | "title">;
  onClose: () => void;
  /** Takes the id of the created bank. */
  onMade?: (id: string) => void;
}

/** The dialog that creates or renames a question bank. */
export function TitleDialog({ bank, onClose, onMade }: TitleDialogProps) {
  const { t } = useTranslation();
  const [create] = useMutation(CreateBankDocument);
  const [update] = useMutation(UpdateBankDocument);
  const form = useGuardedForm({
    name: "bank-title",
    subject: bank?.id,
    defaultValues: { title: bank?.title ?? "" },
    save: async ({ title }): Promise<string | undefined> => {
      const input = { title: title.trim() };
      if (!bank) return (await create({ variables: { input } })).data?.createBank.bank.id;
      await update({ variables: { input: { bankId: bank.id, ...input } } });
      return undefined;
    },
    refusalAt: "title",
    onSaved: (id) => {
      if (id) onMade?.(id);
    },
    close: onClose,
    isOnce: bank === undefined,
  });
  return (
    <FormDialog
      title={t(bank ? "banks.renameTitle" : "banks.createTitle")}
      form={form}
      submit={t(bank ? "banks.save" : "banks.make")}
      onClose={onClose}
    >
      <TextField
        label={t("banks.titleLabel")}
        placeholder={t("banks.titleExample")}
        aria-required
        autoComplete="off"
        data-autofocus
        {...form.field("title", titleProblem)}
      />
    </FormDialog>
  );
}
