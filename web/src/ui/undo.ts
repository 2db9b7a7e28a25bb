import { i18n } from "../i18n";
import { dismissToast, runToastAction, showToast, toastFailure, toastStore } from "./toasts";

/**
 * Says what was done and offers to undo it, by the button of a toast or by Ctrl+Z. Returns the id of the toast. `onGone` is called when the
 * toast disappears without it.
 */
export function offerUndo(text: string, run: () => void, onGone?: () => void): number {
  return showToast({
    kind: "success",
    title: i18n.t("errors.toastSuccess"),
    text,
    action: { label: i18n.t("ui.undo"), run },
    ...(onGone && { onGone }),
  });
}

interface Undoable {
  /** The text of the toast: «Страница «Циклы» удалена». */
  text: string;
  /**
   * Makes the call. `leaving` is true when the page is closing: the request then needs `keepalive`, in Apollo with
   * `context: { fetchOptions: { keepalive: leaving } }`.
   */
  commit: (leaving: boolean) => unknown;
  /** Restores the screen: after «Отменить», or when the call failed. */
  undo: () => void;
}

const pending = new Set<(leaving: boolean) => Promise<void>>();

/**
 * Delays a reversible call until its toast disappears; the caller updates the screen at once. Returns a function that makes
 * the call earlier, for a screen that is being left.
 */
export function undoable({ text, commit, undo }: Undoable): () => Promise<void> {
  const send = async (leaving: boolean) => {
    if (!pending.delete(send)) return;
    dismissToast(toast);
    try {
      await commit(leaving);
    } catch (error) {
      undo();
      toastFailure(error);
    }
  };
  pending.add(send);
  const toast = offerUndo(
    text,
    () => {
      if (pending.delete(send)) undo();
    },
    () => void send(false),
  );
  return () => send(false);
}

/** Makes all delayed calls: before the session ends, and when the page closes. */
export async function settleUndoable(leaving = false): Promise<void> {
  await Promise.all([...pending].map((send) => send(leaving)));
}

window.addEventListener("pagehide", () => void settleUndoable(true));

// Ctrl+Z runs the newest toast's action, except in a text field. It is here, because the toaster may still be loading when the key is
// pressed.
window.addEventListener("keydown", (event) => {
  const isUndo =
    event.code === "KeyZ" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  const at = event.target;
  const isInText =
    at instanceof HTMLElement && (at.isContentEditable || at.matches("input, textarea, select"));
  const newest = toastStore.get().findLast((toast) => toast.action);
  if (!isUndo || isInText || event.defaultPrevented || !newest) return;
  event.preventDefault();
  runToastAction(newest.id);
});
