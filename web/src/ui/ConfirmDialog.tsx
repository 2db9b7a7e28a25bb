import { Button, TextInput } from "@mantine/core";
import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./ConfirmDialog.module.css";
import { Dialog } from "./Dialog";
import { failureText } from "./toasts";

interface Props {
  open: boolean;
  onClose: () => void;
  /** The question: «Удалить курс «Основы»?». */
  title: string;
  /** What happens then, and to whom. */
  children?: ReactNode;
  /** The verb of the title, never «OK»: «Удалить курс». */
  confirm: string;
  /** It cannot be taken back. */
  danger?: boolean;
  /** What has to be typed before it goes on, for what others would lose by it. */
  typed?: string;
  /** The dialog waits for the promise: it closes when that is fulfilled, and says why it stays when it is rejected. */
  onConfirm: () => unknown;
}

/** Asks before something that cannot be undone. What can be undone is done at once: see `undoable` in undo.ts. */
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
    // The dialog may stand in another form's component; its submit is nobody else's.
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
          <TextInput
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
