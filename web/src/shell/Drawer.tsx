import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import classes from "./Drawer.module.css";

/** The sidebar on a small screen: a native modal dialog, which traps the focus, closes on Escape and restores the focus. */
export function Drawer({
  open,
  onClose,
  children,
}: {
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect opens the dialog before the children's effects, which may scroll.
  useLayoutEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click outside is an extra; the keyboard has Escape and the button.
    <dialog
      ref={dialog}
      className={classes.drawer}
      aria-label={t("shell.menu")}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {open && (
        <div className={classes.inside}>
          <IconButton className={classes.close} aria-label={t("shell.closeMenu")} onClick={onClose}>
            <IconClose />
          </IconButton>
          {children}
        </div>
      )}
    </dialog>
  );
}
