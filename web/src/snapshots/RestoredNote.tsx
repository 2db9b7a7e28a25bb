import { useApolloClient } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { dateAndTime } from "../editor/dateAndTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { toastFailure } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { type Restored, restoreCourse } from "./restoreCourse";
import classes from "./Snapshots.module.css";
import type { Outcome } from "./SnapshotsTab";
import { type Snapshot, snapshotName } from "./snapshot";

interface Props {
  courseId: string;
  /** Null while there is nothing to tell. */
  outcome: Outcome | null;
  onUndone: (restored: Restored) => void;
  /** The course has changed since it was restored, so undoing needs a question. */
  onAsk: (before: Snapshot) => void;
  onClose: () => void;
}

/** Says that the course was restored, leads to the snapshot of the course before, and undoes the restoring. */
export function RestoredNote({ courseId, outcome, onUndone, onAsk, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const isOnline = useOnline();
  const [isBusy, setBusy] = useState(false);
  const undo = async ({ before, digest }: Outcome) => {
    setBusy(true);
    try {
      onUndone(await restoreCourse(client, { id: before.id, name: snapshotName(before, t), digest }));
    } catch (error) {
      if (ApiError.from(error).status === 409) onAsk(before);
      else toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    // In the document before it has a text, so that it is read out.
    <div role="status">
      {outcome && (
        <div className={classes.note}>
          <p>
            {outcome.isUndone
              ? t("snapshots.restored.undone")
              : t("snapshots.restored.done", { name: outcome.name })}{" "}
            {t("snapshots.restored.before")}{" "}
            <Link
              to="/edit-course/$courseId"
              params={{ courseId }}
              search={{ tab: "snapshots", snapshot: outcome.before.id }}
            >
              {t("snapshots.restored.link", {
                name: snapshotName(outcome.before, t),
                moment: dateAndTime(outcome.before.takenAt, i18n.language, t),
              })}
            </Link>
          </p>
          <div className={classes.noteTools}>
            {!outcome.isUndone && (
              <Button
                variant="default"
                loading={isBusy}
                disabled={!isOnline}
                onClick={() => void undo(outcome)}
              >
                {t("ui.undo")}
              </Button>
            )}
            <Button variant="subtle" onClick={onClose}>
              {t("ui.close")}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
