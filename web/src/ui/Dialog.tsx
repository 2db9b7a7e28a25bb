import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./Dialog.module.css";
import { IconButton } from "./IconButton";
import { IconClose } from "./icons";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  /**
   * A native modal dialog: it traps the focus, closes on Escape and restores the focus. Its children mount when it opens, so
   * their state starts fresh. An element with `data-autofocus` gets the focus first.
   */
  wide?: boolean;
  /** The buttons at the bottom; stacked on a phone. */
  actions?: ReactNode;
  children?: ReactNode;
}

/**
 * A modal dialog of the browser's own: it keeps the focus, closes on Escape and gives the focus back. What is inside is
 * made when it opens, so its state begins anew each time. What carries `data-autofocus` has the focus first.
 */
export function Dialog({ open, ...rest }: Props) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({ onClose, title, wide, actions, children }: Omit<Props, "open">) {
  const { t } = useTranslation();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => shown?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside is an extra; the keyboard has Escape and the buttons.
    <dialog
      ref={dialog}
      className={classes.dialog}
      data-wide={wide || undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Ignores the `cancel` event that bubbles from a file input inside.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className={classes.inside}>
        <header className={classes.header}>
          <h2 className={classes.title} id={titleId}>
            {title}
          </h2>
          <IconButton aria-label={t("ui.close")} onClick={onClose}>
            <IconClose size={18} />
          </IconButton>
        </header>
        <div className={classes.body}>{children}</div>
        {actions && <footer className={classes.actions}>{actions}</footer>}
      </div>
    </dialog>
  );
}
