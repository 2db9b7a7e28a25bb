import { useApolloClient } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { pageTitle } from "../course/pageTitle";
import { dateAndTime } from "../editor/dateAndTime";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { toastFailure } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { type Restored, restoreCourse } from "./restoreCourse";
import classes from "./Snapshots.module.css";
import type { Outcome } from "./SnapshotsTab";
import { pagesIn, type Snapshot, snapshotName } from "./snapshot";

interface Props {
  course: Course;
  /** Null while there is nothing to tell. */
  outcome: Outcome | null;
  onUndone: (restored: Restored) => void;
  /** The course has changed since it was restored, so undoing needs a question. */
  onAsk: (before: Snapshot) => void;
  onClose: () => void;
}

/** Says that the course was restored, leads to the snapshot of the course before, and undoes the restoring. */
export function RestoredNote({ course, outcome, onUndone, onAsk, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const isOnline = useOnline();
  const [isBusy, setBusy] = useState(false);
  const unpublished = pagesIn(course, outcome?.unpublished ?? []);
  const undo = async ({ before, digest }: Outcome) => {
    if (digest === null) return onAsk(before);
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
              params={{ courseId: course.id }}
              search={{ tab: "snapshots", snapshot: outcome.before.id }}
            >
              {t("snapshots.restored.link", {
                name: snapshotName(outcome.before, t),
                moment: dateAndTime(outcome.before.takenAt, i18n.language, t),
              })}
            </Link>
            {"."}
          </p>
          {unpublished.length > 0 && (
            <p>
              {t("snapshots.restored.unpublished", { count: unpublished.length })}{" "}
              {unpublished.map((page, index) => (
                <span key={page.id}>
                  {index > 0 && ", "}
                  <Link to="/edit-page/$pageId" params={{ pageId: page.id }}>
                    {pageTitle(page, t)}
                  </Link>
                </span>
              ))}
            </p>
          )}
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
