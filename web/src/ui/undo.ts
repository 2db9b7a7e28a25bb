import { i18n } from "../i18n";
import { showToast, toastFailure, toastStore } from "./toasts";

interface Undoable {
  /** What was done: «Страница «Циклы» удалена». */
  text: string;
  /**
   * Makes the call at last. `leaving` when the page is going away: send it with `keepalive` then, in Apollo by
   * `context: { fetchOptions: { keepalive: leaving } }`.
   */
  commit: (leaving: boolean) => unknown;
  /** Brings back what the screen has hidden: somebody chose «Отменить», or the call failed. */
  undo: () => void;
}

const held = new Set<(leaving: boolean) => Promise<void>>();

/**
 * Done on the screen at once, told to the server when its toast goes. Answers with what sends it before its time, for a
 * screen that is being left.
 */
export function undoable({ text, commit, undo }: Undoable): () => Promise<void> {
  const send = async (leaving: boolean) => {
    if (!held.delete(send)) return;
    toastStore.dismiss(toast);
    try {
      await commit(leaving);
    } catch (error) {
      undo();
      toastFailure(error);
    }
  };
  held.add(send);
  const toast = showToast({
    kind: "success",
    title: i18n.t("errors.toastSuccess"),
    text,
    action: {
      label: i18n.t("ui.undo"),
      run: () => {
        if (held.delete(send)) undo();
      },
    },
    onGone: () => void send(false),
  });
  return () => send(false);
}

/** Sends everything that waits: before the session ends, and when the page goes away. */
export async function settleUndoable(leaving = false): Promise<void> {
  await Promise.all([...held].map((send) => send(leaving)));
}

window.addEventListener("pagehide", () => void settleUndoable(true));
