import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./Dialog.module.css";
import { IconButton } from "./IconButton";
import { IconClose } from "./icons";
import { mayLeave } from "./unsaved";

interface Props {
  open: boolean;
  /** Called after Escape, a click outside and the button in the corner; with unsaved text inside, only after a question. */
  onClose: () => void;
  title: string;
  /** "full" for what needs the whole window, such as two texts side by side. */
  wide?: boolean | "full";
  /** The buttons at the bottom; stacked on a phone. */
  actions?: ReactNode;
  children?: ReactNode;
}

/**
 * A native modal dialog: it traps the focus, closes on Escape and restores the focus. Its children mount when it opens, so
 * their state starts fresh. An element with `data-autofocus` gets the focus first.
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
  const close = async () => {
    if (await mayLeave(dialog.current ?? undefined)) onClose();
  };
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
        void close();
      }}
      onClick={(event) => event.target === dialog.current && void close()}
    >
      <div className={classes.inside}>
        <header className={classes.header}>
          <h2 className={classes.title} id={titleId}>
            {title}
          </h2>
          <IconButton aria-label={t("ui.close")} onClick={() => void close()}>
            <IconClose size={18} />
          </IconButton>
        </header>
        <div className={classes.body}>{children}</div>
        {actions && <footer className={classes.actions}>{actions}</footer>}
      </div>
    </dialog>
  );
}
