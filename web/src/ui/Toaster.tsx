import { useSelector } from "@tanstack/react-store";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { IconButton } from "./IconButton";
import { IconClose } from "./icons";
import classes from "./Toaster.module.css";
import { dismissToast, runToastAction, type Toast, toastStore } from "./toasts";
// Imported for its side effect: it listens for Ctrl+Z.
import "./undo";

/** An error takes longer to read than a success, and an action must be reachable by keyboard in time. */
const SHOWN_FOR_MS = { success: 4000, failure: 8000, action: 8000 };

/**
 * Shows the toasts. Their time is paused while the page is hidden or unfocused, and while the pointer or the focus is on one. Those
 * that say that there is no network close when it is back.
 */
export function Toaster() {
  const { t } = useTranslation();
  const toasts = useSelector(toastStore);
  const [held, setHeld] = useState(false);
  const idle = useIdle();
  // A toast that is closed under the pointer or the focus sends no leave or blur event.
  if (held && toasts.length === 0) setHeld(false);
  const section = useOnTop(toasts);
  useEffect(() => {
    const onOnline = () => {
      for (const { id, text } of toastStore.get()) if (text === t("errors.offlineTitle")) dismissToast(id);
    };
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [t]);
  return (
    <section
      ref={section}
      popover="manual"
      className={classes.toaster}
      aria-label={t("errors.toasts")}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toasts.map((toast) => (
        <Item key={toast.id} toast={toast} paused={held || idle} />
      ))}
    </section>
  );
}

function Item({ toast, paused }: { toast: Toast; paused: boolean }) {
  const { t } = useTranslation();
  const shownForMs = SHOWN_FOR_MS[toast.action ? "action" : toast.kind];
  useCountdown(shownForMs, paused, () => dismissToast(toast.id));
  return (
    <div
      className={classes.toast}
      data-kind={toast.kind}
      role={toast.kind === "failure" ? "alert" : "status"}
    >
      <div>
        <p className={classes.title}>{toast.title}</p>
        <p className={classes.text}>{toast.text}</p>
        {toast.action && (
          <button type="button" className={classes.action} onClick={() => runToastAction(toast.id)}>
            {toast.action.label}
          </button>
        )}
      </div>
      <IconButton className={classes.close} aria-label={t("ui.close")} onClick={() => dismissToast(toast.id)}>
        <IconClose size={16} />
      </IconButton>
    </div>
  );
}

/** Keeps the toasts above open dialogs: each new toast moves them to the end of the top layer. */
function useOnTop(toasts: readonly Toast[]) {
  const section = useRef<HTMLElement>(null);
  const newest = toasts.at(-1)?.id;
  useLayoutEffect(() => {
    if (newest === undefined) return;
    section.current?.showPopover?.();
    return () => section.current?.hidePopover?.();
  }, [newest]);
  return section;
}

/** Calls `done` after `ms` milliseconds, not counting paused time. */
function useCountdown(ms: number, paused: boolean, done: () => void) {
  const [clock] = useState({ left: ms, done });
  clock.done = done;
  useEffect(() => {
    if (paused) return;
    const started = performance.now();
    const timer = setTimeout(() => clock.done(), clock.left);
    return () => {
      clearTimeout(timer);
      clock.left -= performance.now() - started;
    };
  }, [clock, paused]);
}

/** Whether the window is hidden or unfocused. */
function useIdle(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const events = ["focus", "blur"] as const;
      for (const event of events) window.addEventListener(event, listener);
      document.addEventListener("visibilitychange", listener);
      return () => {
        for (const event of events) window.removeEventListener(event, listener);
        document.removeEventListener("visibilitychange", listener);
      };
    },
    () => document.hidden || !document.hasFocus(),
  );
}
