import { useApolloClient, useQuery } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextSkeleton } from "../ui/Skeletons";
import { failureText } from "../ui/toasts";
import { useOnline } from "../ui/useOnline";
import { ChangeLists } from "./ChangeLists";
import { type Restored, restoreCourse } from "./restoreCourse";
import { SnapshotChangesDocument } from "./Snapshots.generated";
import classes from "./Snapshots.module.css";
import { useSettled } from "./settleEdits";
import { type Changes, countText, GROUPS, hasChanges, type Snapshot, snapshotName } from "./snapshot";

interface Props {
  courseId: string;
  snapshot: Snapshot;
  onRestored: (restored: Restored) => void;
  onClose: () => void;
}

/** Shows what restoring a course from a snapshot changes, and restores it after one question. */
export function RestoreDialog({ courseId, snapshot, onRestored, onClose }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const isOnline = useOnline();
  const isSettled = useSettled(courseId);
  const { data, error, refetch } = useQuery(SnapshotChangesDocument, {
    variables: { id: snapshot.id, since: null },
    fetchPolicy: "no-cache",
    skip: !isSettled,
  });
  const [isBusy, setBusy] = useState(false);
  /** Why the server has not restored the course. */
  const [refusal, setRefusal] = useState<string | null>(null);
  const changes = data?.courseSnapshot.changes;
  const digest = changes && hasChanges(changes) ? changes.digest : null;
  const isReady = digest !== null && isOnline;
  const name = snapshotName(snapshot, t);

  const restore = async () => {
    if (digest === null || !isReady || isBusy) return;
    setBusy(true);
    setRefusal(null);
    try {
      onRestored(await restoreCourse(client, { id: snapshot.id, name, digest }));
      onClose();
    } catch (failure) {
      const isStale = ApiError.from(failure).status === 409;
      if (isStale) await refetch().catch(() => undefined);
      setRefusal(isStale ? t("snapshots.restore.stale") : failureText(failure));
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      wide
      onClose={() => !isBusy && onClose()}
      title={t("snapshots.restore.title", { name })}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={isBusy} data-autofocus>
            {t("ui.cancel")}
          </Button>
          <Button onClick={() => void restore()} loading={isBusy} disabled={!isReady}>
            {t("snapshots.restore.confirm")}
          </Button>
        </>
      }
    >
      <div className={classes.restore}>
        {refusal !== null && (
          <p className={classes.problem} role="alert">
            {refusal}
          </p>
        )}
        {!isOnline && (
          <p className={classes.offline} role="status">
            {t("snapshots.offline")}
          </p>
        )}
        {!changes ? (
          <QueryState
            error={error}
            notFound={t("snapshots.gone.text")}
            retry={() => void refetch().catch(() => undefined)}
            heading="p"
            loading={<TextSkeleton lines={6} />}
          />
        ) : hasChanges(changes) ? (
          <Effects changes={changes} />
        ) : (
          <p>{t("snapshots.restore.same")}</p>
        )}
      </div>
    </Dialog>
  );
}

/** What restoring changes: in numbers, and part by part. */
function Effects({ changes }: { changes: Changes }) {
  const { t } = useTranslation();
  return (
    <>
      <dl className={classes.effects}>
        {GROUPS.filter((group) => changes[group].length > 0).map((group) => (
          <div key={group}>
            <dt>{t(`snapshots.groups.restore.${group}`)}</dt>
            <dd>{countText(changes[group], t)}</dd>
          </div>
        ))}
        {changes.course.length > 0 && (
          <div>
            <dt>{t("snapshots.groups.restore.settings")}</dt>
            <dd>{changes.course.map((field) => t(`snapshots.fields.${field}`)).join(", ")}</dd>
          </div>
        )}
      </dl>
      {changes.learnersAffected > 0 && (
        <p className={classes.warn}>{t("snapshots.restore.learners", { count: changes.learnersAffected })}</p>
      )}
      <p>{t("snapshots.restore.before")}</p>
      {GROUPS.some((group) => changes[group].length > 0) && (
        <details className={classes.details}>
          <summary>{t("snapshots.restore.details")}</summary>
          <ChangeLists changes={changes} mode="restore" />
        </details>
      )}
    </>
  );
}
