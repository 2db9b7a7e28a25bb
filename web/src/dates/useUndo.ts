import { useRef } from "react";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { dismissToast, toastFailure, toastSuccess } from "../ui/toasts";
import { toastSaved } from "./toastSaved";

interface Undoable {
  run: () => Promise<unknown>;
  toast: number;
}

/** The maximum number of changes that Ctrl+Z can undo, the last one first. */
const MOST = 50;

/** Whether the same call may succeed later: no answer came, or the server could not work. */
function isTemporary(error: unknown): boolean {
  const { status } = ApiError.from(error);
  return status === 0 || status === 429 || status >= 500;
}

/**
 * Takes changes back, the last one first: by the button of a toast or by Ctrl+Z. One toast is shown at a time, because who fills in a table
 * changes many dates in a row.
 */
export function useUndo() {
  const { t } = useTranslation();
  const changes = useRef<Undoable[]>([]);
  /** The saves that wait for an answer: each of them may offer one more change. */
  const saving = useRef(new Set<Promise<unknown>>());
  /** Settles when the running undo has ended. */
  const turn = useRef<Promise<unknown>>(Promise.resolve());

  const drop = (change: Undoable) => {
    changes.current = changes.current.filter((one) => one !== change);
  };
  /** Takes the chosen change back after all earlier saves and undos. Returns whether there was one. */
  const take = (choose: () => Undoable | undefined): Promise<boolean> => {
    const earlier = [...saving.current];
    const taken = turn.current.then(async () => {
      await Promise.allSettled(earlier);
      const change = choose();
      if (!change) return false;
      dismissToast(change.toast);
      try {
        await change.run();
      } catch (error) {
        // Without an answer, the next try may succeed.
        if (!isTemporary(error)) drop(change);
        throw error;
      }
      drop(change);
      return true;
    });
    turn.current = taken.catch(() => undefined);
    return taken;
  };
  return {
    /** Tells that something is saved, with an offer to take it back. */
    offer: (run: () => Promise<unknown>, text?: string) => {
      const last = changes.current.at(-1);
      if (last) dismissToast(last.toast);
      const change: Undoable = { run, toast: 0 };
      change.toast = toastSaved(() => take(() => changes.current.find((one) => one === change)), text);
      changes.current = [...changes.current, change].slice(-MOST);
    },
    /** Lets undoing wait for a save, until it has offered its change or has failed. */
    follow: (save: Promise<unknown>) => {
      saving.current.add(save);
      const end = () => void saving.current.delete(save);
      save.then(end, end);
    },
    /** Takes the last change back. */
    undoLast: () => {
      void take(() => changes.current.at(-1)).then(
        (isTaken) => isTaken && toastSuccess(t("dates.undone")),
        toastFailure,
      );
    },
  };
}

export type Undo = ReturnType<typeof useUndo>;
