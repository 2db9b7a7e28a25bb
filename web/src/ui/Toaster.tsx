import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { IconClose } from "./icons";
import classes from "./Toaster.module.css";
import { type Toast, toastStore } from "./toasts";

/** What went wrong takes longer to read than that all is well, and a button is to be reached by the keyboard, too. */
const SHOWN_FOR_MS = { success: 4000, failure: 8000, action: 8000 };

/** Toasts at the top end of the window. Their time stands still while nobody looks at the page, or while one is held. */
export function Toaster() {
  const { t } = useTranslation();
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  const [held, setHeld] = useState(false);
  const idle = useIdle();
  // A toast that is closed while it is held takes its leave and blur events with it.
  if (held && toasts.length === 0) setHeld(false);
  const section = useOnTop(toasts);
  useUndoKey(toasts);
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
  useCountdown(shownForMs, paused, () => toastStore.dismiss(toast.id));
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
          <button type="button" className={classes.action} onClick={() => toastStore.act(toast.id)}>
            {toast.action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        className={classes.close}
        aria-label={t("errors.close")}
        onClick={() => toastStore.dismiss(toast.id)}
      >
        <IconClose size={16} />
      </button>
    </div>
  );
}

/** A toast lies above whatever dialog is open: it moves to the top again with each that comes. */
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

/** Ctrl+Z takes the newest one back that can be, unless the key belongs to a text. */
function useUndoKey(toasts: readonly Toast[]) {
  const undoable = toasts.findLast((toast) => toast.action)?.id;
  useEffect(() => {
    if (undoable === undefined) return;
    const onKey = (event: KeyboardEvent) => {
      const undo =
        event.code === "KeyZ" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      const at = event.target;
      const inText =
        at instanceof HTMLElement && (at.isContentEditable || at.matches("input, textarea, select"));
      if (!undo || inText || event.defaultPrevented) return;
      event.preventDefault();
      toastStore.act(undoable);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [undoable]);
}

/** Calls `done` after `ms` of time that was not paused. */
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

/** The window is hidden or another one has the focus. */
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
