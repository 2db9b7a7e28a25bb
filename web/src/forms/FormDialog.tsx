import { type ReactNode, useId } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import type { useGuardedForm } from "./useGuardedForm";

interface Props {
  title: string;
  form: Pick<ReturnType<typeof useGuardedForm>, "isBusy" | "props">;
  /** The label of the button that submits the form. */
  submit: string;
  /** There is nothing to submit. */
  disabled?: boolean;
  /** The class of the form element. */
  className?: string | undefined;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** An open dialog with one form, a button that submits it and one that cancels. */
export function FormDialog({ title, form, submit, disabled, className, onClose, children }: Props) {
  const { t } = useTranslation();
  const formId = useId();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId} loading={form.isBusy} disabled={disabled}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={formId} className={className} {...form.props}>
        {children}
      </form>
    </Dialog>
  );
}
