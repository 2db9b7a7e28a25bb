import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "./Button";
import classes from "./ConfirmDialog.module.css";
import { Dialog } from "./Dialog";
import { TextField } from "./TextField";
import { failureText } from "./toasts";

interface Props {
  open: boolean;
  onClose: () => void;
  /** The question: «Удалить курс «Основы»?». */
  title: string;
  /** The consequences, and whom they affect. */
  children?: ReactNode;
  /** The button's label: the verb of the title, never «OK»: «Удалить курс». */
  confirm: string;
  /** The action is irreversible. */
  danger?: boolean;
  /** A text to type before confirming, for actions by which other people lose data. */
  typed?: string;
  /** The dialog awaits the promise: it closes when the promise resolves and shows the error when it rejects. */
  onConfirm: () => unknown;
}

/** A confirmation before an irreversible action. Reversible actions happen at once: see `undoable` in undo.ts. */
export function ConfirmDialog({ open, ...rest }: Props) {
  return open ? <OpenConfirm {...rest} /> : null;
}

function OpenConfirm({ onClose, title, children, confirm, danger, typed, onConfirm }: Omit<Props, "open">) {
  const { t } = useTranslation();
  const formId = useId();
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const ready = typed === undefined || text.trim() === typed.trim();

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    // React bubbles `submit` to a form around the dialog's component, which must not submit too.
    event.stopPropagation();
    if (!ready || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFailure(failureText(error));
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onClose={() => !busy && onClose()}
      title={title}
      actions={
        <>
          <Button
            variant="default"
            onClick={onClose}
            disabled={busy}
            data-autofocus={typed === undefined || undefined}
          >
            {t("ui.cancel")}
          </Button>
          <Button
            type="submit"
            form={formId}
            loading={busy}
            disabled={!ready}
            className={danger ? classes.danger : undefined}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className={classes.form}>
        {children && <div className={classes.text}>{children}</div>}
        {typed !== undefined && (
          <TextField
            label={t("ui.typeToConfirm", { text: typed })}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
        {failure !== null && (
          <p className={classes.failure} role="alert">
            {failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}
