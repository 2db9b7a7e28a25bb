import { useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { dismissToast, toastFailure, toastSuccess } from "../ui/toasts";
import { toastSaved } from "./toastSaved";

interface Undoable {
  run: () => Promise<unknown>;
  toast: number;
}

/** So many changes can be taken back by key, the last one first. */
const MOST = 50;

/**
 * Takes changes back, the last one first: by the button of a toast or by Ctrl+Z. One toast is shown at a time, because who fills in a table
 * changes many dates in a row.
 */
export function useUndo() {
  const { t } = useTranslation();
  const changes = useRef<Undoable[]>([]);
  const take = async (change: Undoable) => {
    changes.current = changes.current.filter((one) => one !== change);
    await change.run();
  };
  return {
    /** Tells that something is saved, with an offer to take it back. */
    offer: (run: () => Promise<unknown>, text?: string) => {
      const last = changes.current.at(-1);
      if (last) dismissToast(last.toast);
      const change: Undoable = { run, toast: 0 };
      change.toast = toastSaved(() => take(change), text);
      changes.current = [...changes.current, change].slice(-MOST);
    },
    /** Takes the last change back. */
    undoLast: () => {
      const change = changes.current.at(-1);
      if (!change) return;
      dismissToast(change.toast);
      void take(change).then(() => toastSuccess(t("dates.undone")), toastFailure);
    },
  };
}

export type Undo = ReturnType<typeof useUndo>;
